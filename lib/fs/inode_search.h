/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_search.h - a bounded search for the blocks of inodes */
#ifndef E2LAZY_INODE_SEARCH_H
#define E2LAZY_INODE_SEARCH_H

#include "e2lazy_view.h"
#include "log/csum.h"

/* The kernel's limit, not counting the root in the inode. */
#define MAX_MAP_DEPTH 5

typedef errcode_t (*found_piece)(void *priv, const struct e2lazy_owner *owner,
				 blk64_t count);

/*
 * A search through one inode after another.  In a sound file system each block
 * is in one map only.  So one map may hold at most as many blocks as the file
 * system has, and all maps together twice as many, for some may be damaged.
 * This ends a search through maps that share or repeat their nodes.
 */
struct inode_search {
	ext2_filsys	fs;
	crc32c_fn	crc;
	found_piece	found;
	void		*priv;
	struct e2lazy_damage *damage;
	uint8_t		*nodes;		/* a block for each level of a map */
	char		*block;		/* for the caller's own use */
	ext2fs_block_bitmap seen;	/* blocks of this inode; NULL: blocks
					   of a map may repeat */
	blk64_t		budget;		/* blocks left for all inodes */
	blk64_t		*shared;	/* budget of many searches, or NULL */
	/* the current inode */
	ext2_ino_t	ino;
	uint32_t	generation;	/* 0: not known */
	enum e2lazy_role role;		/* of its contents */
	blk64_t		most;		/* blocks that it may have */
	blk64_t		left;		/* blocks that it may still have */
	bool		sound;		/* its whole map was sound */
	bool		unwritten;	/* during found(): the piece reads as
					   zeros */
};

errcode_t inode_search_init(struct inode_search *search, ext2_filsys fs,
			    found_piece found, void *priv,
			    struct e2lazy_damage *damage);
void inode_search_free(struct inode_search *search);
/* From now on count a block that a map names twice as damage. */
errcode_t inode_search_once(struct inode_search *search);
/* Begin and end an inode. */
void inode_search_begin(struct inode_search *search, ext2_ino_t ino,
			enum e2lazy_role role);
void inode_search_end(struct inode_search *search);
/* Give a piece of the inode; an impossible piece is damage in block @at. */
errcode_t inode_search_give(struct inode_search *search, enum e2lazy_role role,
			    blk64_t fsblk, uint64_t lblk, blk64_t count,
			    blk64_t at);
/* Take a piece from the budget; false if it is impossible or too much. */
bool inode_search_take(struct inode_search *search, blk64_t fsblk,
		       blk64_t count);

/*
 * Note @err at @fsblk as damage, with the place that the block source has for
 * it, and return 0.  E2LAZY_ET_CANCELLED is no damage; return it.
 */
errcode_t note_unread(struct e2lazy_damage *damage, ext2_filsys fs,
		      errcode_t err, blk64_t fsblk);

/* Does the inode table lie in the file system, all of it?  (libext2fs inode.c) */
bool inode_has_table(ext2_filsys fs, dgrp_t group);
/* The block of the inode table that holds @ino. */
blk64_t inode_home(ext2_filsys fs, ext2_ino_t ino);
/* The inode's first byte in it. */
size_t inode_offset(ext2_filsys fs, ext2_ino_t ino);

#endif
