/* SPDX-License-Identifier: GPL-2.0-only */
/* facts.h - what the conditions of the table look at */
#ifndef MISC_STATES_FACTS_H
#define MISC_STATES_FACTS_H

#include "e2lazy_mend.h"
#include "facts/kernel.h"
#include "session/session.h"

/* Static blocks, in any order. */
struct blocks {
	blk64_t		*at;
	size_t		count, room;
};

/* Metadata that the log need not have; see misc/doctor/metadata.c. */
enum metadata {
	METADATA_ROOT,
	METADATA_ORPHAN_FILE,
	METADATA_GROUPS,
	METADATA_ROOT_NAMES,
	METADATA_LOST_FOUND,
	METADATA_RESIZE,
	METADATA_QUOTA,
	METADATA_BLOCK_BITMAPS,
	METADATA_INODE_BITMAPS,
	METADATA_JOURNAL_BLOCKS,
	NR_METADATA
};

struct facts {
	const struct session *s;
	/* The device did not open: the reason.  Else 0. */
	errcode_t	unopened;
	struct e2lazy_where where;
	bool		backup;		/* only a backup superblock opens it, */
	errcode_t	primary;	/* because of this; 0: see @foreign */
	bool		foreign;	/* the superblock in place is that of */
	bool		lost_by_it;	/* another log, and locates no inode */
	bool		journal_new;	/* an empty external one, without users */
	bool		bad_groups;	/* group descriptors point nowhere */
	bool		read_only;	/* nobody can write to the device */
	bool		mounted;
	struct kernel_says kernel;
	bool		mmp_held;	/* multiple mount protection: e2fsck's, */
	bool		mmp_lost;	/* or its block is none, */
	bool		mmp_nowhere;	/* or cannot be one */
	bool		ro_unknown;	/* to libext2fs: only mount -o ro goes */
	unsigned	metadata;	/* that is damaged, by 1 << METADATA_* */
	struct e2lazy_verdict *verdict;
	struct e2lazy_home home;
	bool		contradicted;	/* the ring has a log, and the journal
					   superblock does not lead to it */
	uint64_t	txns;		/* transactions that can be read, */
	uint64_t	live;		/* and the blocks that they log */
	struct blocks	given_up;	/* the newest copy lies behind damage */
};

/* Number of places where the problem was found; 0: not found. */
uint64_t facts_found(const struct facts *f, const char *id);

#endif
