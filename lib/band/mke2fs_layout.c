/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mke2fs_layout.c - the layout that mke2fs would make
 *
 * libext2fs makes the layout, as it does for mke2fs, but in memory instead of
 * on a device.  So a plan follows the installed version of e2fsprogs.  This
 * file adds the parts that are in mke2fs itself: packed tables, the first
 * directories, and the number of inodes.  It leaves out meta_bg, which no
 * profile of mke2fs.conf turns on.
 */

#include <string.h>

#include "regions.h"

#define ROOT_INO	EXT2_ROOT_INO
/* mke2fs grows /lost+found to so many bytes. */
#define LOST_FOUND	16384

static unsigned log2_of(uint64_t value)
{
	unsigned log = 0;

	while (value >>= 1)
		log++;
	return log;
}

static bool is_power(uint64_t value)
{
	return value && !(value & (value - 1));
}

static bool is_valid(const struct e2lazy_fs_plan *p)
{
	return is_power(p->blocksize) && p->blocksize >= EXT2_MIN_BLOCK_SIZE &&
	       p->blocksize <= EXT2_MAX_BLOCK_SIZE &&
	       is_power(p->cluster_blocks) && is_power(p->inode_size) &&
	       p->inode_size >= EXT2_GOOD_OLD_INODE_SIZE &&
	       p->inode_size <= p->blocksize &&
	       is_power(p->flex_groups) && p->blocks &&
	       p->blocks / 8 / p->blocksize < E2LAZY_MOST_GROUPS &&
	       (p->blocks <= UINT32_MAX || p->bits64) &&
	       p->journal_blocks <= UINT32_MAX &&
	       (p->journal_goal < p->blocks ||
		p->journal_goal == UINT64_MAX) && p->backups <= 2 &&
	       (p->inodes || p->inode_ratio) && p->inodes <= UINT32_MAX;
}

/* Each inode needs at least one block or cluster. */
static uint32_t inode_count(const struct e2lazy_fs_plan *p)
{
	uint64_t ratio = p->inode_ratio, inodes;
	uint64_t least = (uint64_t)p->blocksize * p->cluster_blocks;

	if (p->inodes)
		return p->inodes;
	if (ratio < least)
		ratio = least;
	inodes = p->blocks * p->blocksize / ratio;
	return inodes > UINT32_MAX ? UINT32_MAX : inodes;
}

/* ------------------------------------------------------- the superblock */

/* The resize inode holds 32-bit numbers, so larger file systems have none. */
static bool can_resize(const struct e2lazy_fs_plan *p)
{
	return p->resize_blocks && p->blocks <= UINT32_MAX;
}

static void set_features(const struct e2lazy_fs_plan *p,
			 struct ext2_super_block *sb)
{
	ext2fs_set_feature_filetype(sb);
	ext2fs_set_feature_extents(sb);
	ext2fs_set_feature_sparse_super(sb);
	ext2fs_set_feature_large_file(sb);
	if (p->bits64)
		ext2fs_set_feature_64bit(sb);
	if (p->flex_groups > 1)
		ext2fs_set_feature_flex_bg(sb);
	if (can_resize(p))
		ext2fs_set_feature_resize_inode(sb);
	if (p->cluster_blocks > 1)
		ext2fs_set_feature_bigalloc(sb);
	if (p->sparse_super2)
		ext2fs_set_feature_sparse_super2(sb);
}

/* Reserve the descriptor blocks that the size to grow to needs. */
static void set_reserve(const struct e2lazy_fs_plan *p,
			struct ext2_super_block *sb)
{
	uint64_t group = (uint64_t)p->blocksize * 8;
	uint64_t per_block = EXT2_DESC_PER_BLOCK(sb);
	uint64_t most = p->blocksize / sizeof(uint32_t);
	uint64_t now, then;

	if (!can_resize(p) || p->resize_blocks == UINT64_MAX)
		return;		/* libext2fs takes its default */
	now = (p->blocks + group - 1) / group;
	then = (p->resize_blocks + group - 1) / group;
	now = (now + per_block - 1) / per_block;
	then = (then + per_block - 1) / per_block;
	if (then > now)
		sb->s_reserved_gdt_blocks = then - now < most ? then - now :
								most;
}

