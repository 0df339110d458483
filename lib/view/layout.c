/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * layout.c - the type of a static block, known from the layout alone
 *
 * The layout is a sorted array of pieces of fixed metadata, made from the
 * newest superblock and group descriptors.
 */

#include <stdlib.h>
#include <string.h>

#include "e2lazy_view.h"
#include "fs/identify.h"
#include "io/grow.h"
#include "log/log.h"
#include "newest_fs.h"
#include "map/super.h"

struct piece {
	blk64_t		start;
	uint32_t	count;		/* blocks */
	uint32_t	type;		/* enum e2lazy_type */
	dgrp_t		group;
};

struct e2lazy_layout {
	struct newest_fs newest;
	blk64_t		super_fsblk;	/* of the primary superblock */
	struct piece	*pieces;	/* ascending start */
	size_t		nr, room;
	size_t		last;		/* the piece found last */
	dgrp_t		group;		/* the group asked for last: */
	blk64_t		group_start, group_end;
};

/* -------------------------------------------------------------- pieces */

static errcode_t add(struct e2lazy_layout *l, enum e2lazy_type type,
		     dgrp_t group, blk64_t start, blk64_t count)
{
	struct piece *pieces;

	if (count == 0 || start >= ext2fs_blocks_count(&l->newest.super))
		return 0;
	pieces = grow(l->pieces, l->nr, &l->room, sizeof(*pieces));
	if (!pieces)
		return EXT2_ET_NO_MEMORY;
	l->pieces = pieces;
	l->pieces[l->nr++] = (struct piece) {
		.start = start, .count = (uint32_t)count, .type = type,
		.group = group };
	return 0;
}

/* Superblock, descriptors and their reserve at the head of a group. */
static errcode_t add_group_head(struct e2lazy_layout *l, dgrp_t g)
{
	ext2_filsys fs = &l->newest.handle;
	bool meta_bg = ext2fs_has_feature_meta_bg(fs->super);
	blk64_t super, old_desc, new_desc, old_blocks, reserved;
	unsigned per_block = EXT2_DESC_PER_BLOCK(fs->super);
	bool backup = g != 0, new_backup = g % per_block != 0;
	errcode_t err = 0;

	ext2fs_super_and_bgd_loc2(fs, g, &super, &old_desc, &new_desc, NULL);
	old_blocks = meta_bg ? fs->super->s_first_meta_bg : fs->desc_blocks;
	reserved = meta_bg ? 0 : fs->super->s_reserved_gdt_blocks;

	/* 0 means block 0 in group 0, and no superblock in another group. */
	if (super || g == 0)
		err = add(l, backup ? E2LAZY_TYPE_SUPER_BACKUP :
			     E2LAZY_TYPE_SUPER, g,
			  g ? super : l->super_fsblk, 1);
	if (!err && old_desc)
		err = add(l, backup ? E2LAZY_TYPE_DESC_BACKUP :
			     E2LAZY_TYPE_DESC, g, old_desc, old_blocks);
	if (!err && old_desc)
		err = add(l, E2LAZY_TYPE_RESERVED_DESC, g,
			  old_desc + old_blocks, reserved);
	if (!err && new_desc)
		err = add(l, new_backup ? E2LAZY_TYPE_DESC_BACKUP :
			     E2LAZY_TYPE_DESC, g, new_desc, 1);
	return err;
}

/* Nobody has filled in a descriptor that names block 0. */
static errcode_t add_named(struct e2lazy_layout *l, enum e2lazy_type type,
			   dgrp_t g, blk64_t start, blk64_t count)
{
	return start ? add(l, type, g, start, count) : 0;
}

