/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * follow_parts.h - shared by the parts of follow.c
 *
 *	follow_fs.c	the file system before and after a transaction
 *	follow_base.c	what is known at the start: the ring, the directories
 *	follow_below.c	what is below a directory
 *	follow.c	the steps
 */
#ifndef E2LAZY_CHANGES_FOLLOW_PARTS_H
#define E2LAZY_CHANGES_FOLLOW_PARTS_H

#include "follow.h"
#include "known.h"

/* One of the two handles. */
struct follow_fs {
	struct follow	*follow;
	bool		after;
	ext2_filsys	fs;
};

/* A block as it was before a transaction that only the first pass took. */
struct displaced {
	blk64_t		fsblk;
	uint8_t		*bytes;		/* NULL: it was not known */
};

struct follow {
	struct e2lazy_journal *journal;
	struct follow_opts opts;
	struct feed	feed;
	struct known	known;
	struct feed_txn	*first, **last;	/* read, but not told yet */
	size_t		queued;		/* blocks that they take */
	bool		lost;		/* behind them */
	bool		renewed;	/* the file system has other bounds */

	struct feed_txn	*txn;		/* at hand */
	struct feed_place told;
	struct e2lazy_time commits[2];	/* of the last two transactions */
	struct follow_fs before, after;
	struct step	step;
	struct e2lazy_changes_opts step_opts;
	struct names	names;
	blk64_t		*blocks;	/* of the transaction */
	size_t		blocks_room;
	ext2_ino_t	unknown_dir;	/* names in it may have changed */

	struct displaced *displaced;
	size_t		nr_displaced, displaced_room;
	bool		keeps;		/* @displaced */
	struct e2lazy_watch watch;	/* of the reading at the start */
};

/* follow_fs.c */
errcode_t follow_fs_open(struct follow *follow, struct follow_fs *fs,
			 bool after, struct e2lazy_where *where);
/* Does a block of that kind tell of files? */
bool follow_wants(const struct follow *follow, blk64_t fsblk);
/* follow_base.c */
errcode_t follow_layout(struct follow *follow, struct e2lazy_where *where);
errcode_t follow_read_ring(struct follow *follow);
errcode_t follow_read_names(struct follow *follow);

#endif
