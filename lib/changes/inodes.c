/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inodes.c - inodes that differ, in the blocks of a step */

#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "fs/inode_blocks.h"
#include "fs/xattr_list.h"
#include "io/grow.h"

/* Files of the user: not the journal, quota, or values of attributes. */
static bool is_counted(struct ext2_super_block *sb, ext2_ino_t ino)
{
	return ino == EXT2_ROOT_INO || (ino <= sb->s_inodes_count &&
					!inode_is_system(sb, ino));
}

static uint64_t sum_bytes(uint64_t sum, const void *bytes, size_t length)
{
	const uint8_t *at = bytes;

	while (length--)
		sum = (sum ^ *at++) * 1099511628211U;
	return sum;
}

/*
 * A sum of the attributes in the inode.  Their order and the place of their
 * values do not count; nor does the one that holds inline data.
 */
static uint64_t sum_attributes(ext2_filsys fs, const uint8_t *raw)
{
	struct xattr_list list;
	uint64_t all = 0, sum;
	struct xattr x;

	if (!inode_xattrs(fs, raw, &list))
		return 0;
	while (xattr_list_next(&list, &x)) {
		if (xattr_is_data(&x))
			continue;
		sum = sum_bytes(14695981039346656037U, &x.index,
				sizeof(x.index));
		sum = sum_bytes(sum, x.name, x.name_length);
		sum = sum_bytes(sum, &x.ino, sizeof(x.ino));
		if (x.value)
			sum = sum_bytes(sum, x.value, x.length);
		all += sum;
	}
	return all;
}

static void take(ext2_filsys fs, const uint8_t *raw, bool known,
		 struct inode_at *out)
{
	memset(out, 0, sizeof(*out));
	out->known = known;
	if (!known)
		return;
	inode_take(fs, raw, &out->inode);
	out->used = out->inode.i_links_count && out->inode.i_mode &&
		    !(out->inode.i_flags & EXT4_EA_INODE_FL);
	out->directory = out->used && LINUX_S_ISDIR(out->inode.i_mode);
	out->attributes = sum_attributes(fs, raw);
}

