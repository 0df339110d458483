/* SPDX-License-Identifier: GPL-2.0-only */
/* inode_search.c - what bounds a search, and what it could not read */
#include "config.h"

#include <string.h>

#include "../log/log.h"
#include "inode_search.h"

blk64_t inode_home(ext2_filsys fs, ext2_ino_t ino)
{
	uint32_t per_group = fs->super->s_inodes_per_group;
	uint64_t index = (ino - 1) % per_group;

	return ext2fs_inode_table_loc(fs, (ino - 1) / per_group) +
	       index * EXT2_INODE_SIZE(fs->super) / fs->blocksize;
}

void note_unread(struct e2lazy_damage *damage, ext2_filsys fs, errcode_t err,
		 blk64_t fsblk)
{
	const struct e2lazy_where *failed = e2lazy_view_failed(fs);

	if (damage->count++)
		return;
	damage->error = err;
	memset(&damage->first, 0, sizeof(damage->first));
	if (failed && failed->has & E2LAZY_AT_FSBLK &&
	    failed->fsblk == fsblk) {
		damage->first = *failed;
		return;
	}
	copy_device_name(damage->first.device, fs->device_name);
	damage->first.has = E2LAZY_AT_FSBLK;
	damage->first.fsblk = fsblk;
}

errcode_t inode_search_init(struct inode_search *s, ext2_filsys fs,
			    found_piece found, void *priv,
			    struct e2lazy_damage *damage)
{
	errcode_t err;

	memset(s, 0, sizeof(*s));
	s->fs = fs;
	s->found = found;
	s->priv = priv;
	s->damage = damage;
	s->budget = 2 * ext2fs_blocks_count(fs->super);
	err = io_channel_alloc_buf(fs->io, MAX_MAP_DEPTH, &s->nodes);
	if (!err)
		err = io_channel_alloc_buf(fs->io, 1, &s->block);
	return err;
}

void inode_search_free(struct inode_search *s)
{
	ext2fs_free_mem(&s->nodes);
	ext2fs_free_mem(&s->block);
}

bool inode_search_take(struct inode_search *s, blk64_t fsblk, blk64_t count)
{
	blk64_t first = s->fs->super->s_first_data_block;
	blk64_t end = ext2fs_blocks_count(s->fs->super);

	if (fsblk <= first || fsblk >= end || count == 0 ||
	    count > end - fsblk || count > s->left)
		return false;
	s->left -= count;
	return true;
}

errcode_t inode_search_give(struct inode_search *s, enum e2lazy_role role,
			    blk64_t fsblk, uint64_t lblk, blk64_t count,
			    blk64_t at)
{
	struct e2lazy_owner owner = {
		.fsblk = fsblk, .role = role, .ino = s->ino, .lblk = lblk,
	};

	if (lblk + count <= (uint64_t)UINT32_MAX + 1 &&
	    inode_search_take(s, fsblk, count))
		return s->found(s->priv, &owner, count);
	note_unread(s->damage, s->fs, E2LAZY_ET_BLOCK_MAP, at);
	return 0;
}
