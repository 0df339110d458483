/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * blank.h - blocks of zeros that no discard has made
 *
 * A discard of free blocks makes them zeros, and so does a program that writes
 * zeros.  A device discards whole granules: aligned runs of a power of two of
 * blocks.  Blocks that became free together, and lie side by side, were discarded
 * together: all granules that are free as a whole.  So a block that is not zero
 * excludes each size of granule of which the one with that block is inside the run.
 * With any larger granule, a block of zeros was not discarded if its granule has a
 * block that is not zero.  Granules above BLANK_LARGEST are not considered.
 */
#ifndef E2LAZY_BLANK_H
#define E2LAZY_BLANK_H

#include <stdbool.h>
#include <stddef.h>

#include <ext2fs/ext2fs.h>

#define BLANK_LARGEST	(4U << 20)	/* bytes */

struct blank_run {
	blk64_t		from, to;
	bool		zero;
};

struct blank {
	struct blank_run *runs;		/* side by side */
	size_t		nr, room;
};

/* Add neighbours; the first block must follow the last one's. */
errcode_t blank_add(struct blank *b, blk64_t fsblk, blk64_t count, bool zero);
static inline bool blank_goes_on(const struct blank *b, blk64_t fsblk)
{
	return b->nr && b->runs[b->nr - 1].to == fsblk;
}
/* Number of blocks of zeros that no discard has made.  Begins anew. */
blk64_t blank_end(struct blank *b, unsigned blocksize);
void blank_free(struct blank *b);

#endif