static errcode_t keep(struct changed_inodes *list, ext2_ino_t ino,
		      const struct inode_at *before,
		      const struct inode_at *after)
{
	struct changed_inode *at = grow(list->at, list->nr, &list->room,
					sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	list->at = at;
	at[list->nr++] = (struct changed_inode){ .ino = ino, .before = *before,
						 .after = *after };
	return 0;
}

/* -------------------------------------- inodes whose block is unknown */

/*
 * Was the block's content before the static one?  Then the descriptor tells
 * whether anybody had ever written it: without that it may hold anything.
 */
static bool was_in_place(const struct step *step, blk64_t fsblk)
{
	return step->fresh && step->from_place(step->priv, fsblk);
}

static void read_bitmap(struct step *step, dgrp_t group)
{
	ext2_filsys fs = step->before;
	blk64_t fsblk = ext2fs_inode_bitmap_loc(fs, group);
	bool in_place = was_in_place(step, fsblk);

	if (step->bitmap_of == group)
		return;
	step->bitmap_of = group;
	step->bitmap_known = step->described || !in_place;
	if (in_place && ext2fs_bg_flags_test(fs, group, EXT2_BG_INODE_UNINIT))
		memset(step->bitmap, 0, fs->blocksize);
	else if (step->bitmap_known)
		step->bitmap_known = !step_read_before(step, fsblk,
						       step->bitmap);
}

/* Is the inode known to have been free before?  Then its content is void. */
static bool was_free(struct step *step, ext2_ino_t ino)
{
	uint32_t per_group = step->after->super->s_inodes_per_group;

	read_bitmap(step, (ino - 1) / per_group);
	return step->bitmap_known &&
	       !ext2fs_test_bit((ino - 1) % per_group, step->bitmap);
}

/* ------------------------------------------------------------ one block */

struct table_block {
	blk64_t		fsblk;
	ext2_ino_t	first;
	uint32_t	written;	/* number of inodes ever written before */
	errcode_t	old_error;	/* of the content before */
};

/* The kernel may have changed the static inode for a later commit. */
static bool is_doubted(const struct step *step, blk64_t fsblk,
		       const uint8_t *raw)
{
	struct ext2_inode_large inode;
	struct e2lazy_time changed;

	if (!step->doubts)
		return false;
	inode_take(step->before, raw, &inode);
	changed = inode_time(inode.i_ctime, inode.i_ctime_extra);
	return step->doubts(step->priv, fsblk, &changed);
}

static errcode_t compare_one(struct step *step, const struct table_block *b,
			     uint32_t index, bool *unknown)
{
	static const uint8_t nothing[EXT2_MAX_BLOCK_SIZE];
	unsigned size = EXT2_INODE_SIZE(step->after->super);
	const uint8_t *old = step->old + (size_t)index * size;
	const uint8_t *new = step->new + (size_t)index * size;
	ext2_ino_t ino = b->first + index;
	struct inode_at before, after;
	bool known = true;
	errcode_t err = 0;

	if (index >= b->written || (b->old_error && was_free(step, ino)))
		old = nothing;
	else
		known = !b->old_error && !is_doubted(step, b->fsblk, old);
	if (known && !memcmp(old, new, size))
		return 0;
	*unknown |= !known;
	if (step->owned)
		err = owned_compare(step, ino, known ? old : NULL, new);
	if (err)
		return err;
	take(step->before, old, known, &before);
	take(step->after, new, true, &after);
	return before.used || after.used || !known ?
	       keep(&step->inodes, ino, &before, &after) : 0;
}

static errcode_t compare(struct step *step, const struct table_block *b)
{
	unsigned size = EXT2_INODE_SIZE(step->after->super);
	bool unknown = false;
	errcode_t err = 0;

	for (uint32_t i = 0; !err && (i + 1) * size <= step->after->blocksize;
	     i++)
		if (is_counted(step->after->super, b->first + i))
			err = compare_one(step, b, i, &unknown);
	return !err && unknown ? step_lost(step, b->fsblk, true, b->old_error ?
					   b->old_error : E2LAZY_ET_LOST) :
				 err;
}

/*
 * Without a copy the block has been as it is since the start, and the descriptors
 * of then tell how many of its inodes nobody had ever written.
 */
static void read_old(struct step *step, struct table_block *b)
{
	uint32_t per_group = step->after->super->s_inodes_per_group;
	uint32_t index = (b->first - 1) % per_group, used;

	b->written = UINT32_MAX;
	if (was_in_place(step, b->fsblk) ||
	    (step->described && step->from_place(step->priv, b->fsblk))) {
		used = e2lazy_group_inodes(step->before,
					   (b->first - 1) / per_group);
		b->written = used > index ? used - index : 0;
		if (!step->described)
			b->old_error = E2LAZY_ET_LOST;
	}
	if (b->written && !b->old_error)
		b->old_error = step_read_before(step, b->fsblk, step->old);
}

static errcode_t compare_block(struct step *step, blk64_t fsblk,
			       ext2_ino_t first)
{
	struct table_block b = { .fsblk = fsblk, .first = first };
	errcode_t err;

	err = io_channel_read_blk64(step->after->io, fsblk, 1, step->new);
	if (err)
		return step_lost(step, fsblk, false, err);
	read_old(step, &b);
	return b.old_error == E2LAZY_ET_CANCELLED ? b.old_error :
						    compare(step, &b);
}

static int by_inode(const void *a, const void *b)
{
	const struct changed_inode *x = a, *y = b;

	return (x->ino > y->ino) - (x->ino < y->ino);
}

/* With flex_bg, tables of later groups may lie in front; mostly they do not. */
static bool is_ascending(const struct changed_inodes *list)
{
	for (size_t i = 1; i < list->nr; i++)
		if (list->at[i - 1].ino > list->at[i].ino)
			return false;
	return true;
}

errcode_t step_inodes(struct step *step)
{
	struct e2lazy_place place;
	errcode_t err = 0;

	step->inodes.nr = 0;
	step->bitmap_of = UINT32_MAX;
	for (size_t i = 0; !err && i < step->nr_blocks; i++) {
		e2lazy_layout_find(step->layout, step->blocks[i], &place);
		if (place.type == E2LAZY_TYPE_INODE_TABLE && place.ino)
			err = compare_block(step, step->blocks[i], place.ino);
	}
	if (!is_ascending(&step->inodes))
		qsort(step->inodes.at, step->inodes.nr,
		      sizeof(*step->inodes.at), by_inode);
	return err;
}
