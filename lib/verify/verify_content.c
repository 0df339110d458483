/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_content.c - verify ext4's own checksums in live copies
 *
 * libext2fs computes them.  It trusts some numbers in a block and would follow
 * them out of the block, so this file bounds them first.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/fs_csum.h"
#include "fs/inode_blocks.h"
#include "fs/kind.h"
#include "map/super.h"
#include "verify.h"

#include <ext2fs/ext2_ext_attr.h>
#include <ext2fs/ext3_extents.h>

/* A live copy with its owner, or a static bitmap. */
struct content {
	const struct e2lazy_copy *copy;	/* NULL for a static block */
	blk64_t		fsblk;
	struct e2lazy_place place;
	struct e2lazy_owner owner;	/* if @place is E2LAZY_TYPE_OTHER */
	uint8_t		*block;
	bool		contradicted;	/* it is not a copy of its block */
};

static void found(struct verify *v, const struct content *c,
		  enum problem problem)
{
	const struct spot spot = { .has = E2LAZY_AT_FSBLK, .fsblk = c->fsblk };

	if (c->copy)
		verify_found_copy(v, problem, c->copy, 0);
	else
		verify_found(v, problem, &spot, 0);
}

/* --------------------------------------------------------------- bitmaps */

/* Clusters of a group; the last group may have fewer. */
static unsigned group_clusters(ext2_filsys fs, dgrp_t group)
{
	unsigned blocks = (unsigned)ext2fs_group_blocks_count(fs, group);

	return (blocks + EXT2FS_CLUSTER_RATIO(fs) - 1) >>
	       fs->cluster_ratio_bits;
}

/*
 * The kernel logs a bitmap together with its descriptor.  If the descriptor agrees
 * with the bitmap in place, and not with the copy, the copy is of another block.
 */
static bool is_right_in_place(const struct verify *v, blk64_t fsblk,
			      unsigned bits, unsigned clear)
{
	io_channel io = v->journal->fs->io;
	uint8_t *block = NULL;
	bool right;

	if (io_channel_alloc_buf(io, 1, &block))
		return false;
	right = !io_channel_read_blk64(io, fsblk, 1, block) &&
		bits_clear(block, bits) == clear;
	ext2fs_free_mem(&block);
	return right;
}

/* The descriptor counts @clear of the bitmap's @bits. */
static void count(struct verify *v, struct content *c, unsigned bits,
		  unsigned clear)
{
	if (bits_clear(c->block, bits) == clear)
		return;
	if (c->copy && v->unproven &&
	    !ext2fs_has_feature_metadata_csum(v->fs->super) &&
	    is_right_in_place(v, c->fsblk, bits, clear))
		c->contradicted = true;
	else
		found(v, c, PROBLEM_BITMAP_COUNT);
}

static bool is_uninit(ext2_filsys fs, dgrp_t group, unsigned flag)
{
	return ext2fs_has_group_desc_csum(fs) &&
	       ext2fs_bg_flags_test(fs, group, (uint16_t)flag);
}

static void block_bitmap(struct verify *v, struct content *c)
{
	dgrp_t group = c->place.group;
	ext2_filsys fs = v->fs;

	if (is_uninit(fs, group, EXT2_BG_BLOCK_UNINIT))
		return;
	if (!ext2fs_block_bitmap_csum_verify(fs, group, (char *)c->block,
			(int)EXT2_CLUSTERS_PER_GROUP(fs->super) / 8))
		found(v, c, PROBLEM_BLOCK_BITMAP_CSUM);
	count(v, c, group_clusters(fs, group),
	      ext2fs_bg_free_blocks_count(fs, group));
}

static void inode_bitmap(struct verify *v, struct content *c)
{
	dgrp_t group = c->place.group;
	ext2_filsys fs = v->fs;
	unsigned bits = EXT2_INODES_PER_GROUP(fs->super);

	if (is_uninit(fs, group, EXT2_BG_INODE_UNINIT))
		return;
	if (!ext2fs_inode_bitmap_csum_verify(fs, group, (char *)c->block,
					     (int)bits / 8))
		found(v, c, PROBLEM_INODE_BITMAP_CSUM);
	count(v, c, bits, ext2fs_bg_free_inodes_count(fs, group));
}

/* -------------------------------------------------------------- inodes */

/* Skip the last inodes of a group that were never written. */
static void inode_table(struct verify *v, struct content *c)
{
	ext2_filsys fs = v->fs;
	unsigned size = EXT2_INODE_SIZE(fs->super);
	uint32_t first = c->place.ino - 1;
	uint32_t in_group = first % EXT2_INODES_PER_GROUP(fs->super);
	uint32_t end = e2lazy_group_inodes(fs, c->place.group);
	uint32_t per_block = EXT2_INODES_PER_BLOCK(fs->super);

	for (uint32_t i = 0; i < per_block && in_group + i < end; i++) {
		uint8_t *raw = c->block + (size_t)i * size;

		if (!inode_csum_fits(fs, v->journal->csum.crc, first + i + 1,
				     raw) &&
		    !ext2fs_inode_csum_verify(fs, first + i + 1, (void *)raw))
			verify_found_copy(v, PROBLEM_INODE_CSUM, c->copy, 0);
	}
}

