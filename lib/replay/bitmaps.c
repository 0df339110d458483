/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bitmaps.c - the bitmaps and descriptors of the groups that a replay touches
 *
 * A block that two inodes claim contradicts the file system, and the replay
 * stops: this is the last check of every record.  New blocks for directories
 * and extent trees come from blocks that were free before the records, too, and
 * that no record maps.
 */

#include <stdlib.h>
#include <string.h>

#include "io/halve.h"
#include "map/super.h"
#include "replay.h"

static bool get_bit(const uint8_t *map, uint32_t bit)
{
	return map[bit / 8] >> bit % 8 & 1;
}

static void set_bit(uint8_t *map, uint32_t bit, bool to)
{
	if (to)
		map[bit / 8] |= (uint8_t)(1 << bit % 8);
	else
		map[bit / 8] &= (uint8_t)~(1 << bit % 8);
}

static uint32_t blocks_of(const struct e2lazy_replay *r, dgrp_t g)
{
	return (uint32_t)(ext2fs_group_last_block2(r->fs, g) -
			  ext2fs_group_first_block2(r->fs, g) + 1);
}

static uint32_t count_clear(const uint8_t *map, uint32_t bits)
{
	uint32_t clear = 0;

	for (uint32_t i = 0; i < bits; i++)
		clear += !get_bit(map, i);
	return clear;
}

static void pad(const struct e2lazy_replay *r, uint8_t *map, uint32_t from)
{
	for (uint32_t i = from; i < r->size * 8; i++)
		set_bit(map, i, true);
}

/* ------------------------------------------------------------- loading */

/* Mark those of @count blocks that lie in group @g. */
static void mark_meta(const struct e2lazy_replay *r, dgrp_t g, uint8_t *map,
		      blk64_t fsblk, blk64_t count)
{
	blk64_t first = ext2fs_group_first_block2(r->fs, g);
	uint32_t blocks = blocks_of(r, g);

	for (; count--; fsblk++)
		if (fsblk >= first && fsblk - first < blocks)
			set_bit(map, (uint32_t)(fsblk - first), true);
}

/* A group whose bitmap was never written has metadata only. */
static void make_blocks(const struct e2lazy_replay *r, dgrp_t g, uint8_t *map)
{
	ext2_filsys fs = r->fs;
	blk64_t super, old, new;

	memset(map, 0, r->size);
	ext2fs_super_and_bgd_loc2(fs, g, &super, &old, &new, NULL);
	if (super || g == 0)
		mark_meta(r, g, map, super, 1);
	if (old)
		mark_meta(r, g, map, old, fs->desc_blocks +
			  fs->super->s_reserved_gdt_blocks);
	if (old && ext2fs_has_feature_meta_bg(fs->super))
		memset(map, 0xff, r->size);	/* the count will not fit */
	if (new)
		mark_meta(r, g, map, new, 1);
	for (dgrp_t i = 0; i < fs->group_desc_count; i++) {
		mark_meta(r, g, map, ext2fs_block_bitmap_loc(fs, i), 1);
		mark_meta(r, g, map, ext2fs_inode_bitmap_loc(fs, i), 1);
		mark_meta(r, g, map, ext2fs_inode_table_loc(fs, i),
			  fs->inode_blocks_per_group);
	}
	pad(r, map, blocks_of(r, g));
}

static errcode_t read_map(struct e2lazy_replay *r, blk64_t fsblk, uint8_t *to)
{
	const uint8_t *block;
	errcode_t err;

	if (fsblk < r->fs->super->s_first_data_block ||
	    fsblk >= ext2fs_blocks_count(r->fs->super))
		return E2LAZY_ET_FC_DAMAGED;
	err = overlay_read(&r->overlay, fsblk, &block);
	if (!err)
		memcpy(to, block, r->size);
	return err;
}

static bool is_uninit(const struct e2lazy_replay *r, dgrp_t g, unsigned flag)
{
	return ext2fs_has_group_desc_csum(r->fs) &&
	       ext2fs_bg_flags_test(r->fs, g, (__u16)flag);
}

static errcode_t keep_base(const struct e2lazy_replay *r, uint8_t *map,
			   uint8_t **base)
{
	*base = malloc(r->size);
	if (!*base)
		return EXT2_ET_NO_MEMORY;
	memcpy(*base, map, r->size);
	return 0;
}

