/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cached.c - ask what the page cache has, and drop it */

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cached.h"

/* Linux 6.5; libraries and headers are older.  Some machines count otherwise. */
#if !defined(SYS_cachestat) && !defined(__alpha__) && !defined(__mips__)
#define SYS_cachestat	451
#endif

#define PAGES_ASKED	1024

static uint64_t page_size(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static struct byte_range pages_of(const struct byte_range *bytes)
{
	uint64_t page = page_size();

	return (struct byte_range){
		bytes->from / page * page, (bytes->to + page - 1) / page * page,
	};
}

bool cached_whole(int fd, uint64_t pos, size_t count)
{
	struct byte_range pages = pages_of(&(struct byte_range){ pos,
								 pos + count });
	size_t bytes = pages.to - pages.from, nr = bytes / page_size();
	unsigned char valid[PAGES_ASKED];
	size_t there = 0;
	void *at;

	if (nr > PAGES_ASKED)
		return false;
	at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, (off_t)pages.from);
	if (at == MAP_FAILED)
		return false;
	if (!mincore(at, bytes, valid))
		while (there < nr && valid[there] & 1)
			there++;
	munmap(at, bytes);
	return there == nr;
}

void cached_drop(int fd, const struct byte_range *bytes)
{
	struct byte_range pages = pages_of(bytes);

	posix_fadvise(fd, (off_t)pages.from, (off_t)(pages.to - pages.from),
		      POSIX_FADV_DONTNEED);
}

/*
 * Bytes of pages that are there, or -1 if nobody can tell.  mincore() cannot: it
 * passes over a page that is valid in part, and the kernel makes such pages of
 * blocks that are smaller.
 */
static int64_t bytes_there(int fd, uint64_t from, uint64_t to)
{
#ifdef SYS_cachestat
	struct { uint64_t pos, count; } range = { from, to - from };
	struct {
		uint64_t cached, dirty, in_writeback, evicted, lately;
	} pages;

	if (!syscall(SYS_cachestat, fd, &range, &pages, 0))
		return (int64_t)(pages.cached * page_size());
#else
	(void)fd, (void)from, (void)to;
#endif
	return -1;
}

/* The first page of @pages that is there; there is one. */
static uint64_t first_there(int fd, const struct byte_range *pages)
{
	uint64_t page = page_size(), low = pages->from, high = pages->to;

	while (high - low > page) {
		uint64_t middle = low + (high - low) / page / 2 * page;

		if (bytes_there(fd, low, middle) > 0)
			high = middle;
		else
			low = middle;
	}
	return low;
}

/* Double the run at @from as long as all of it is there. */
static uint64_t end_there(int fd, uint64_t from, uint64_t end)
{
	uint64_t bytes = page_size();

	while (2 * bytes <= end - from &&
	       bytes_there(fd, from, from + 2 * bytes) == (int64_t)(2 * bytes))
		bytes *= 2;
	return from + bytes;
}

/* A page at either end that has bytes of others, too. */
static bool find_shared(struct byte_range *bytes)
{
	struct byte_range pages = pages_of(bytes);
	bool first = bytes->from > pages.from;

	if (!first && bytes->to == pages.to)
		return false;
	if (!first)
		pages.from = pages.to - page_size();
	pages.to = pages.from + page_size();
	*bytes = pages;
	return true;
}

bool cached_find(int fd, struct byte_range *bytes)
{
	struct byte_range pages = pages_of(bytes);
	int64_t there = bytes_there(fd, pages.from, pages.to);

	if (there < 0)
		return find_shared(bytes);
	if (!there)
		return false;
	bytes->from = first_there(fd, &pages);
	bytes->to = end_there(fd, bytes->from, pages.to);
	return true;
}
