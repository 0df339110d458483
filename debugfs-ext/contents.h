/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * contents.h - debuglazy: what a file holds
 */
#ifndef DEBUGFS_EXT_CONTENTS_H
#define DEBUGFS_EXT_CONTENTS_H

#include "e2lazy.h"

/* Takes a file's bytes, at ascending offsets; holes are left out. */
struct sink {
	errcode_t	(*put)(void *priv, uint64_t offset, const void *bytes,
			       size_t count);
	void		*priv;
};

/*
 * Give all of a file's bytes to @sink, up to its size. Unwritten extents are
 * holes. Errors: those of the reads, of @sink, E2LAZY_ET_CANCELLED, and
 * EXT2_ET_EXTENT_LEAF_BAD for extents in disorder.
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
/* The target of a symbolic link, to be freed with free(). */
errcode_t contents_target(ext2_filsys fs, ext2_ino_t ino,
			  struct ext2_inode_large *inode, char **target);

#endif
