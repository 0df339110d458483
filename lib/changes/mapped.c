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

/* What lies below a lost node cannot be compared. */
static errcode_t collect(struct step *step, const struct changed_inode *c,
			 bool before, struct pieces *list)
{
	const struct ext2_inode_large *inode = before ? &c->before.inode :
						       &c->after.inode;
	ext2_filsys fs = before ? step->before : step->after;
	struct e2lazy_damage damage = { .count = 0 };
	struct inode_search search;
	errcode_t err = inode_search_init(&search, fs, keep_piece, list,
					  &damage);

	if (!err) {
		inode_search_begin(&search, c->ino, E2LAZY_ROLE_DATA);
		search.generation = inode->i_generation;
		err = block_map_walk(&search,
				     (const struct ext2_inode *)inode);
	}
	inode_search_free(&search);
	if (!err && damage.count && damage.first.has & E2LAZY_AT_FSBLK)
		err = step_lost(step, damage.first.fsblk, before,
				damage.error);
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
	err = collect(step, c, true, &before);
	if (!err)
		err = collect(step, c, false, &after);
	*mapped = !err && differ(&before, &after);
	free(before.at);
	free(after.at);
	return err;
}

/* The head of a block of attributes counts the inodes that share it. */
static errcode_t compare_blocks(struct step *step, blk64_t block,
				enum likeness *likeness)
{
	errcode_t err = step_read_before(step, block, step->old);
	bool before = err;

	if (!err)
		err = io_channel_read_blk64(step->after->io, block, 1,
					    step->new);
	if (err) {
		*likeness = LIKENESS_UNKNOWN;
		return step_lost(step, block, before, err);
	}
	if (memcmp(step->old + XATTR_BODY, step->new + XATTR_BODY,
		   step->after->blocksize - XATTR_BODY))
		*likeness = LIKENESS_OTHER;
	return 0;
}

errcode_t step_compare_xattrs(struct step *step, const struct changed_inode *c,
			      enum likeness *likeness)
{
	struct ext2_inode *x = (struct ext2_inode *)(void *)
			       (uintptr_t)&c->before.inode;
	struct ext2_inode *y = (struct ext2_inode *)(void *)
			       (uintptr_t)&c->after.inode;
	blk64_t block = ext2fs_file_acl_block(step->after, y);

	*likeness = LIKENESS_SAME;
	if (c->before.attributes != c->after.attributes ||
	    ext2fs_file_acl_block(step->before, x) != block)
		*likeness = LIKENESS_OTHER;
	else if (block && step_has(step, block))
		return compare_blocks(step, block, likeness);
	return 0;
}
