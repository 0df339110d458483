/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_blocks.h - the blocks of an inode, and the role of each */
#ifndef E2LAZY_INODE_BLOCKS_H
#define E2LAZY_INODE_BLOCKS_H

#include "inode_search.h"

/*
 * Call search->found() for each piece, except the block of the inode table.
 * All blocks of a directory get E2LAZY_ROLE_DIRECTORY, because only their
 * content shows which are nodes of its index: see inode_is_indexed() and
 * directory_role().
 */
errcode_t inode_search_one(struct inode_search *search, ext2_ino_t ino,
			   const struct ext2_inode *inode);

/*
 * The root directory, another reserved inode, the journal, a quota file or the
 * orphan file: the kernel logs the contents of the last two.
 */
bool inode_is_system(struct ext2_super_block *sb, ext2_ino_t ino);
bool inode_in_use(ext2_filsys fs, ext2_ino_t ino,
		  const struct ext2_inode *inode);
bool inode_is_indexed(const struct ext2_inode *inode);
/* Set @role to DIRECTORY or HTREE: @fsblk is block @lblk of an indexed one. */
errcode_t directory_role(struct inode_search *search, blk64_t fsblk,
			 uint64_t lblk, uint8_t *role);

#endif
