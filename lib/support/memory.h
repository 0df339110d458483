/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - the memory that is available to a process
 */
#ifndef SUPPORT_MEMORY_H
#define SUPPORT_MEMORY_H

#include <stdint.h>

#define MEMORY_UNLIMITED UINT64_MAX

/*
 * The least of three: the machine's memory, the limit of the address space, the
 * limit of the cgroups.  0 if not even the first is known.
 */
uint64_t memory_there_is(void);

/*
 * The least limit of the process's control group and the groups around it, of
 * both cgroup versions.  @root: prefix of all paths; NULL: none.
 */
uint64_t memory_of_cgroups(const char *root);

#endif
