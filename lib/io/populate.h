/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* populate.h - gives pages to memory that is to be written, in one call */
#ifndef E2LAZY_POPULATE_H
#define E2LAZY_POPULATE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Linux 5.14 and later gives all pages inside [@at, @at + @bytes) at once, for
 * half of what a fault for each costs.  Elsewhere, and where memory is short,
 * the faults come one by one, as ever.
 */
static inline void populate(void *at, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = ((uintptr_t)at + page - 1) & ~(page - 1);
	uintptr_t end = ((uintptr_t)at + bytes) & ~(page - 1);

	if (end > begin + 16 * page)
		madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
#endif
}

#endif
