/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - how much memory there is for a process
 */
#ifndef SUPPORT_MEMORY_H
#define SUPPORT_MEMORY_H

#include <stdint.h>

#define MEMORY_UNLIMITED UINT64_MAX

/*
 * The least of what the machine has, of what its address space may grow to and
 * of what its cgroups may have; 0 where not even the first can be told.
 */
uint64_t memory_there_is(void);

/*
 * The least limit of the control group that this process is in and of those
 * around it, of both versions.  @root stands for "/"; NULL: "/" itself.
 */
uint64_t memory_of_cgroups(const char *root);

#endif