/* Ask once, before the first change of the counts. */
static bool descriptor_is_sound(struct e2lazy_replay *r, dgrp_t g)
{
	struct group *group = &r->groups[g];

	if (!group->sound)
		group->sound = ext2fs_group_desc_csum_verify(r->fs, g);
	return group->sound;
}

static errcode_t load_blocks(struct e2lazy_replay *r, dgrp_t g)
{
	struct group *group = &r->groups[g];
	ext2_filsys fs = r->fs;
	errcode_t err = 0;

	if (group->blocks)
		return 0;
	group->blocks = malloc(r->size);
	if (!group->blocks)
		return EXT2_ET_NO_MEMORY;
	if (is_uninit(r, g, EXT2_BG_BLOCK_UNINIT))
		make_blocks(r, g, group->blocks);
	else
		err = read_map(r, ext2fs_block_bitmap_loc(fs, g),
			       group->blocks);
	if (err)
		return err;
	if (!descriptor_is_sound(r, g) ||
	    (!is_uninit(r, g, EXT2_BG_BLOCK_UNINIT) &&
	     !ext2fs_block_bitmap_csum_verify(fs, g, (char *)group->blocks,
			(int)EXT2_CLUSTERS_PER_GROUP(fs->super) / 8)) ||
	    count_clear(group->blocks, blocks_of(r, g)) !=
	    ext2fs_bg_free_blocks_count(fs, g))
		return E2LAZY_ET_FC_DAMAGED;
	return keep_base(r, group->blocks, &group->blocks_base);
}

static errcode_t load_inodes(struct e2lazy_replay *r, dgrp_t g)
{
	struct group *group = &r->groups[g];
	uint32_t inodes = r->fs->super->s_inodes_per_group;
	ext2_filsys fs = r->fs;
	bool uninit = is_uninit(r, g, EXT2_BG_INODE_UNINIT);
	errcode_t err = 0;

	if (group->inodes)
		return 0;
	group->inodes = calloc(1, r->size);
	if (!group->inodes)
		return EXT2_ET_NO_MEMORY;
	if (uninit)
		pad(r, group->inodes, inodes);
	else
		err = read_map(r, ext2fs_inode_bitmap_loc(fs, g),
			       group->inodes);
	if (err)
		return err;
	if (!descriptor_is_sound(r, g) ||
	    (!uninit &&
	     !ext2fs_inode_bitmap_csum_verify(fs, g, (char *)group->inodes,
					      (int)inodes / 8)) ||
	    count_clear(group->inodes, inodes) !=
	    ext2fs_bg_free_inodes_count(fs, g))
		return E2LAZY_ET_FC_DAMAGED;
	return keep_base(r, group->inodes, &group->inodes_base);
}

errcode_t space_begin(struct e2lazy_replay *r)
{
	r->groups = calloc(r->fs->group_desc_count, sizeof(*r->groups));
	r->desc_dirty = calloc(r->fs->desc_blocks, sizeof(*r->desc_dirty));
	return r->groups && r->desc_dirty ? 0 : EXT2_ET_NO_MEMORY;
}

void space_free(struct e2lazy_replay *r)
{
	for (dgrp_t g = 0; r->groups && g < r->fs->group_desc_count; g++) {
		free(r->groups[g].blocks);
		free(r->groups[g].blocks_base);
		free(r->groups[g].inodes);
		free(r->groups[g].inodes_base);
	}
	free(r->groups);
	free(r->desc_dirty);
	free(r->claims);
}

/* -------------------------------------------------------------- blocks */

static void note_desc(struct e2lazy_replay *r, dgrp_t g)
{
	r->desc_dirty[g / EXT2_DESC_PER_BLOCK(r->fs->super)] = true;
}

/* Change a run of blocks that must all be @used the other way. */
static errcode_t change(struct e2lazy_replay *r, blk64_t fsblk, blk64_t count,
			bool used)
{
	const struct ext2_super_block *sb = r->fs->super;
	errcode_t err;

	if (fsblk < sb->s_first_data_block ||
	    fsblk >= ext2fs_blocks_count(r->fs->super) ||
	    count > ext2fs_blocks_count(r->fs->super) - fsblk)
		return E2LAZY_ET_FC_CONTRADICTS;
	for (; count--; fsblk++) {
		dgrp_t g = ext2fs_group_of_blk2(r->fs, fsblk);
		uint32_t bit = (uint32_t)(fsblk -
					  ext2fs_group_first_block2(r->fs, g));
		struct group *group = &r->groups[g];
		uint32_t free_blocks;

		err = load_blocks(r, g);
		if (err)
			return err;
		if (get_bit(group->blocks, bit) == used)
			return E2LAZY_ET_FC_CONTRADICTS;
		set_bit(group->blocks, bit, used);
		group->blocks_dirty = true;
		free_blocks = ext2fs_bg_free_blocks_count(r->fs, g);
		ext2fs_bg_free_blocks_count_set(r->fs, g, used ?
						free_blocks - 1 :
						free_blocks + 1);
	}
	return 0;
}

