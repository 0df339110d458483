/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * jmap_build.h - the map itself, for jmap.c, which builds it, and lookup.c,
 * which reads it
 */
#ifndef E2LAZY_JMAP_BUILD_H
#define E2LAZY_JMAP_BUILD_H

#include "log/revoke.h"
#include "jmap.h"
#include "live_set.h"
#include "tag_csums.h"

struct e2lazy_jmap {
	struct e2lazy_journal *journal;
	struct e2lazy_range range;	/* the first of: */
	uint32_t	nr_ranges;
	struct live_set	set;
	struct revoke_table revokes;	/* with E2LAZY_JMAP_STATES */
	struct tag_csums csums;		/* with E2LAZY_JMAP_CSUMS */
	unsigned	flags;
	blk64_t		fs_blocks;	/* every mapped block lies before it */
	struct e2lazy_map_stats stats;
	struct e2lazy_end end;
};

#endif
