/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * listing.h - debuglazy: the blocks of a file, as debugfs lists them
 */
#ifndef DEBUGFS_EXT_LISTING_H
#define DEBUGFS_EXT_LISTING_H

#include "e2lazy.h"
#include "support/out.h"

/* Print EXTENTS or BLOCKS of an inode that has blocks. */
errcode_t listing_put(struct out *out, ext2_filsys fs, ext2_ino_t ino,
		      struct ext2_inode_large *inode);

#endif
