/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* newest_fs.c - newest superblock and group descriptors, from log and place */

#include <string.h>

#include "io/bounds.h"
#include "log/log.h"
#include "newest_fs.h"
#include "map/jmap.h"
#include "map/super.h"

/* Count the groups that the newest superblock has. */
static void count_groups(ext2_filsys fs)
{
	blk64_t blocks = ext2fs_blocks_count(fs->super) -
			 fs->super->s_first_data_block;
	unsigned long need;

	fs->group_desc_count = (dgrp_t)ext2fs_div64_ceil(blocks,
					EXT2_BLOCKS_PER_GROUP(fs->super));
	need = ext2fs_div_ceil(fs->group_desc_count,
			       EXT2_DESC_PER_BLOCK(fs->super));
	if (need > fs->desc_blocks)
		fs->desc_blocks = need;
}

/* Make room for block @i of the descriptors; memory follows the blocks read. */
static errcode_t grow_descriptors(struct newest_fs *n, unsigned long i)
{
	ext2_filsys fs = &n->handle;
	unsigned long more = i < fs->desc_blocks / 2 ? 2 * i + 1 :
						       fs->desc_blocks;
	errcode_t err;

	if (i < n->room)
		return 0;
	err = ext2fs_resize_mem(n->room * fs->blocksize, more * fs->blocksize,
				&n->desc);
	if (!err)
		n->room = more;
	fs->group_desc = n->desc;
	return err;
}

/*
 * The static block of descriptor block @i.  libext2fs counts from
 * s_first_data_block.  A bigalloc file system of 1 KiB blocks has 0 there, but
 * its superblock still lies in block 1.
 */
static blk64_t descriptor_block(struct e2lazy_journal *j, ext2_filsys fs,
				unsigned long i)
{
	if (!ext2fs_has_feature_meta_bg(fs->super) ||
	    i < fs->super->s_first_meta_bg)
		return super_fsblk(j) + 1 + i;
	return ext2fs_descriptor_block_loc2(fs, fs->super->s_first_data_block,
					    (dgrp_t)i);
}

static void swap_descriptors(ext2_filsys fs, unsigned long block)
{
#ifdef WORDS_BIGENDIAN
	unsigned per_block = EXT2_DESC_PER_BLOCK(fs->super);

	for (dgrp_t g = block * per_block;
	     g < (block + 1) * per_block && g < fs->group_desc_count; g++)
		ext2fs_swap_group_desc2(fs, ext2fs_group_desc(fs,
							fs->group_desc, g));
#else
	(void)fs;
	(void)block;
#endif
}

/*
 * Read the descriptor blocks that the log has, and those that the static
 * superblock does not count yet.  A superblock in the log declares the number
 * of the new ones, so they must pass described_count(), as the static ones did.
 */
static errcode_t read_descriptors(struct newest_fs *n,
				  struct e2lazy_journal *j,
				  const struct e2lazy_jmap *map,
				  struct e2lazy_where *where)
{
	struct described described = { 0 };
	ext2_filsys fs = &n->handle;
	struct e2lazy_copy copy;
	errcode_t err = 0;

	for (unsigned long i = 0; !err && i < fs->desc_blocks; i++) {
		blk64_t fsblk = descriptor_block(j, fs, i);
		bool logged = !e2lazy_jmap_lookup(map, fsblk, &copy);
		bool new = i >= j->fs->desc_blocks;
		char *at;

		if (!logged && !new)
			continue;
		err = grow_descriptors(n, i);
		if (err)
			return err;
		at = (char *)fs->group_desc + i * fs->blocksize;
		err = e2lazy_read_block(j, map, fsblk, at);
		if (!err && new)
			err = described_count(&described, at, fs->blocksize,
					      fs->blocksize);
		swap_descriptors(fs, i);
		where->volume = logged ? E2LAZY_JOURNAL : E2LAZY_FILE_SYSTEM;
		where->has = E2LAZY_AT_FSBLK | (logged ? E2LAZY_AT_LOGBLK : 0);
		where->fsblk = fsblk;
		where->logblk = logged ? copy.logblk : 0;
	}
	return err;
}

errcode_t newest_fs_init(struct newest_fs *n, struct e2lazy_journal *j,
			 const struct e2lazy_jmap *map,
			 struct e2lazy_where *where)
{
	size_t bytes = j->fs->desc_blocks * j->fs->blocksize;
	struct e2lazy_copy logged;
	bool is_logged;
	errcode_t err;

	n->handle = *j->fs;
	n->handle.super = &n->super;
	n->desc = NULL;
	is_logged = map && !e2lazy_jmap_lookup(map, super_fsblk(j), &logged);
	err = newest_super(j, is_logged ? &logged : NULL, is_logged &&
			   e2lazy_jmap_is_past(map), &n->super);
	if (!err)
		err = ext2fs_get_mem(bytes, &n->desc);
	if (err)
		return err;
	memcpy(n->desc, j->fs->group_desc, bytes);
	n->room = j->fs->desc_blocks;
	n->handle.group_desc = n->desc;
	count_groups(&n->handle);
	return map ? read_descriptors(n, j, map, where) : 0;
}

void newest_fs_free(struct newest_fs *n)
{
	ext2fs_free_mem(&n->desc);
}
