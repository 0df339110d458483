/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* extents.h - the map of an inode as a list of extents */
#ifndef E2LAZY_EXTENTS_H
#define E2LAZY_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ext2fs/ext2fs.h>

struct extent {
	uint32_t	lblk;
	uint32_t	count;
	blk64_t		fsblk;
	bool		unwritten;
};

/* Ascending by @lblk, without overlap. */
struct extents {
	struct extent	*at;
	size_t		nr, room;
};

void extents_free(struct extents *map);
/* @more replaces what the map had there. */
errcode_t extents_add(struct extents *map, const struct extent *more);
errcode_t extents_remove(struct extents *map, uint64_t lblk, uint64_t count);
/* The block of @lblk, or 0. */
blk64_t extents_find(const struct extents *map, uint32_t lblk);
/* Join neighbours. */
void extents_tidy(struct extents *map);
blk64_t extents_blocks(const struct extents *map);

#endif
