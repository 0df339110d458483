/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inode_pieces.h - the blocks of an inode, as the log defines the file system
 */
#ifndef MISC_INODE_PIECES_H
#define MISC_INODE_PIECES_H

#include "session/session.h"

struct inode_piece {
	struct e2lazy_owner owner;	/* owner of the first block */
	blk64_t		count;
};

struct inode_pieces {
	struct inode_piece *pieces;	/* ascending */
	size_t		count, room;
	uint64_t	blocks;
	uint64_t	live;		/* number of blocks with a live copy */
};

/*
 * The map must have been built with E2LAZY_JMAP_CSUMS.  False after a
 * complaint; an unreadable map block is reported and is no failure.
 */
bool inode_pieces_collect(struct session *session, ext2_ino_t ino,
			  struct inode_pieces *pieces);
/* The piece that has @fsblk, or NULL. O(log pieces). */
const struct e2lazy_owner *inode_pieces_find(const struct inode_pieces *pieces,
					     blk64_t fsblk);
void inode_pieces_free(struct inode_pieces *pieces);

#endif
