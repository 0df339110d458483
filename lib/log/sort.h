/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sort.h - tags and revokes of a log as packed records, sorted by block */
#ifndef E2LAZY_SORT_H
#define E2LAZY_SORT_H

#include "e2lazy.h"

/* 16 bytes: building a map holds one for each tag and revoke. */
struct record {
	uint32_t	fs_low;		/* ext4 has 48 bits of block number */
	uint16_t	fs_high;
	uint16_t	flags;		/* E2LAZY_COPY_*, or RECORD_REVOKE */
	uint32_t	logblk;
	uint32_t	tid;
};

#define RECORD_REVOKE	0x8000
#define RECORD_SPARE	0x7f00	/* for the owner of a list; else 0 */

/* Only damaged disks have larger block numbers. */
#define RECORD_FSBLK_END (1ULL << 48)

static inline blk64_t record_fsblk(const struct record *r)
{
	return (blk64_t)r->fs_high << 32 | r->fs_low;
}

static inline void record_set_fsblk(struct record *r, blk64_t fsblk)
{
	r->fs_low = (uint32_t)fsblk;
	r->fs_high = (uint16_t)(fsblk >> 32);
}

/*
 * A growing list of records; its memory is big_realloc()'s.
 */
struct records {
	struct record	*at;
	size_t		nr, room;
	struct record	*spare;		/* second buffer of the last sort */
	size_t		spare_room;
};

errcode_t records_add(struct records *list, const struct record *r);
/* Make room for @more records behind the last one. */
errcode_t records_reserve(struct records *list, size_t more);
void records_free(struct records *list);

/*
 * Sort by static block; records of one block keep their order.  Takes the same
 * memory again and keeps it for the next sort.  O(nr).
 */
errcode_t records_sort(struct records *list);

#endif
