/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * users.c - the present users of blocks of deleted files
 *
 * A block does not name its user, so this file reads all inodes in use, but
 * only if a block of a deleted file is taken at all.
 *
 * An enemy's inodes share their blocks, so only the first user of each block is
 * noted.  Then the uses are no more than the entries of all maps.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/inode_blocks.h"
#include "io/grow.h"
#include "io/halve.h"
#include "undelete.h"

/* The blocks of one inode that belong to a deleted file, too. */
struct use {
	blk64_t		fsblk;
	blk64_t		count;
	ext2_ino_t	ino;
};

struct asking {
	struct e2lazy_undelete *u;
	struct use	*wanted;	/* ascending and apart; ino is 0 */
	size_t		nr_wanted;
	struct use	*uses;
	size_t		nr, room;
	ext2fs_block_bitmap named;	/* blocks of @uses */
	struct inode_search search;
	struct e2lazy_damage damage;
};

static int by_block(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	return x->fsblk < y->fsblk ? -1 : x->fsblk > y->fsblk;
}

/* Make one list of the blocks that are in use. */
static errcode_t list_wanted(struct asking *a)
{
	const struct evidences *list = &a->u->evidences;
	size_t nr = 0, last = 0;

	a->wanted = calloc(list->nr + 1, sizeof(*a->wanted));
	if (!a->wanted)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < list->nr; i++)
		if (list->at[i].grade == E2LAZY_GRADE_REUSED)
			a->wanted[nr++] = (struct use){
				list->at[i].fsblk, list->at[i].count, 0,
			};
	qsort(a->wanted, nr, sizeof(*a->wanted), by_block);
	for (size_t i = 1; i < nr; i++) {
		struct use *w = &a->wanted[last], *next = &a->wanted[i];

		if (next->fsblk > w->fsblk + w->count)
			a->wanted[++last] = *next;
		else if (next->fsblk + next->count > w->fsblk + w->count)
			w->count = next->fsblk + next->count - w->fsblk;
	}
	a->nr_wanted = nr ? last + 1 : 0;
	return 0;
}

static errcode_t add_use(struct asking *a, blk64_t fsblk, blk64_t count,
			 ext2_ino_t ino)
{
	struct use *uses = grow(a->uses, a->nr, &a->room, sizeof(*uses));

	if (!uses)
		return EXT2_ET_NO_MEMORY;
	a->uses = uses;
	a->uses[a->nr++] = (struct use){ fsblk, count, ino };
	a->u->uses++;
	ext2fs_mark_block_bitmap_range2(a->named, fsblk, (unsigned)count);
	return 0;
}

/* Note @ino as the user of those blocks from @from to @to that have none. */
static errcode_t add_first_use(struct asking *a, blk64_t from, blk64_t to,
			       ext2_ino_t ino)
{
	blk64_t end;
	errcode_t err = 0;

	for (; !err && from < to; from = end) {
		if (ext2fs_find_first_zero_block_bitmap2(a->named, from, to - 1,
							 &from))
			break;
		if (ext2fs_find_first_set_block_bitmap2(a->named, from, to - 1,
							&end))
			end = to;
		err = add_use(a, from, end - from, ino);
	}
	return err;
}

static errcode_t compare_piece(void *priv, const struct e2lazy_owner *owner,
			       blk64_t count)
{
	struct asking *a = priv;
	blk64_t end = owner->fsblk + count;
	struct halving h = { .high = a->nr_wanted };
	errcode_t err = watch_stop(a->u->opts->watch);

	while (halve(&h))
		halved(&h, a->wanted[h.mid].fsblk + a->wanted[h.mid].count <=
			   owner->fsblk);
	for (size_t i = h.low;
	     !err && i < a->nr_wanted && a->wanted[i].fsblk < end; i++) {
		const struct use *w = &a->wanted[i];
		blk64_t from = w->fsblk > owner->fsblk ? w->fsblk :
							 owner->fsblk;
		blk64_t to = w->fsblk + w->count < end ? w->fsblk + w->count :
							 end;

		err = add_first_use(a, from, to, owner->ino);
	}
	return err;
}

