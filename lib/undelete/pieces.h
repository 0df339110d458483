/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pieces.h - the blocks of all deleted files, in pieces within groups */
#ifndef E2LAZY_PIECES_H
#define E2LAZY_PIECES_H

#include "undelete.h"

/* A piece is a record, for these are sorted fast.  Its flags: */
#define SHARED	1		/* lives may have it in common */
#define LOGGED	2		/* the ring has copies of its blocks */

static inline uint32_t count_of(const struct record *extent)
{
	return extent->logblk;
}

static inline uint32_t life_of(const struct record *extent)
{
	return extent->tid;
}

static inline blk64_t end_of(const struct record *extent)
{
	return record_fsblk(extent) + count_of(extent);
}

/*
 * In the order of the lives; in @kept those of earlier contents that their files
 * have kept, and may have written to since.  The caller frees both, also on failure.
 */
errcode_t pieces_collect(struct e2lazy_undelete *u, struct records *list,
			 struct records *kept);

#endif
