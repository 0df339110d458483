/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* big.c - memory of arrays that may become large */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "big.h"

#define BIG	((size_t)4 << 20)
#define HUGE_PAGE	((size_t)2 << 20)	/* a huge page of most machines */

static size_t whole_pages(size_t bytes)
{
	return (bytes + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
}

/* @bytes, in whole pages, at a multiple of a huge page; NULL without memory. */
static void *map_pages(size_t bytes, int rights)
{
	uint8_t *at = mmap(NULL, bytes + HUGE_PAGE, rights,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (at == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)at & (HUGE_PAGE - 1);
	if (before)
		munmap(at, before);
	munmap(at + before + bytes, HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
	madvise(at + before, bytes, MADV_HUGEPAGE);
#endif
	return at + before;
}

static void *first_pages(void *at, size_t old, size_t bytes)
{
	void *pages = map_pages(bytes, PROT_READ | PROT_WRITE);

	if (!pages)
		return NULL;
	if (at)
		memcpy(pages, at, old);
	free(at);
	return pages;
}

/*
 * Move and grow in one call, for then the array stays one mapping: kernels
 * before 6.17 move no more than one, and refuse only after they have removed
 * what is at @to.  So after a failure that place may be another's already, and
 * stays as it is: at worst it is address space without memory.
 */
static void *more_pages(void *at, size_t old, size_t bytes)
{
	void *to = map_pages(bytes, PROT_NONE), *more;

	if (!to)
		return NULL;
	more = mremap(at, old, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	return more == MAP_FAILED ? NULL : more;
}

void *big_realloc(void *at, size_t old, size_t bytes)
{
	if (bytes < BIG)
		return realloc(at, bytes);
	if (old >= BIG && bytes <= whole_pages(old))
		return at;
	if (bytes > SIZE_MAX - 2 * HUGE_PAGE)
		return NULL;
	return old < BIG ? first_pages(at, old, whole_pages(bytes)) :
			   more_pages(at, whole_pages(old), whole_pages(bytes));
}

void big_free(void *at, size_t bytes)
{
	if (bytes < BIG)
		free(at);
	else
		munmap(at, whole_pages(bytes));
}