static void set_super(const struct e2lazy_fs_plan *p,
		      struct ext2_super_block *sb)
{
	unsigned log = log2_of(p->blocksize) - EXT2_MIN_BLOCK_LOG_SIZE;

	memset(sb, 0, sizeof(*sb));
	sb->s_rev_level = EXT2_DYNAMIC_REV;
	sb->s_log_block_size = log;
	sb->s_log_cluster_size = log + log2_of(p->cluster_blocks);
	sb->s_inode_size = p->inode_size;
	sb->s_log_groups_per_flex = log2_of(p->flex_groups);
	sb->s_inodes_count = inode_count(p);
	if (p->bits64)
		sb->s_desc_size = EXT2_MIN_DESC_SIZE_64BIT;
	set_features(p, sb);
	ext2fs_blocks_count_set(sb, p->blocks);	/* needs the 64bit flag */
	set_reserve(p, sb);
	if (p->sparse_super2 && p->backups >= 1)
		sb->s_backup_bgs[0] = 1;
	if (p->sparse_super2 && p->backups >= 2)
		sb->s_backup_bgs[1] = ~0U;	/* the last group */
}

/* ---------------------------------------------------------- the tables */

/* Take the first @count free blocks in a row from *@at on. */
static errcode_t take(ext2_filsys fs, blk_t count, blk64_t *at)
{
	blk64_t last = ext2fs_blocks_count(fs->super) - 1;
	errcode_t err;

	err = ext2fs_get_free_blocks2(fs, *at, last, count, NULL, at);
	if (!err)
		ext2fs_block_alloc_stats_range(fs, *at, count, +1);
	return err;
}

/* packed_meta_blocks: table after table, from the start of the device. */
static errcode_t pack_tables(ext2_filsys fs)
{
	static void (*const set[])(ext2_filsys fs, dgrp_t g, blk64_t blk) = {
		ext2fs_block_bitmap_loc_set, ext2fs_inode_bitmap_loc_set,
		ext2fs_inode_table_loc_set,
	};
	blk_t counts[] = { 1, 1, fs->inode_blocks_per_group };
	blk64_t at = fs->super->s_first_data_block;
	errcode_t err;

	for (unsigned i = 0; i < sizeof(set) / sizeof(*set); i++) {
		for (dgrp_t g = 0; g < fs->group_desc_count; g++) {
			err = take(fs, counts[i], &at);
			if (err)
				return err;
			set[i](fs, g, at);
		}
	}
	return 0;
}

static errcode_t place_tables(const struct e2lazy_fs_plan *p, ext2_filsys fs)
{
	errcode_t err;

	if (p->packed && p->flex_groups > 1)
		err = pack_tables(fs);
	else
		err = ext2fs_allocate_tables(fs);
	if (err)
		return err;
	/* From here on, allocate by clusters. */
	return ext2fs_convert_subcluster_bitmap(fs, &fs->block_map);
}

/* --------------------------------------------------------- the journal */

static errcode_t make_lost_found(ext2_filsys fs)
{
	static const char name[] = "lost+found";
	unsigned blocks = LOST_FOUND / fs->blocksize;
	ext2_ino_t ino;
	errcode_t err;

	if (blocks < 2)
		blocks = 2;
	if (blocks > EXT2_NDIR_BLOCKS)
		blocks = EXT2_NDIR_BLOCKS;
	err = ext2fs_mkdir(fs, ROOT_INO, 0, name);
	if (!err)
		err = ext2fs_lookup(fs, ROOT_INO, name, strlen(name), NULL,
				    &ino);
	while (!err && --blocks)
		err = ext2fs_expand_dir(fs, ino);
	return err;
}

