/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * jmap_build.h - the map itself, for jmap.c, which builds it, and lookup.c,
 * which reads it
 */
#ifndef E2LAZY_JMAP_BUILD_H
#define E2LAZY_JMAP_BUILD_H

#include "log/revoke.h"
#include "by_logblk.h"
#include "damaged_tags.h"
#include "jmap.h"
#include "live_set.h"

struct e2lazy_jmap {
	struct e2lazy_journal *journal;
	struct e2lazy_range range;	/* the first of: */
	uint32_t	nr_ranges;
	struct live_set	set;
	struct revoke_table revokes;	/* with E2LAZY_JMAP_STATES */
	struct by_logblk live_at;	/* the same: blocks with a live copy */
	struct by_logblk csums;		/* in the tags of copies; with
					   E2LAZY_JMAP_CSUMS, if they have any */
	unsigned	flags;
	blk64_t		fs_first;	/* no mapped block lies before it, */
	blk64_t		fs_blocks;	/* and every one before this */
	uint8_t		fs_uuid[16];
	uint64_t	taken_open;	/* copies of the transaction at @end, from
					   behind the damage */
	bool		joined;		/* it has copies from behind the damage */
	uint64_t	unsound;	/* copies there that were not taken */
	struct e2lazy_map_stats stats;
	struct e2lazy_end end;
	uint64_t	last_stored;	/* see jmap_last_stored() */
	struct damaged_tags tags;	/* see jmap_keep_tags() */
};

#endif
