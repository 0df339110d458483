/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - a process keeps only the system calls that it needs
 *
 * Landlock is about files: it leaves root modules, mounts, the clock, and
 * an ioctl() that writes to a disk.  A seccomp filter ends these.  It does
 * nothing where the kernel lacks seccomp, and on architectures that filter.c
 * does not list.
 */
#ifndef SUPPORT_FILTER_H
#define SUPPORT_FILTER_H

#include <sys/types.h>

#include "calls.h"

/*
 * allow_calls - from here on this thread, and what it starts, has only the calls
 *		 of @list
 *
 * @child may get signals as well as the process itself; 0: nobody else may.
 * Any other call fails and kills nothing.  The process has PR_SET_NO_NEW_PRIVS
 * or is root.
 */
void allow_calls(enum call_list list, pid_t child);

#endif