errcode_t space_take(struct e2lazy_replay *r, blk64_t fsblk, blk64_t count)
{
	return change(r, fsblk, count, true);
}

errcode_t space_give_up(struct e2lazy_replay *r, blk64_t fsblk, blk64_t count)
{
	return change(r, fsblk, count, false);
}

static bool is_claimed(const struct e2lazy_replay *r, blk64_t fsblk)
{
	struct halving h = { .high = r->nr_claims };

	while (halve(&h))
		halved(&h, r->claims[h.mid].end <= fsblk);
	return h.low < r->nr_claims && r->claims[h.low].first <= fsblk;
}

/* Search a group from @bit on. */
static errcode_t search_group(struct e2lazy_replay *r, dgrp_t g, uint32_t bit,
			      blk64_t *out)
{
	const struct group *group = &r->groups[g];
	blk64_t first = ext2fs_group_first_block2(r->fs, g);
	uint32_t blocks = blocks_of(r, g);
	errcode_t err;

	*out = 0;
	if (!ext2fs_bg_free_blocks_count(r->fs, g))
		return 0;
	err = load_blocks(r, g);
	if (err)
		return err;
	for (; bit < blocks; bit++) {
		if (get_bit(group->blocks, bit) ||
		    get_bit(group->blocks_base, bit) ||
		    is_claimed(r, first + bit))
			continue;
		*out = first + bit;
		return space_take(r, first + bit, 1);
	}
	return 0;
}

errcode_t space_new(struct e2lazy_replay *r, blk64_t near, blk64_t *out)
{
	dgrp_t groups = r->fs->group_desc_count;
	dgrp_t g = ext2fs_group_of_blk2(r->fs, near);
	errcode_t err = 0;

	*out = 0;
	for (dgrp_t i = 0; !err && !*out && i < groups; i++)
		err = search_group(r, (g + i) % groups, 0, out);
	if (!err && !*out)
		err = E2LAZY_ET_FC_NO_SPACE;
	return err;
}

/* -------------------------------------------------------------- inodes */

static dgrp_t group_of_ino(const struct e2lazy_replay *r, ext2_ino_t ino,
			   uint32_t *bit)
{
	uint32_t per_group = r->fs->super->s_inodes_per_group;

	*bit = (ino - 1) % per_group;
	return (ino - 1) / per_group;
}

errcode_t inode_was_used(struct e2lazy_replay *r, ext2_ino_t ino, bool *used)
{
	uint32_t bit;
	dgrp_t g = group_of_ino(r, ino, &bit);
	errcode_t err = load_inodes(r, g);

	*used = !err && get_bit(r->groups[g].inodes_base, bit);
	return err;
}

/* The kernel does not read a block of the table without inodes in use. */
errcode_t inode_block_used(struct e2lazy_replay *r, ext2_ino_t ino, bool *used)
{
	uint32_t per_block = r->size / r->inode_size, bit;
	dgrp_t g = group_of_ino(r, ino, &bit);
	errcode_t err = load_inodes(r, g);

	*used = false;
	bit -= bit % per_block;
	for (uint32_t i = 0; !err && i < per_block; i++)
		*used |= get_bit(r->groups[g].inodes_base, bit + i);
	return err;
}

static void count_dir(struct e2lazy_replay *r, dgrp_t g, int by)
{
	ext2fs_bg_used_dirs_count_set(r->fs, g, (__u32)
		((int64_t)ext2fs_bg_used_dirs_count(r->fs, g) + by));
}

