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

struct runs {
	struct run	*log;		/* ascending logblk, without a hole */
	size_t		nr_log;
	uint32_t	*hint;		/* run of each 32768th log block */
	/* The same runs and the journal's map blocks, ascending physblk. */
	struct run	*own;
	size_t		nr_own;
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

/* The run that holds @logblk, which must be below runs->blocks. */
const struct run *runs_find(const struct runs *runs, uint32_t logblk);
bool runs_own(const struct runs *runs, blk64_t physblk);

#endif
