/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * same.c - do two files have the same contents?
 *
 * A file may have a terabyte of holes, and reading those takes an hour.  So only
 * what one of the two has as data is read, from both.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "same.h"
#include "support/status.h"

#define CHUNK	(16 << 10)

/* The first byte of data from @at on; @size: there is none. */
static uint64_t next_data(int fd, uint64_t at, uint64_t size)
{
	off_t found = lseek(fd, (off_t)at, SEEK_DATA);

	if (found >= 0)
		return (uint64_t)found < size ? (uint64_t)found : size;
	/* Not every file system knows its holes. */
	return errno == ENXIO ? size : at;
}

static bool same_chunk(int a, int b, uint64_t at, size_t count)
{
	char x[CHUNK], y[CHUNK];

	return pread(a, x, count, (off_t)at) == (ssize_t)count &&
	       pread(b, y, count, (off_t)at) == (ssize_t)count &&
	       !memcmp(x, y, count);
}

bool same_contents(int a, int b, uint64_t size, uint64_t most)
{
	uint64_t at = 0, x = 0, y = 0;
	size_t count;

	for (;; at += count) {
		if (x <= at)
			x = next_data(a, at, size);
		if (y <= at)
			y = next_data(b, at, size);
		at = x < y ? x : y;
		if (at == size)
			return true;
		count = size - at < CHUNK ? (size_t)(size - at) : CHUNK;
		if (count > most || cancelled() || !same_chunk(a, b, at, count))
			return false;
		most -= count;
	}
}