/* ---------------------------------------------------- blocks of inodes */

/* Nodes of an index and blocks without a tail are for libext2fs. */
static bool directory(struct verify *v, const struct content *c)
{
	return leaf_csum_fits(v->fs, v->journal->csum.crc, c->owner.ino,
			      c->owner.generation, c->block) ||
	       ext2fs_dir_block_csum_verify(v->fs, c->owner.ino,
					    (void *)c->block);
}

/* eh_max says where the checksum stands, so bound it first. */
static bool extent_node(struct verify *v, const struct content *c)
{
	struct ext3_extent_header *node = (void *)c->block;
	unsigned most = (v->fs->blocksize - sizeof(*node) -
			 sizeof(struct ext3_extent_tail)) /
			sizeof(struct ext3_extent);

	return ext2fs_le16_to_cpu(node->eh_max) <= most &&
	       ext2fs_extent_block_csum_verify(v->fs, c->owner.ino, node);
}

/* A file that holds an attribute's value has no header. */
static bool xattr(struct verify *v, const struct content *c)
{
	struct ext2_ext_attr_header *header = (void *)c->block;
	struct ext2_inode inode;

	return ext2fs_read_inode(v->fs, c->owner.ino, &inode) ||
	       ext2fs_file_acl_block(v->fs, &inode) != c->fsblk ||
	       ext2fs_ext_attr_block_csum_verify(v->fs, c->owner.ino, c->fsblk,
						 header);
}

typedef void (*check)(struct verify *v, struct content *c);

static const check type_checks[E2LAZY_NR_TYPES] = {
	[E2LAZY_TYPE_BLOCK_BITMAP]	= block_bitmap,
	[E2LAZY_TYPE_INODE_BITMAP]	= inode_bitmap,
	[E2LAZY_TYPE_INODE_TABLE]	= inode_table,
};

static const struct {
	bool		(*fits)(struct verify *v, const struct content *c);
	enum problem	problem;
} role_checks[E2LAZY_NR_ROLES] = {
	[E2LAZY_ROLE_DIRECTORY]	= { directory, PROBLEM_DIRECTORY_CSUM },
	[E2LAZY_ROLE_HTREE]	= { directory, PROBLEM_HTREE_CSUM },
	[E2LAZY_ROLE_EXTENT]	= { extent_node, PROBLEM_EXTENT_CSUM },
	[E2LAZY_ROLE_XATTR]	= { xattr, PROBLEM_XATTR_CSUM },
};

/* The role of a block without an owner has no checks. */
static void find_place(struct verify *v, size_t index, struct content *c)
{
	c->owner.role = E2LAZY_ROLE_UNOWNED;
	e2lazy_layout_find(v->subject->layout, c->fsblk, &c->place);
	if (c->place.type == E2LAZY_TYPE_OTHER && v->owners &&
	    owners_find_near(v->owners, c->fsblk, index, &c->owner))
		c->owner.role = E2LAZY_ROLE_UNOWNED;
}

/* What is wrong with it as a block of its place, or NR_PROBLEMS. */
static enum problem wrong_with(struct verify *v, const struct content *c)
{
	const struct kind kind = {
		.fs = v->fs, .before = v->journal->fs, .fsblk = c->fsblk,
		.place = c->place, .owner = c->owner, .block = c->block,
	};

	if (c->place.type == E2LAZY_TYPE_OTHER &&
	    role_checks[c->owner.role].fits &&
	    !role_checks[c->owner.role].fits(v, c))
		return role_checks[c->owner.role].problem;
	/* A checksum that proves the tag leaves no doubt. */
	return v->unproven && (c->contradicted || !kind_fits(&kind)) ?
	       PROBLEM_TAG_CONTRADICTED : NR_PROBLEMS;
}

/*
 * A damage may hide that the block has got another owner, whose contents the
 * kernel then wrote home.
 */
static bool is_newer_in_place(struct verify *v, const struct content *copy)
{
	io_channel io = v->journal->fs->io;
	struct content c = *copy;
	bool newer;

	if (!verify_is_cut(v) || c.place.type != E2LAZY_TYPE_OTHER ||
	    !e2lazy_tid_after(v->end->tid, c.copy->tid) ||
	    io_channel_alloc_buf(io, 1, &c.block))
		return false;
	newer = !io_channel_read_blk64(io, c.fsblk, 1, c.block) &&
		wrong_with(v, &c) == NR_PROBLEMS;
	ext2fs_free_mem(&c.block);
	return newer;
}