static errcode_t add_group(struct e2lazy_layout *l, dgrp_t g)
{
	ext2_filsys fs = &l->newest.handle;
	errcode_t err;

	err = add_group_head(l, g);
	if (!err)
		err = add_named(l, E2LAZY_TYPE_BLOCK_BITMAP, g,
				ext2fs_block_bitmap_loc(fs, g), 1);
	if (!err)
		err = add_named(l, E2LAZY_TYPE_INODE_BITMAP, g,
				ext2fs_inode_bitmap_loc(fs, g), 1);
	if (!err)
		err = add_named(l, E2LAZY_TYPE_INODE_TABLE, g,
				ext2fs_inode_table_loc(fs, g),
				fs->inode_blocks_per_group);
	return err;
}

static errcode_t add_journal(struct e2lazy_layout *l, const struct runs *runs)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < runs->nr_own; i++)
		err = add(l, E2LAZY_TYPE_JOURNAL,
			  ext2fs_group_of_blk2(&l->newest.handle, runs->own[i].physblk),
			  runs->own[i].physblk, runs->own[i].count);
	return err;
}

static errcode_t add_mmp(struct e2lazy_layout *l)
{
	blk64_t fsblk = l->newest.super.s_mmp_block;

	if (!ext2fs_has_feature_mmp(&l->newest.super) || !fsblk)
		return 0;
	return add(l, E2LAZY_TYPE_MMP, ext2fs_group_of_blk2(&l->newest.handle, fsblk),
		   fsblk, 1);
}

static int by_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

errcode_t e2lazy_layout_build(struct e2lazy_journal *journal,
			      const struct e2lazy_jmap *map,
			      struct e2lazy_layout **out,
			      struct e2lazy_where *where)
{
	struct e2lazy_layout *l = calloc(1, sizeof(*l));
	struct e2lazy_where unused;
	errcode_t err;

	if (!l)
		return EXT2_ET_NO_MEMORY;
	if (!where)
		where = &unused;
	memset(where, 0, sizeof(*where));
	l->super_fsblk = super_fsblk(journal);
	err = newest_fs_init(&l->newest, journal, map, where);
	for (dgrp_t g = 0; !err && g < l->newest.handle.group_desc_count; g++)
		err = add_group(l, g);
	if (!err)
		err = add_mmp(l);
	if (!err)
		err = add_journal(l, &journal->runs);
	if (err) {
		e2lazy_layout_free(l);
		return err;
	}
	if (l->nr)
		qsort(l->pieces, l->nr, sizeof(*l->pieces), by_start);
	*out = l;
	return 0;
}

void e2lazy_layout_free(struct e2lazy_layout *l)
{
	if (!l)
		return;
	newest_fs_free(&l->newest);
	free(l->pieces);
	free(l);
}

ext2_filsys e2lazy_layout_fs(struct e2lazy_layout *l)
{
	return &l->newest.handle;
}

/* ------------------------------------------------------------- finding */

/* True when piece @i is the last that starts at or before @fsblk. */
static bool is_last_before(const struct e2lazy_layout *l, size_t i,
			   blk64_t fsblk)
{
	return l->pieces[i].start <= fsblk &&
	       (i + 1 == l->nr || l->pieces[i + 1].start > fsblk);
}

