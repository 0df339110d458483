/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * regions.c - the regions of a file system's fixed metadata
 *
 * The group descriptors name them; a location outside the file system is
 * ignored.
 */

#include <stdlib.h>

#include "io/grow.h"
#include "regions.h"

/* ------------------------------------------------------------- gather */

/* Add blocks [@blk, @blk + @count), cut to the file system. */
static errcode_t add(struct e2lazy_regions *r, ext2_filsys fs, blk64_t blk,
		     blk64_t count, enum e2lazy_region_kind kind)
{
	struct e2lazy_region *last = r->count ? &r->list[r->count - 1] : NULL;
	blk64_t end = ext2fs_blocks_count(fs->super);
	uint64_t start = (uint64_t)blk * fs->blocksize;
	struct e2lazy_region *list;

	if (blk >= end || !count)
		return 0;
	if (count > end - blk)
		count = end - blk;
	/* Tables of a flex group are adjacent: make them one region. */
	if (last && last->kind == kind && last->start + last->length == start) {
		last->length += (uint64_t)count * fs->blocksize;
		return 0;
	}
	list = grow(r->list, r->count, &r->room, sizeof(*list));
	if (!list)
		return EXT2_ET_NO_MEMORY;
	r->list = list;
	list[r->count++] = (struct e2lazy_region) {
		.start = start, .length = (uint64_t)count * fs->blocksize,
		.kind = kind,
	};
	return 0;
}

/* Location 0 means that the group has no table yet. */
static errcode_t add_table(struct e2lazy_regions *r, ext2_filsys fs,
			   blk64_t blk, blk64_t count)
{
	return blk ? add(r, fs, blk, count, E2LAZY_REGION_TABLES) : 0;
}

static errcode_t add_block_bitmap(struct e2lazy_regions *r, ext2_filsys fs,
				  dgrp_t group)
{
	return add_table(r, fs, ext2fs_block_bitmap_loc(fs, group), 1);
}

static errcode_t add_inode_bitmap(struct e2lazy_regions *r, ext2_filsys fs,
				  dgrp_t group)
{
	return add_table(r, fs, ext2fs_inode_bitmap_loc(fs, group), 1);
}

static errcode_t add_inode_table(struct e2lazy_regions *r, ext2_filsys fs,
				 dgrp_t group)
{
	return add_table(r, fs, ext2fs_inode_table_loc(fs, group),
			 fs->inode_blocks_per_group);
}

/* Descriptor blocks behind each superblock, with the reserved ones. */
static blk64_t descriptor_blocks(ext2_filsys fs)
{
	if (ext2fs_has_feature_meta_bg(fs->super))
		return fs->super->s_first_meta_bg;
	return (blk64_t)fs->desc_blocks + fs->super->s_reserved_gdt_blocks;
}

static errcode_t add_super(struct e2lazy_regions *r, ext2_filsys fs,
			   dgrp_t group)
{
	const enum e2lazy_region_kind kind = E2LAZY_REGION_SUPER;
	blk64_t super, old, meta;
	errcode_t err;

	err = ext2fs_super_and_bgd_loc2(fs, group, &super, &old, &meta, NULL);
	if (!err && ext2fs_bg_has_super(fs, group))
		err = add(r, fs, super, 1, kind);
	if (!err && old)
		err = add(r, fs, old, descriptor_blocks(fs), kind);
	if (!err && meta)
		err = add(r, fs, meta, 1, kind);
	return err;
}

/* Go table by table, not group by group: see add(). */
static errcode_t gather(struct e2lazy_regions *r, ext2_filsys fs)
{
	static errcode_t (*const kinds[])(struct e2lazy_regions *r,
					  ext2_filsys fs, dgrp_t group) = {
		add_super, add_block_bitmap, add_inode_bitmap, add_inode_table,
	};
	errcode_t err;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		for (dgrp_t g = 0; g < fs->group_desc_count; g++) {
			err = kinds[i](r, fs, g);
			if (err)
				return err;
		}
	}
	return 0;
}

/* -------------------------------------------------------------- order */

static int by_start(const void *a, const void *b)
{
	const struct e2lazy_region *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

/*
 * Damaged descriptors can make regions overlap: the first one keeps the blocks.
 */
static void merge(struct e2lazy_regions *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->count; i++) {
		struct e2lazy_region next = r->list[i], *last;
		uint64_t end = next.start + next.length, done = 0;

		last = n ? &r->list[n - 1] : NULL;
		if (last)
			done = last->start + last->length;
		if (last && end <= done)
			continue;
		if (last && next.start < done) {
			next.start = done;
			next.length = end - done;
		}
		if (last && last->kind == next.kind && next.start == done)
			last->length += next.length;
		else
			r->list[n++] = next;
	}
	r->count = n;
}

errcode_t e2lazy_regions_of(ext2_filsys fs, struct e2lazy_regions **out)
{
	struct e2lazy_regions *r = calloc(1, sizeof(*r));
	errcode_t err;

	*out = NULL;
	if (!r)
		return EXT2_ET_NO_MEMORY;
	err = gather(r, fs);
	if (err) {
		e2lazy_regions_free(r);
		return err;
	}
	qsort(r->list, r->count, sizeof(*r->list), by_start);
	merge(r);
	*out = r;
	return 0;
}

/* -------------------------------------------------------------- access */

void e2lazy_regions_free(struct e2lazy_regions *r)
{
	if (!r)
		return;
	free(r->list);
	free(r);
}

size_t e2lazy_regions_count(const struct e2lazy_regions *r)
{
	return r->count;
}

void e2lazy_regions_get(const struct e2lazy_regions *r, size_t index,
			struct e2lazy_region *out)
{
	*out = r->list[index];
}