errcode_t space_inode_take(struct e2lazy_replay *r, ext2_ino_t ino, bool dir)
{
	uint32_t bit, never, inodes = r->fs->super->s_inodes_per_group;
	dgrp_t g = group_of_ino(r, ino, &bit);
	struct group *group = &r->groups[g];
	errcode_t err = load_inodes(r, g);

	if (err)
		return err;
	if (get_bit(group->inodes, bit))
		return E2LAZY_ET_FC_CONTRADICTS;
	set_bit(group->inodes, bit, true);
	group->inodes_dirty = true;
	ext2fs_bg_free_inodes_count_set(r->fs, g,
				ext2fs_bg_free_inodes_count(r->fs, g) - 1);
	if (dir)
		count_dir(r, g, 1);
	if (!ext2fs_has_group_desc_csum(r->fs))
		return 0;
	never = is_uninit(r, g, EXT2_BG_INODE_UNINIT) ? inodes :
		ext2fs_bg_itable_unused(r->fs, g);
	if (bit >= inodes - never)
		ext2fs_bg_itable_unused_set(r->fs, g, inodes - bit - 1);
	else
		ext2fs_bg_itable_unused_set(r->fs, g, never);
	ext2fs_bg_flags_clear(r->fs, g, EXT2_BG_INODE_UNINIT);
	/* A group whose inodes are in use has a block bitmap, too. */
	err = load_blocks(r, g);
	if (!err && is_uninit(r, g, EXT2_BG_BLOCK_UNINIT))
		group->blocks_dirty = true;
	return err;
}

errcode_t space_inode_give_up(struct e2lazy_replay *r, ext2_ino_t ino, bool dir)
{
	uint32_t bit;
	dgrp_t g = group_of_ino(r, ino, &bit);
	struct group *group = &r->groups[g];
	errcode_t err = load_inodes(r, g);

	if (err)
		return err;
	if (!get_bit(group->inodes, bit))
		return E2LAZY_ET_FC_CONTRADICTS;
	set_bit(group->inodes, bit, false);
	group->inodes_dirty = true;
	ext2fs_bg_free_inodes_count_set(r->fs, g,
				ext2fs_bg_free_inodes_count(r->fs, g) + 1);
	if (dir)
		count_dir(r, g, -1);
	return 0;
}

/* -------------------------------------------------------------- writing */

static errcode_t write_group(struct e2lazy_replay *r, dgrp_t g)
{
	struct group *group = &r->groups[g];
	ext2_filsys fs = r->fs;
	uint8_t *block;
	errcode_t err = 0;

	if (group->blocks_dirty) {
		err = overlay_new(&r->overlay, ext2fs_block_bitmap_loc(fs, g),
				  E2LAZY_TYPE_BLOCK_BITMAP, &block);
		if (err)
			return err;
		memcpy(block, group->blocks, r->size);
		ext2fs_block_bitmap_csum_set(fs, g, (char *)block,
			(int)EXT2_CLUSTERS_PER_GROUP(fs->super) / 8);
		ext2fs_bg_flags_clear(fs, g, EXT2_BG_BLOCK_UNINIT);
	}
	if (group->inodes_dirty) {
		err = overlay_new(&r->overlay, ext2fs_inode_bitmap_loc(fs, g),
				  E2LAZY_TYPE_INODE_BITMAP, &block);
		if (err)
			return err;
		memcpy(block, group->inodes, r->size);
		ext2fs_inode_bitmap_csum_set(fs, g, (char *)block,
			(int)fs->super->s_inodes_per_group / 8);
	}
	if (group->blocks_dirty || group->inodes_dirty) {
		ext2fs_group_desc_csum_set(fs, g);
		note_desc(r, g);
	}
	return 0;
}

static errcode_t write_descriptors(struct e2lazy_replay *r, unsigned long i)
{
	ext2_filsys fs = r->fs;
	blk64_t fsblk = ext2fs_descriptor_block_loc2(fs,
				super_fsblk(r->view->journal), (dgrp_t)i);
	uint8_t *block;
	errcode_t err = overlay_change(&r->overlay, fsblk, E2LAZY_TYPE_DESC,
				       &block);

	if (err)
		return err;
	memcpy(block, (const char *)fs->group_desc + i * r->size, r->size);
#ifdef WORDS_BIGENDIAN
	for (dgrp_t n = 0, per_block = EXT2_DESC_PER_BLOCK(fs->super);
	     n < per_block && i * per_block + n < fs->group_desc_count; n++)
		ext2fs_swap_group_desc2(fs, (void *)(block +
					(size_t)n * EXT2_DESC_SIZE(fs->super)));
#endif
	return 0;
}

errcode_t space_end(struct e2lazy_replay *r)
{
	errcode_t err = 0;

	for (dgrp_t g = 0; !err && g < r->fs->group_desc_count; g++)
		err = write_group(r, g);
	for (unsigned long i = 0; !err && i < r->fs->desc_blocks; i++)
		if (r->desc_dirty[i])
			err = write_descriptors(r, i);
	return err;
}
