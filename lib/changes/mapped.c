/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* mapped.c - contents in other blocks, and attributes in a block */

#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "fs/block_map.h"
#include "io/grow.h"

/* The head of a block of attributes counts its inodes, and sums it up. */
#define XATTR_BODY	32

struct piece {
	uint64_t	lblk;
	blk64_t		fsblk, count;
};

struct pieces {
	struct piece	*at;
	size_t		nr, room;
};

static errcode_t keep_piece(void *priv, const struct e2lazy_owner *owner,
			    blk64_t count)
{
	struct pieces *list = priv;
	struct piece *at;

	if (owner->role != E2LAZY_ROLE_DATA)
		return 0;
	at = grow(list->at, list->nr, &list->room, sizeof(*at));
	if (!at)
		return EXT2_ET_NO_MEMORY;
	list->at = at;
	at[list->nr++] = (struct piece){ owner->lblk, owner->fsblk, count };
	return 0;
}

static int by_lblk(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return (x->lblk > y->lblk) - (x->lblk < y->lblk);
}

/* Damage below a node leaves out what cannot be compared. */
static errcode_t collect(ext2_filsys fs, ext2_ino_t ino,
			 const struct ext2_inode_large *inode,
			 struct pieces *list)
{
	struct e2lazy_damage damage = { .count = 0 };
	struct inode_search search;
	errcode_t err = inode_search_init(&search, fs, keep_piece, list,
					  &damage);

	if (!err) {
		inode_search_begin(&search, ino, E2LAZY_ROLE_DATA);
		err = block_map_walk(&search,
				     (const struct ext2_inode *)inode);
	}
	inode_search_free(&search);
	if (list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), by_lblk);
	return err;
}

/* Is a block of the file that both have in another place? */
static bool differ(const struct pieces *a, const struct pieces *b)
{
	size_t i = 0, j = 0;

	while (i < a->nr && j < b->nr) {
		const struct piece *x = &a->at[i], *y = &b->at[j];
		uint64_t x_end = x->lblk + x->count, y_end = y->lblk + y->count;

		if (x->lblk < y_end && y->lblk < x_end &&
		    x->fsblk - x->lblk != y->fsblk - y->lblk)
			return true;
		if (x_end <= y_end)
			i++;
		else
			j++;
	}
	return false;
}

static bool has_map(const struct ext2_inode_large *i)
{
	return LINUX_S_ISREG(i->i_mode) && !(i->i_flags & EXT4_INLINE_DATA_FL);
}

/* A tree of extents has its depth in the third field of its root. */
static bool map_in_inode(const struct ext2_inode_large *i)
{
	const uint8_t *root = (const uint8_t *)i->i_block;

	return i->i_flags & EXT4_EXTENTS_FL && !root[6] && !root[7];
}

errcode_t step_is_mapped(struct step *step, const struct changed_inode *c,
			 bool *mapped)
{
	const struct ext2_inode_large *x = &c->before.inode;
	const struct ext2_inode_large *y = &c->after.inode;
	struct pieces before = { .nr = 0 }, after = { .nr = 0 };
	errcode_t err;

	*mapped = false;
	if (!has_map(x) || !has_map(y) ||
	    (map_in_inode(x) && !memcmp(x->i_block, y->i_block,
					sizeof(x->i_block))))
		return 0;
	err = collect(step->before, c->ino, x, &before);
	if (!err)
		err = collect(step->after, c->ino, y, &after);
	*mapped = !err && differ(&before, &after);
	free(before.at);
	free(after.at);
	return err;
}

/* The inode and its block count how many inodes share the block. */
bool step_same_xattrs(struct step *step, const struct changed_inode *c)
{
	struct ext2_inode *x = (struct ext2_inode *)(void *)
			       (uintptr_t)&c->before.inode;
	struct ext2_inode *y = (struct ext2_inode *)(void *)
			       (uintptr_t)&c->after.inode;
	blk64_t block = ext2fs_file_acl_block(step->after, y);
	size_t size = step->after->blocksize;

	if (c->before.attributes != c->after.attributes ||
	    ext2fs_file_acl_block(step->before, x) != block)
		return false;
	if (!block || !step_has(step, block) || size < XATTR_BODY ||
	    step_read_before(step, block, step->old) ||
	    io_channel_read_blk64(step->after->io, block, 1, step->new))
		return true;
	return !memcmp(step->old + XATTR_BODY, step->new + XATTR_BODY,
		       size - XATTR_BODY);
}
