/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_blocks.h - which blocks an inode has: the one place that knows */
#ifndef E2LAZY_INODE_BLOCKS_H
#define E2LAZY_INODE_BLOCKS_H

#include "inode_search.h"

/*
 * Calls search->found() for each piece, but not for the block of the inode
 * table.  A directory's blocks are all of E2LAZY_ROLE_DIRECTORY, for which of
 * them are nodes of its index only they themselves know: inode_is_indexed()
 * and directory_role().
 */
errcode_t inode_search_one(struct inode_search *search, ext2_ino_t ino,
			   const struct ext2_inode *inode);

bool inode_in_use(ext2_filsys fs, ext2_ino_t ino,
		  const struct ext2_inode *inode);
bool inode_is_indexed(const struct ext2_inode *inode);
/* DIRECTORY or HTREE: what @fsblk is, as block @lblk of an indexed one. */
errcode_t directory_role(struct inode_search *search, blk64_t fsblk,
			 uint64_t lblk, uint8_t *role);

#endif
