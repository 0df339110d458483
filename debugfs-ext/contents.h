/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * contents.h - debuglazy: what a file holds
 */
#ifndef DEBUGFS_EXT_CONTENTS_H
#define DEBUGFS_EXT_CONTENTS_H

#include "e2lazy_view.h"

/* Takes a file's bytes, at ascending offsets; holes are left out. */
struct sink {
	errcode_t	(*put)(void *priv, uint64_t offset, const void *bytes,
			       size_t count);
	void		*priv;
	uint64_t	*budget;	/* bytes of blocks that may be read */
};

/*
 * Give all of a file's bytes to @sink, up to its size. Unwritten extents are
 * holes. Errors: those of the reads, of @sink, E2LAZY_ET_CANCELLED, and
 * EXT2_ET_EXTENT_LEAF_BAD for extents in disorder, E2LAZY_ET_BUDGET where the
 * blocks would take more than the sink's budget.
 */
errcode_t contents_read(ext2_filsys fs, ext2_ino_t ino,
			struct ext2_inode_large *inode,
			const struct sink *sink);
/*
 * Each extent and each index entry of a file's tree, in the order of the file;
 * @level 0 is the root's.  Errors as above, and those of @found.
 */
errcode_t contents_extents(ext2_filsys fs, ext2_ino_t ino,
			   struct ext2_inode_large *inode,
			   errcode_t (*found)(void *priv,
					      const struct ext2fs_extent *,
					      unsigned level),
			   void *priv);
/*
 * Each block of a file and of its map, where @lblk is below zero, in the order
 * of ext2fs_block_iterate3().  E2LAZY_ET_BLOCK_MAP, once they were as many as
 * the file system has; E2LAZY_ET_CANCELLED; errors of @found.
 */
errcode_t contents_blocks(ext2_filsys fs, ext2_ino_t ino,
			  errcode_t (*found)(void *priv, e2_blkcnt_t lblk,
					     blk64_t block),
			  void *priv);

#endif
