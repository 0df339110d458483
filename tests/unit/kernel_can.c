/* SPDX-License-Identifier: GPL-2.0-only */

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "kernel_can.h"

/* The number is older than the headers; on these machines it is another one. */
#if !defined(SYS_cachestat) && !defined(__alpha__) && !defined(__mips__)
#define SYS_cachestat	451
#endif

bool kernel_reads_at_once(const char *path)
{
#ifdef RWF_NOWAIT
	char byte;
	struct iovec part = { &byte, 1 };
	int fd = open(path, O_RDONLY);
	bool can = fd >= 0 && (preadv2(fd, &part, 1, 0, RWF_NOWAIT) >= 0 ||
			       errno == EAGAIN);

	close(fd);
	return can;
#else
	(void)path;
	return false;
#endif
}

bool kernel_reads_direct(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECT);

	close(fd);
	return fd >= 0;
}

int64_t kernel_counts_pages(int fd, uint64_t pos, uint64_t count)
{
#ifdef SYS_cachestat
	struct { uint64_t pos, count; } range = { pos, count };
	struct {
		uint64_t cached, dirty, in_writeback, evicted, lately;
	} pages;

	if (!syscall(SYS_cachestat, fd, &range, &pages, 0))
		return (int64_t)pages.cached;
#else
	(void)fd, (void)pos, (void)count;
#endif
	return -1;
}
