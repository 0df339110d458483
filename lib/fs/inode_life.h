/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_life.h - the fields of an inode, and the file that it belonged to */
#ifndef E2LAZY_INODE_LIFE_H
#define E2LAZY_INODE_LIFE_H

#include <stdbool.h>

#include "e2lazy.h"

/* An inode in host order; @raw is the whole inode as on the disk. */
void inode_take(ext2_filsys fs, const void *raw, struct ext2_inode_large *out);
/* The same of its first @bytes only; the fields behind them are 0. */
void inode_take_first(ext2_filsys fs, const void *raw, size_t bytes,
		      struct ext2_inode_large *out);

/* Seconds of a field, which the two low bits of the extra one extend. */
static inline int64_t inode_seconds(uint32_t field, uint32_t extra)
{
	return (int32_t)field + ((int64_t)(extra & EXT4_EPOCH_MASK) << 32);
}

/* A field of seconds with its extra one, 0 if the inode has none. */
struct e2lazy_time inode_time(uint32_t field, uint32_t extra);

static inline bool time_is_later(struct e2lazy_time a, struct e2lazy_time b)
{
	return a.sec != b.sec ? a.sec > b.sec : a.nsec > b.nsec;
}

/*
 * One file after another uses the same inode, each for a *life*.  The kernel
 * sets the generation and the creation time anew for each file, and a deleted
 * file keeps both.
 */
static inline bool inode_same_life(const struct ext2_inode_large *a,
				   const struct ext2_inode_large *b)
{
	return a->i_generation == b->i_generation &&
	       a->i_crtime == b->i_crtime &&
	       a->i_crtime_extra == b->i_crtime_extra;
}

#endif