void verify_content(struct verify *v, size_t index,
		    const struct e2lazy_copy *copy, uint8_t *block)
{
	struct content c = { .copy = copy, .fsblk = copy->fsblk,
			     .block = block };
	enum problem wrong;

	find_place(v, index, &c);
	if (c.place.type != E2LAZY_TYPE_OTHER && type_checks[c.place.type])
		type_checks[c.place.type](v, &c);
	wrong = wrong_with(v, &c);
	if (wrong == NR_PROBLEMS)
		return;
	if (is_newer_in_place(v, &c))
		wrong = PROBLEM_NEWER_IN_PLACE;
	found(v, &c, wrong);
}

/* ----------------------------------------------------- group descriptors */

/* Does the static descriptor equal the newest one? */
static bool is_as_before(const struct verify *v, dgrp_t group)
{
	ext2_filsys fs = v->fs, before = v->journal->fs;

	return group < before->group_desc_count &&
	       EXT2_DESC_SIZE(fs->super) == EXT2_DESC_SIZE(before->super) &&
	       !memcmp(ext2fs_group_desc(fs, fs->group_desc, group),
		       ext2fs_group_desc(before, before->group_desc, group),
		       EXT2_DESC_SIZE(fs->super));
}

/* verify_content() judges bitmaps that have live copies. */
static void bitmap_in_place(struct verify *v, dgrp_t group, blk64_t fsblk,
			    check judge, uint8_t *block)
{
	struct content c = { .fsblk = fsblk, .block = block };
	const struct spot spot = { .has = E2LAZY_AT_FSBLK, .fsblk = fsblk };
	struct e2lazy_copy copy;
	errcode_t err;

	c.place.group = group;
	if (!fsblk || fsblk >= ext2fs_blocks_count(v->fs->super) ||
	    !e2lazy_jmap_lookup(v->map, fsblk, &copy))
		return;
	err = io_channel_read_blk64(v->fs->io, fsblk, 1, block);
	if (err)
		verify_found(v, PROBLEM_UNREADABLE, &spot, err);
	else
		judge(v, &c);
}

/*
 * The kernel logs a descriptor with its bitmaps.  If the log has only one of
 * them, as after a lost copy, they are of different times.
 */
static void judge_group(struct verify *v, dgrp_t group,
			const struct e2lazy_copy *copy, uint8_t *block)
{
	ext2_filsys fs = v->fs;

	if (!ext2fs_group_desc_csum_verify(fs, group))
		verify_found_copy(v, PROBLEM_DESC_CSUM, copy, 0);
	else if (!is_as_before(v, group)) {
		bitmap_in_place(v, group, ext2fs_block_bitmap_loc(fs, group),
				block_bitmap, block);
		bitmap_in_place(v, group, ext2fs_inode_bitmap_loc(fs, group),
				inode_bitmap, block);
	}
}

/* @index: of the block, among those of the descriptors. */
static bool descriptors_fit(const struct verify *v, dgrp_t index, blk64_t at,
			    uint8_t *block)
{
	ext2_filsys fs = v->fs;
	struct kind kind = { .fs = fs, .before = v->journal->fs, .fsblk = at,
			     .block = block };

	if (!v->unproven || ext2fs_has_group_desc_csum(fs) ||
	    io_channel_read_blk64(fs->io, at, 1, block))
		return true;
	if (ext2fs_has_feature_meta_bg(fs->super) &&
	    index >= fs->super->s_first_meta_bg)
		kind.place.group = index * EXT2_DESC_PER_BLOCK(fs->super);
	return kind_descriptors_fit(&kind);
}

/* The handle on the view has read the descriptors; without one, skip them. */
errcode_t verify_descriptors(struct verify *v)
{
	ext2_filsys fs = v->fs;
	dgrp_t per_block = EXT2_DESC_PER_BLOCK(fs->super);
	blk64_t first = fs->super->s_first_data_block;
	struct e2lazy_copy copy;
	uint8_t *block = NULL;
	errcode_t err;

	err = io_channel_alloc_buf(fs->io, 1, &block);
	for (dgrp_t i = 0; !err && i < fs->desc_blocks; i++) {
		blk64_t at = ext2fs_descriptor_block_loc2(fs, first, i);

		if (e2lazy_jmap_lookup(v->map, at, &copy))
			continue;
		if (!descriptors_fit(v, i, at, block)) {
			verify_found_copy(v, PROBLEM_TAG_CONTRADICTED, &copy,
					  0);
			continue;
		}
		for (dgrp_t g = i * per_block; g < (i + 1) * per_block &&
		     g < fs->group_desc_count; g++)
			judge_group(v, g, &copy, block);
	}
	ext2fs_free_mem(&block);
	return err;
}
