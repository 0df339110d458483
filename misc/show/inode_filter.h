/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inode_filter.h - --inode and --path: the copies that concern one inode
 *
 * A block of the inode table holds several inodes.  A copy of it concerns the
 * inode only if the inode's bytes differ from those in the copy before.
 */
#ifndef MISC_INODE_FILTER_H
#define MISC_INODE_FILTER_H

#include "inode_pieces.h"
#include "operand.h"

struct inode_copy {
	uint32_t	logblk;
	uint32_t	life;		/* counted from 1; 0: never in use */
};

struct inode_filter {
	bool		wanted;		/* an option was given */
	struct block_operand operand;
	/* after inode_filter_prepare() */
	ext2_ino_t	ino;
	blk64_t		home;		/* its block of the inode table */
	struct inode_pieces pieces;
	struct inode_copy *copies;	/* of @home, where its bytes changed;
					   ascending by log block */
	size_t		nr, room;
};

/* Take the argument of --inode, or of --path. */
bool inode_filter_number(struct session *session, struct inode_filter *filter,
			 const char *text);
bool inode_filter_path(struct session *session, struct inode_filter *filter,
		       const char *text);
/*
 * Find the inode and its copies, if it is wanted.  Needs session_build() with
 * E2LAZY_JMAP_CSUMS.  False after a complaint.
 */
bool inode_filter_prepare(struct session *session,
			  struct inode_filter *filter);
/* Does a copy, or a revoke, concern the inode?  True without a filter. */
bool inode_filter_has(const struct inode_filter *filter, blk64_t fsblk,
		      uint32_t logblk, bool revoke);
/* The life of the inode in that copy; 0 if it does not tell. */
uint32_t inode_filter_life(const struct inode_filter *filter, blk64_t fsblk,
			   uint32_t logblk);
void inode_filter_free(struct inode_filter *filter);

#endif