static size_t find_piece(struct e2lazy_layout *l, blk64_t fsblk)
{
	size_t low = 0, high = l->nr;

	if (is_last_before(l, l->last, fsblk))
		return l->last;
	if (l->last + 1 < l->nr && is_last_before(l, l->last + 1, fsblk))
		return l->last + 1;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (l->pieces[mid].start <= fsblk)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/*
 * Remember the last group: a division for each block would be most of the cost
 * of a long listing.  With 1 KiB blocks the boot block lies before group 0.
 */
static dgrp_t group_of(struct e2lazy_layout *l, blk64_t fsblk)
{
	if (fsblk < l->newest.super.s_first_data_block)
		return 0;
	if (fsblk < l->group_start || fsblk >= l->group_end) {
		l->group = ext2fs_group_of_blk2(&l->newest.handle, fsblk);
		l->group_start = ext2fs_group_first_block2(&l->newest.handle,
							   l->group);
		l->group_end = l->group_start +
			       EXT2_BLOCKS_PER_GROUP(&l->newest.super);
	}
	return l->group;
}

bool e2lazy_layout_piece(const struct e2lazy_layout *l, size_t index,
			 struct e2lazy_layout_piece *out)
{
	if (index >= l->nr)
		return false;
	*out = (struct e2lazy_layout_piece) {
		.start = l->pieces[index].start,
		.count = l->pieces[index].count,
		.type = l->pieces[index].type,
	};
	return true;
}

void e2lazy_layout_find(struct e2lazy_layout *l, blk64_t fsblk,
			struct e2lazy_place *out)
{
	const struct piece *p;

	l->last = find_piece(l, fsblk);
	p = &l->pieces[l->last];
	out->ino = 0;
	if (fsblk < p->start || fsblk - p->start >= p->count) {
		out->type = E2LAZY_TYPE_OTHER;
		out->group = group_of(l, fsblk);
		return;
	}
	out->type = p->type;
	out->group = p->group;
	if (p->type == E2LAZY_TYPE_JOURNAL)
		out->group = group_of(l, fsblk);
	if (p->type == E2LAZY_TYPE_INODE_TABLE)
		out->ino = p->group * EXT2_INODES_PER_GROUP(&l->newest.super) + 1 +
			   (ext2_ino_t)(fsblk - p->start) *
			   EXT2_INODES_PER_BLOCK(&l->newest.super);
}

void e2lazy_layout_count(const struct e2lazy_layout *l,
			 const struct e2lazy_jmap *map,
			 uint64_t counts[E2LAZY_NR_TYPES])
{
	size_t done = 0, total = e2lazy_jmap_count(map);

	memset(counts, 0, E2LAZY_NR_TYPES * sizeof(*counts));
	for (size_t i = 0; i < l->nr; i++) {
		const struct piece *p = &l->pieces[i];
		blk64_t stop = p->start + p->count;
		size_t first, end;

		/*
		 * On a damaged file system pieces may overlap.  The piece that
		 * begins last counts, as in find_piece().
		 */
		if (i + 1 < l->nr && p[1].start < stop)
			stop = p[1].start;
		first = e2lazy_jmap_lower_bound(map, p->start);
		end = e2lazy_jmap_lower_bound(map, stop);
		counts[E2LAZY_TYPE_OTHER] += first - done;
		counts[p->type] += end - first;
		done = end;
	}
	counts[E2LAZY_TYPE_OTHER] += total - done;
}

enum e2lazy_type e2lazy_identify(struct e2lazy_layout *l, const void *block)
{
	return identify(e2lazy_layout_fs(l), block);
}

static const char *const type_names[E2LAZY_NR_TYPES] = {
	[E2LAZY_TYPE_SUPER]		= "superblock",
	[E2LAZY_TYPE_DESC]		= "group descriptors",
	[E2LAZY_TYPE_SUPER_BACKUP]	= "backup superblock",
	[E2LAZY_TYPE_DESC_BACKUP]	= "backup group descriptors",
	[E2LAZY_TYPE_RESERVED_DESC]	= "reserved group descriptors",
	[E2LAZY_TYPE_BLOCK_BITMAP]	= "block bitmap",
	[E2LAZY_TYPE_INODE_BITMAP]	= "inode bitmap",
	[E2LAZY_TYPE_INODE_TABLE]	= "inode table",
	[E2LAZY_TYPE_MMP]		= "MMP",
	[E2LAZY_TYPE_JOURNAL]		= "journal",
	[E2LAZY_TYPE_OTHER]		= "other",
	[E2LAZY_TYPE_DIRECTORY]		= "directory",
	[E2LAZY_TYPE_HTREE]		= "htree",
	[E2LAZY_TYPE_EXTENT]		= "extent node",
	[E2LAZY_TYPE_INDIRECT]		= "indirect",
	[E2LAZY_TYPE_XATTR]		= "xattr",
	[E2LAZY_TYPE_DATA]		= "data",
};

const char *e2lazy_type_name(enum e2lazy_type type)
{
	return type_names[type];
}
