/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* big.c - memory of arrays that may become large */

#define _GNU_SOURCE
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
static void *map_pages(size_t bytes)
{
	uint8_t *at = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
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

/* The first @bytes of @from, in whole pages, become those of @to. */
static void move_pages(void *to, void *from, size_t bytes)
{
	if (mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to)
		return;
	memcpy(to, from, bytes);
	munmap(from, bytes);
}

static void *grow_pages(void *at, size_t old, size_t bytes)
{
	void *more = map_pages(whole_pages(bytes));

	if (!more)
		return NULL;
	if (old >= BIG) {
		move_pages(more, at, whole_pages(old));
	} else if (at) {
		memcpy(more, at, old);
		free(at);
	}
	return more;
}

void *big_realloc(void *at, size_t old, size_t bytes)
{
	if (bytes < BIG)
		return realloc(at, bytes);
	if (old >= BIG && bytes <= whole_pages(old))
		return at;
	return bytes > SIZE_MAX - 2 * HUGE_PAGE ? NULL :
						  grow_pages(at, old, bytes);
}

void big_free(void *at, size_t bytes)
{
	if (bytes < BIG)
		free(at);
	else
		munmap(at, whole_pages(bytes));
}