static errcode_t ask_group(struct asking *a, dgrp_t group)
{
	ext2_filsys fs = a->u->fs;
	ext2_ino_t ino = group * fs->super->s_inodes_per_group + 1;
	ext2_ino_t end = ino + e2lazy_group_inodes(fs, group);
	struct ext2_inode inode;
	errcode_t err = 0;

	for (; !err && ino < end; ino++) {
		uint32_t empty = e2lazy_empty_inodes(fs, ino, end - ino);

		if (empty) {
			ino += empty - 1;
			continue;
		}
		err = watch_stop(a->u->opts->watch);
		if (err)
			return err;
		err = ext2fs_read_inode(fs, ino, &inode);
		if (err == E2LAZY_ET_CANCELLED)
			return err;
		if (err)
			err = 0;	/* its blocks have no name, then */
		else if (inode_in_use(fs, ino, &inode))
			err = inode_search_one(&a->search, ino, &inode);
	}
	return err;
}

static errcode_t ask_all(struct asking *a)
{
	errcode_t err;

	err = ext2fs_allocate_subcluster_bitmap(a->u->fs, "blocks with a user",
						&a->named);
	if (err)
		return err;
	/* libext2fs finds no clear bit in an empty one; no map has this block. */
	ext2fs_mark_block_bitmap2(a->named,
				  a->u->fs->super->s_first_data_block);
	err = inode_search_init(&a->search, a->u->fs, compare_piece, a,
				&a->damage);
	for (dgrp_t g = 0; !err && g < a->u->fs->group_desc_count; g++) {
		err = watch_tick(a->u->opts->watch, E2LAZY_PHASE_INODES, g,
				 a->u->fs->group_desc_count);
		if (!err)
			err = ask_group(a, g);
	}
	inode_search_free(&a->search);
	ext2fs_free_block_bitmap(a->named);
	if (!err && a->nr)
		qsort(a->uses, a->nr, sizeof(*a->uses), by_block);
	return err;
}

/* The first use that ends behind @fsblk. */
static const struct use *find_use(const struct asking *a, blk64_t fsblk)
{
	struct halving h = { .high = a->nr };

	while (halve(&h))
		halved(&h, a->uses[h.mid].fsblk + a->uses[h.mid].count <=
			   fsblk);
	return h.low < a->nr ? &a->uses[h.low] : NULL;
}

/* Cut evidence into runs of one user each; too many of them: 0, unknown. */
static errcode_t put_runs(const struct asking *a, struct evidences *list,
			  const struct evidence *whole)
{
	struct evidence e = *whole;
	blk64_t end = e.fsblk + e.count;
	errcode_t err = 0;

	for (; !err && e.fsblk < end && a->u->runs; e.fsblk += e.count) {
		const struct use *use = find_use(a, e.fsblk);
		blk64_t until = end;

		e.user = 0;
		if (use && use->fsblk <= e.fsblk) {
			e.user = use->ino;
			until = use->fsblk + use->count;
		} else if (use) {
			until = use->fsblk;
		}
		e.count = (uint32_t)((until < end ? until : end) - e.fsblk);
		a->u->runs--;
		err = evidence_add(list, &e);
	}
	e.user = 0;
	e.count = (uint32_t)(end - e.fsblk);
	return err || !e.count ? err : evidence_add(list, &e);
}

errcode_t evidence_find_users(struct e2lazy_undelete *u)
{
	struct asking a = { .u = u };
	struct evidences list = { .nr = 0 };
	errcode_t err = list_wanted(&a);

	if (!err && a.nr_wanted)
		err = ask_all(&a);
	for (size_t i = 0; !err && a.nr && i < u->evidences.nr; i++)
		err = u->evidences.at[i].grade == E2LAZY_GRADE_REUSED ?
		      put_runs(&a, &list, &u->evidences.at[i]) :
		      evidence_add(&list, &u->evidences.at[i]);
	if (!err && a.nr) {
		free(u->evidences.at);
		u->evidences = list;
	} else {
		free(list.at);
	}
	free(a.wanted);
	free(a.uses);
	return err;
}
