/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_BLOCK_MAP_H
#define E2LAZY_BLOCK_MAP_H

#include "inode_search.h"

/*
 * Gives each piece of the contents of @inode, the one at hand, and the blocks
 * that map them.
 */
errcode_t block_map_walk(struct inode_search *search,
			 const struct ext2_inode *inode);

#endif
