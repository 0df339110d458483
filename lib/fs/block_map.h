/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_BLOCK_MAP_H
#define E2LAZY_BLOCK_MAP_H

#include "inode_search.h"

/*
 * Give each piece of the contents of @inode and each block of its map to
 * search->found().  @inode is the one of inode_search_begin().
 */
errcode_t block_map_walk(struct inode_search *search,
			 const struct ext2_inode *inode);

#endif
