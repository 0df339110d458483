/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_search.h - a bounded search for the blocks of one inode after another */
#ifndef E2LAZY_INODE_SEARCH_H
#define E2LAZY_INODE_SEARCH_H

#include "e2lazy_view.h"

/* As in the kernel, below the node that is in the inode. */
#define MAX_MAP_DEPTH 5

typedef errcode_t (*found_piece)(void *priv, const struct e2lazy_owner *owner,
				 blk64_t count);

/*
 * A search through one inode after another.  An honest file system has each
 * block in one map only, so what one map may hold is bounded by its size, and
 * what all of them may by twice that, for some are damaged: this ends a search
 * through maps that share or repeat their nodes.
 */
struct inode_search {
	ext2_filsys	fs;
	found_piece	found;
	void		*priv;
	struct e2lazy_damage *damage;
	char		*nodes;		/* a block for each level of a map */
	char		*block;		/* for the caller's own use */
	ext2fs_block_bitmap seen;	/* of the inode at hand; NULL: blocks of
					   a map may repeat */
	blk64_t		budget;		/* blocks yet to be found in all */
	blk64_t		*shared;	/* with other searches; or NULL */
	/* of the inode at hand */
	ext2_ino_t	ino;
	enum e2lazy_role role;		/* of its contents */
	blk64_t		most;		/* blocks that may be found in it */
	blk64_t		left;		/* and are yet to be */
	bool		sound;		/* its map was, all of it */
};

errcode_t inode_search_init(struct inode_search *search, ext2_filsys fs,
			    found_piece found, void *priv,
			    struct e2lazy_damage *damage);
void inode_search_free(struct inode_search *search);
/* A map that names a block again is damaged there, for all that follow. */
errcode_t inode_search_once(struct inode_search *search);
/* Begin with an inode, and be done with it. */
void inode_search_begin(struct inode_search *search, ext2_ino_t ino,
			enum e2lazy_role role);
void inode_search_end(struct inode_search *search);
/* A piece of the inode at hand; one that cannot be is damage in block @at. */
errcode_t inode_search_give(struct inode_search *search, enum e2lazy_role role,
			    blk64_t fsblk, uint64_t lblk, blk64_t count,
			    blk64_t at);
/* True when a piece is in the file system, and takes it from the budget. */
bool inode_search_take(struct inode_search *search, blk64_t fsblk,
		       blk64_t count);

/*
 * Count an error of @fsblk, of which the last read perhaps knows more, and
 * return 0; but E2LAZY_ET_CANCELLED is no damage, and returned.
 */
errcode_t note_unread(struct e2lazy_damage *damage, ext2_filsys fs,
		      errcode_t err, blk64_t fsblk);

/* The block of the inode table with @ino. */
blk64_t inode_home(ext2_filsys fs, ext2_ino_t ino);

#endif
