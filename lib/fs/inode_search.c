/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_search.c - the bounds of a search, and a note of damage */

#include <string.h>

#include "block_source.h"
#include "inode_search.h"

bool inode_has_table(ext2_filsys fs, dgrp_t group)
{
	blk64_t table = ext2fs_inode_table_loc(fs, group);
	blk64_t blocks = ext2fs_blocks_count(fs->super);

	return table && table >= fs->super->s_first_data_block &&
	       table < blocks && fs->inode_blocks_per_group <= blocks - table;
}

blk64_t inode_home(ext2_filsys fs, ext2_ino_t ino)
{
	uint32_t per_group = fs->super->s_inodes_per_group;
	uint64_t index = (ino - 1) % per_group;

	return ext2fs_inode_table_loc(fs, (ino - 1) / per_group) +
	       index * EXT2_INODE_SIZE(fs->super) / fs->blocksize;
}

size_t inode_offset(ext2_filsys fs, ext2_ino_t ino)
{
	size_t index = (ino - 1) % fs->super->s_inodes_per_group;

	return index * EXT2_INODE_SIZE(fs->super) % fs->blocksize;
}

/* An inode table of a sparse image can lie in a hole. */
uint32_t e2lazy_empty_inodes(ext2_filsys fs, ext2_ino_t ino, uint32_t count)
{
	uint32_t size = EXT2_INODE_SIZE(fs->super);
	uint32_t per_block = fs->blocksize / size;
	blk64_t home, empty;

	if ((ino - 1) % fs->super->s_inodes_per_group % per_block)
		return 0;
	home = inode_home(fs, ino);
	if (!home || home >= ext2fs_blocks_count(fs->super))
		return 0;
	empty = block_source_hole(fs, home, ((uint64_t)count + per_block - 1) /
						  per_block);
	return empty * per_block < count ? (uint32_t)empty * per_block : count;
}

errcode_t note_unread(struct e2lazy_damage *damage, ext2_filsys fs,
		      errcode_t err, blk64_t fsblk)
{
	const struct e2lazy_where *failed = block_source_failed(fs);

	if (err == E2LAZY_ET_CANCELLED)
		return err;
	if (damage->count++)
		return 0;
	damage->error = err;
	memset(&damage->first, 0, sizeof(damage->first));
	if (failed && failed->has & E2LAZY_AT_FSBLK &&
	    failed->fsblk == fsblk) {
		damage->first = *failed;
		return 0;
	}
	damage->first.has = E2LAZY_AT_FSBLK;
	damage->first.fsblk = fsblk;
	return 0;
}

errcode_t inode_search_init(struct inode_search *s, ext2_filsys fs,
			    found_piece found, void *priv,
			    struct e2lazy_damage *damage)
{
	errcode_t err;

	memset(s, 0, sizeof(*s));
	s->fs = fs;
	s->crc = crc32c_select();
	s->found = found;
	s->priv = priv;
	s->damage = damage;
	s->budget = 2 * ext2fs_blocks_count(fs->super);
	err = io_channel_alloc_buf(fs->io, MAX_MAP_DEPTH, &s->nodes);
	if (!err)
		err = io_channel_alloc_buf(fs->io, 1, &s->block);
	return err;
}

errcode_t inode_search_once(struct inode_search *s)
{
	return ext2fs_allocate_subcluster_bitmap(s->fs, "blocks of a map",
						 &s->seen);
}

void inode_search_free(struct inode_search *s)
{
	if (s->seen)
		ext2fs_free_block_bitmap(s->seen);
	ext2fs_free_mem(&s->nodes);
	ext2fs_free_mem(&s->block);
}

void inode_search_begin(struct inode_search *s, ext2_ino_t ino,
			enum e2lazy_role role)
{
	blk64_t blocks = ext2fs_blocks_count(s->fs->super);

	s->ino = ino;
	s->generation = 0;
	s->role = role;
	s->most = s->left = blocks < s->budget ? blocks : s->budget;
	if (s->seen)
		ext2fs_clear_block_bitmap(s->seen);
}

void inode_search_end(struct inode_search *s)
{
	s->budget -= s->most - s->left;
}

bool inode_search_take(struct inode_search *s, blk64_t fsblk, blk64_t count)
{
	blk64_t first = s->fs->super->s_first_data_block;
	blk64_t end = ext2fs_blocks_count(s->fs->super);

	if (fsblk <= first || fsblk >= end || count == 0 ||
	    count > end - fsblk || count > s->left)
		return false;
	if (s->shared && count > *s->shared)
		return false;
	if (s->seen) {
		if (!ext2fs_test_block_bitmap_range2(s->seen, fsblk, count))
			return false;
		ext2fs_mark_block_bitmap_range2(s->seen, fsblk, count);
	}
	s->left -= count;
	if (s->shared)
		*s->shared -= count;
	return true;
}

errcode_t inode_search_give(struct inode_search *s, enum e2lazy_role role,
			    blk64_t fsblk, uint64_t lblk, blk64_t count,
			    blk64_t at)
{
	struct e2lazy_owner owner = {
		.fsblk = fsblk, .role = role, .ino = s->ino, .lblk = lblk,
		.generation = s->generation,
	};

	if (lblk + count <= (uint64_t)UINT32_MAX + 1 &&
	    inode_search_take(s, fsblk, count))
		return s->found(s->priv, &owner, count);
	return note_unread(s->damage, s->fs, E2LAZY_ET_BLOCK_MAP, at);
}
