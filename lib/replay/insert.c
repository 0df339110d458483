/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * insert.c - put a name into a directory
 *
 * A directory without an index stays without one: it grows by a block at its
 * end.  htree.c puts names into one that has an index.  On a file system without
 * the feature dir_index, a kernel drops the index with the first new name, and
 * so does this. (Linux fs/ext4/ext4.h: ext4_update_dx_flag().)
 */

#include "replay.h"

errcode_t dir_insert(struct e2lazy_replay *r, struct node *dir,
		     const struct name *name)
{
	const struct node *n = node_find(r, name->now);
	uint8_t type = dir_type(n->raw), *block;
	uint32_t lblk;
	errcode_t err;

	if (dir_is_indexed(r, dir))
		return htree_insert(r, dir, name, type);
	put_le32(dir->raw + I_FLAGS,
		 get_le32(dir->raw + I_FLAGS) & ~(uint32_t)EXT2_INDEX_FL);
	for (lblk = dir->room_from; lblk < dir_blocks(r, dir); lblk++) {
		err = dir_leaf(r, dir, lblk, &block);
		if (err)
			return err;
		if (dir_put(r, block, name->now, type, name->text,
			    name->length)) {
			dir_set_csum(r, dir, block);
			return 0;
		}
		if (lblk == dir->room_from && dir_is_full(r, block))
			dir->room_from++;
	}
	err = dir_append(r, dir, &lblk, &block);
	if (err)
		return err;
	dir_empty_block(r, block);
	dir_put(r, block, name->now, type, name->text, name->length);
	dir_set_csum(r, dir, block);
	return 0;
}
