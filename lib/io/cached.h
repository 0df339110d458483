/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cached.h - what the page cache has of a device or a file */
#ifndef E2LAZY_CACHED_H
#define E2LAZY_CACHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes from @from to the one before @to. */
struct byte_range {
	uint64_t	from, to;
};

/* Are all of these bytes there, and valid? */
bool cached_whole(int fd, uint64_t pos, size_t count);

/*
 * Drop what is there of the pages with these bytes.  The kernel keeps pages that
 * it uses itself, as that of a mounted journal's superblock.
 */
void cached_drop(int fd, const struct byte_range *bytes);

/*
 * Find the first pages with some of these bytes that are there, valid or not, and
 * set @bytes to a run of these pages.  False if there are none.  If nobody can tell
 * (Linux before 6.5, or a device that the caller may not write to), none are
 * but those that @bytes shares with its neighbours.
 */
bool cached_find(int fd, struct byte_range *bytes);

#endif
