/* SPDX-License-Identifier: GPL-2.0-only */
/* tree.h - all files of one side, by path */
#ifndef MISC_VIEW_TREE_H
#define MISC_VIEW_TREE_H

#include "sides.h"
#include "support/sha256.h"

struct tree_file {
	char		*path;
	ext2_ino_t	ino;
	bool		unread;
	uint8_t		sum[SHA256_BYTES];
};

struct tree {
	ext2_filsys	fs;
	/* May a block differ from the same one of the other side? */
	bool		(*differs)(void *priv, blk64_t fsblk);
	void		*priv;
	struct progress	*progress;
	struct tree_file *files;	/* by path */
	size_t		count, room;
	ext2fs_inode_bitmap seen;	/* directories */
	char		*block;
};

/* @tree has its first four members.  Free it in any case. */
errcode_t tree_read(struct tree *tree);
void tree_free(struct tree *tree);
/*
 * The sum of type and contents.  Unless @whole, blocks that do not differ stand
 * in it as their numbers.  False if the file cannot be read.
 */
bool tree_sum(struct tree *tree, ext2_ino_t ino, bool whole,
	      uint8_t sum[SHA256_BYTES]);

#endif
