/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* runs.h - the place of the log on its device, as contiguous runs */
#ifndef E2LAZY_RUNS_H
#define E2LAZY_RUNS_H

#include "e2lazy_medium.h"

struct run {
	blk64_t		physblk;
	uint32_t	logblk;
	uint32_t	count;		/* blocks */
};

/* Few enough for the nearest cache of a processor. */
#define RUNS_PARTS 4096

struct runs {
	struct run	*log;		/* ascending logblk, without a hole */
	size_t		nr_log;
	uint32_t	*hint;		/* run of each 32768th log block */
	/* The same runs and the journal's map blocks, ascending physblk. */
	struct run	*own;
	size_t		nr_own;
	/* The same by parts of 2^part_bits blocks, aligned as block groups are:
	   has a part, from @first_part on, one of @own?  The last one stands for
	   all that lies elsewhere. */
	blk64_t		first_part;
	unsigned	part_bits;
	bool		part[RUNS_PARTS + 1];
	uint32_t	blocks;		/* sum over @log */
};

/*
 * The runs of a journal inode's first @blocks blocks, from its extents or its
 * indirect blocks.  @ino is 0 for the backup inode in the superblock; then the
 * checksums of extent blocks are not verified.  E2LAZY_ET_JOURNAL_MAP for a
 * hole, an overlap, or a block outside the file system.
 */
errcode_t runs_of_inode(ext2_filsys fs, ext2_ino_t ino,
			const struct ext2_inode *inode, uint32_t blocks,
			struct runs *out);
/*
 * Pieces that the caller names, below block @end of the device.
 * E2LAZY_ET_JOURNAL_MAP for an overlap or a piece outside.
 */
errcode_t runs_of_list(const struct e2lazy_log_run *list, size_t nr,
		       blk64_t end, struct runs *out);
/* A whole device: log block n is block n. */
errcode_t runs_of_device(uint32_t blocks, struct runs *out);
void runs_free(struct runs *runs);

/* One hint for each longest extent: most lookups need no search. */
#define RUNS_HINT_BITS 15

const struct run *runs_search(const struct runs *runs, uint32_t logblk);

/* The run that holds @logblk, which must be below runs->blocks. */
static inline const struct run *runs_find(const struct runs *runs,
					  uint32_t logblk)
{
	const uint32_t *hint = &runs->hint[logblk >> RUNS_HINT_BITS];

	return hint[0] == hint[1] ? &runs->log[hint[0]] :
				    runs_search(runs, logblk);
}

static inline blk64_t runs_physblk(const struct runs *runs, uint32_t logblk)
{
	const struct run *run = runs_find(runs, logblk);

	return run->physblk + (logblk - run->logblk);
}

bool runs_search_own(const struct runs *runs, blk64_t physblk);

/*
 * Is @physblk the log's, or one of its map?  A walk asks for each tag, and hardly
 * a tag's block is.  So the only jump here is one that a processor foresees.
 */
static inline bool runs_own(const struct runs *runs, blk64_t physblk)
{
	blk64_t part = (physblk >> runs->part_bits) - runs->first_part;

	part = part < RUNS_PARTS ? part : RUNS_PARTS;
	return runs->part[part] && runs_search_own(runs, physblk);
}

#endif
