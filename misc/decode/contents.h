/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * contents.h - the contents of a file
 */
#ifndef MISC_CONTENTS_H
#define MISC_CONTENTS_H

#include "e2lazy_view.h"

/* Receives a file's bytes at ascending offsets; holes are left out. */
struct sink {
	errcode_t	(*put)(void *priv, uint64_t offset, const void *bytes,
			       size_t count);
	void		*priv;
	uint64_t	*budget;	/* bytes of blocks left to read */
};

/*
 * Give all bytes of a file to @sink, up to its size.  Unwritten extents are
 * holes.  Errors: the errors of the reads and of @sink; E2LAZY_ET_CANCELLED;
 * EXT2_ET_EXTENT_LEAF_BAD for extents out of order; E2LAZY_ET_BUDGET if the
 * blocks exceed the sink's budget.
 */
errcode_t contents_read(ext2_filsys fs, ext2_ino_t ino,
			struct ext2_inode_large *inode,
			const struct sink *sink);
/*
 * Call @found for each extent and each index entry of a file's tree, in file
 * order; @level 0 is the root's level.  Errors as above, and the errors of
 * @found.
 */
errcode_t contents_extents(ext2_filsys fs, ext2_ino_t ino,
			   struct ext2_inode_large *inode,
			   errcode_t (*found)(void *priv,
					      const struct ext2fs_extent *,
					      unsigned level),
			   void *priv);
/*
 * Call @found for each block of a file and of its map, in the order of
 * ext2fs_block_iterate3(); @lblk of a map block is below zero.  Errors:
 * E2LAZY_ET_BLOCK_MAP after as many blocks as the file system has;
 * E2LAZY_ET_CANCELLED; the errors of @found.
 */
errcode_t contents_blocks(ext2_filsys fs, ext2_ino_t ino,
			  errcode_t (*found)(void *priv, e2_blkcnt_t lblk,
					     blk64_t block),
			  void *priv);

#endif
