/* SPDX-License-Identifier: GPL-2.0-only */
/* changed.h - a log whose transactions change files, and what is told of them */
#ifndef CHANGED_H
#define CHANGED_H

#include "e2lazy_changes.h"
#include "owned.h"

#define BLOCK	1024
#define MAX_TXNS 4
#define SUMS	PLAIN
#define NO_SUMS	"-b 1024 -J size=1 -O ^64bit,^metadata_csum"

/* A log whose transactions hold some blocks, as they were one after another. */
struct story {
	struct owned	*o;
	blk64_t		blocks[MAX_LOGGED];
	blk64_t		late[2];	/* the first transaction lacks them */
	bool		later;		/* and the second one, too */
	bool		follows;	/* the log has lost older transactions */
	bool		beginning;	/* ask for states at the beginning */
	bool		undated;	/* the first transaction has no date */
	uint32_t	dated;		/* or this one */
	unsigned	nr_blocks, nr_txns;
	char		(*contents[MAX_TXNS])[BLOCK];
	char		told[4096];	/* a line for each event */
	unsigned	lost, damaged;	/* blocks of before, and of after */
};

/* The directories /, /d and /e and the first 16 of the user's inodes. */
struct story new_story(const char *mke2fs, const char *tree);
void end_story(struct story *s);
/* Another block, in each transaction, or in all but the first. */
void also(struct story *s, blk64_t fsblk);
void comes_late(struct story *s, blk64_t fsblk);
/* By the descriptors, all inodes of the first group have been written. */
void count_as_written(struct story *s);
/* A transaction: all blocks as they are after debugfs's @commands. */
void step(struct story *s, const char *commands);
/* The last transaction's copy is no directory's block from its third entry on. */
void spoil_copy(struct story *s, blk64_t fsblk);
/* The log on the file system as it was before all that. */
void write_story(struct story *s);

/* The events of all transactions, a line each. */
void check_each(struct story *s, const char *expect);
/* The same of the owners of a block. */
void check_owners(struct story *s, blk64_t block, const char *expect);
/* From transaction @from on, counted from 1, to the end. */
void check_between(struct story *s, unsigned from, const char *expect);
/* All these are of the second transaction. */
void check_second(struct story *s, const char *expect);

#endif