/* Make the files whose blocks come before the journal's. */
static errcode_t make_first_files(ext2_filsys fs)
{
	errcode_t err;

	/* mke2fs gives up, too; libext2fs would print to stderr. */
	if (fs->super->s_inodes_count < EXT2_FIRST_INODE(fs->super))
		return EXT2_ET_INVALID_ARGUMENT;
	err = ext2fs_mkdir(fs, ROOT_INO, ROOT_INO, NULL);
	if (!err)
		err = make_lost_found(fs);
	for (ext2_ino_t i = ROOT_INO + 1; i < EXT2_FIRST_INODE(fs->super); i++)
		ext2fs_inode_alloc_stats2(fs, i, +1, 0);
	if (!err && ext2fs_has_feature_resize_inode(fs->super))
		err = ext2fs_create_resize_inode(fs);
	return err;
}

/* Adjacent extents are one run. */
static errcode_t count_runs(ext2_filsys fs, uint64_t *runs)
{
	struct ext2fs_extent extent;
	ext2_extent_handle_t handle;
	blk64_t next = 0;
	errcode_t err = ext2fs_extent_open(fs, EXT2_JOURNAL_INO, &handle);

	if (err)
		return err;
	err = ext2fs_extent_get(handle, EXT2_EXTENT_ROOT, &extent);
	for (; !err; err = ext2fs_extent_get(handle, EXT2_EXTENT_NEXT,
					     &extent)) {
		if (!(extent.e_flags & EXT2_EXTENT_FLAGS_LEAF))
			continue;
		*runs += extent.e_pblk != next;
		next = extent.e_pblk + extent.e_len;
	}
	ext2fs_extent_free(handle);
	return err == EXT2_ET_EXTENT_NO_NEXT ? 0 : err;
}

/*
 * With packed tables mke2fs ignores any other goal and passes block 0.  If the
 * first block is 1, libext2fs would print a complaint about that to stderr.
 */
static errcode_t make_journal(const struct e2lazy_fs_plan *p, ext2_filsys fs,
			      struct e2lazy_regions *out)
{
	const int flags = EXT2_MKJOURNAL_LAZYINIT | EXT2_MKJOURNAL_NO_MNT_CHECK;
	blk64_t goal = p->journal_goal, start;
	errcode_t err;

	if (!p->journal_blocks)
		return 0;
	if ((p->packed && p->flex_groups > 1) ||
	    goal < fs->super->s_first_data_block)
		goal = fs->super->s_first_data_block;
	err = ext2fs_add_journal_inode2(fs, p->journal_blocks, goal, flags);
	if (!err)
		err = ext2fs_bmap2(fs, EXT2_JOURNAL_INO, NULL, NULL, 0, 0,
				   NULL, &start);
	if (err)
		return err;
	out->journal = start;
	return count_runs(fs, &out->journal_runs);
}

/* ---------------------------------------------------------------- plan */

static errcode_t make(const struct e2lazy_fs_plan *p, ext2_filsys fs,
		      struct e2lazy_regions **out)
{
	/*
	 * libext2fs has already deducted the tables; mke2fs takes half of it.
	 */
	uint64_t free_blocks = ext2fs_free_blocks_count(fs->super);
	errcode_t err;

	err = place_tables(p, fs);
	if (!err)
		err = make_first_files(fs);
	if (!err)
		err = e2lazy_regions_of(fs, out);
	if (err)
		return err;
	(*out)->free_blocks = free_blocks;
	return make_journal(p, fs, *out);
}

errcode_t e2lazy_regions_planned(const struct e2lazy_fs_plan *plan,
				 struct e2lazy_regions **out)
{
	struct ext2_super_block sb;
	ext2_filsys fs;
	errcode_t err;

	*out = NULL;
	if (!is_valid(plan))
		return EXT2_ET_INVALID_ARGUMENT;
	set_super(plan, &sb);
	err = ext2fs_initialize("plan", EXT2_FLAG_64BITS, &sb,
				scratch_io_manager, &fs);
	if (err)
		return err;
	err = make(plan, fs, out);
	if (err) {
		e2lazy_regions_free(*out);
		*out = NULL;
	}
	ext2fs_free(fs);	/* without a flush */
	return err;
}
