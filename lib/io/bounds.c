/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bounds.c - a file system may declare no more groups than it describes
 *
 * libext2fs takes the number of groups from the superblock and allocates all
 * descriptors before it reads the first one; most later allocations count
 * groups, too.  A superblock in an image of 44 KiB can declare 2^28 groups.
 * So open_bounded() opens the superblock alone first, and then reads the
 * descriptors of a large file system piece by piece.  A group that exists has
 * a descriptor, which names its bitmaps and so is never all zeros.
 *
 * Rules: Linux fs/ext4/super.c, ext4_block_group_meta_init() and
 * ext4_check_geometry(), for the sizes of a group.
 */

#include "bounds.h"
#include "bytes.h"
#include "e2lazy.h"

/* Bytes of descriptors in one read. */
#define PIECE_BYTES	(1 << 18)

/* ----------------------------------------------------------- descriptors */

errcode_t described_count(struct described *d, const void *blocks,
			  size_t bytes, unsigned blocksize)
{
	const uint8_t *at = blocks, *end = at + bytes;

	for (; at < end; at += blocksize) {
		if (!is_zeros(at, blocksize))
			d->held += blocksize;
		else
			d->empty += blocksize;
		if (d->empty > d->held + E2LAZY_EMPTY_DESCRIPTORS)
			return E2LAZY_ET_GROUPS;
	}
	return 0;
}

/* Blocks of descriptors that lie in a row behind the superblock. */
static unsigned long consecutive(ext2_filsys fs)
{
	if (ext2fs_has_feature_meta_bg(fs->super) &&
	    fs->super->s_first_meta_bg < fs->desc_blocks)
		return fs->super->s_first_meta_bg;
	return fs->desc_blocks;
}

struct looking {
	ext2_filsys	fs;
	blk64_t		super;		/* block of the superblock in use */
	struct described described;
	uint8_t		*piece;
	unsigned	room;		/* blocks of @piece */
};

static errcode_t look_at(struct looking *l, blk64_t fsblk, unsigned count)
{
	unsigned blocksize = l->fs->blocksize;
	errcode_t err = io_channel_read_blk64(l->fs->io, fsblk, (int)count,
					      l->piece);

	if (err)
		return err;
	return described_count(&l->described, l->piece,
			       (size_t)count * blocksize, blocksize);
}

/*
 * libext2fs counts from s_first_data_block.  A bigalloc file system of 1 KiB
 * blocks has 0 there, but its superblock still lies in block 1.
 */
static errcode_t look_at_all(struct looking *l)
{
	unsigned long old = consecutive(l->fs), n;
	blk64_t first = l->super + 1;
	errcode_t err = 0;

	if (l->super == 0 && l->fs->blocksize == 1024)
		first++;
	for (unsigned long i = 0; !err && i < l->fs->desc_blocks; i += n) {
		if (i < old) {
			n = old - i < l->room ? old - i : l->room;
			err = look_at(l, first + i, (unsigned)n);
			continue;
		}
		n = 1;
		err = look_at(l, ext2fs_descriptor_block_loc2(l->fs, l->super,
							      (dgrp_t)i), 1);
	}
	return err;
}

static errcode_t check_descriptors(ext2_filsys fs, int superblock)
{
	struct looking l = {
		.fs = fs,
		.super = superblock ? (blk64_t)superblock :
				      fs->super->s_first_data_block,
		.room = PIECE_BYTES / fs->blocksize,
	};
	errcode_t err;

	if ((uint64_t)fs->desc_blocks * fs->blocksize <=
	    E2LAZY_EMPTY_DESCRIPTORS)
		return 0;
	err = io_channel_alloc_buf(fs->io, (int)l.room, &l.piece);
	if (!err)
		err = look_at_all(&l);
	ext2fs_free_mem(&l.piece);
	return err;
}

/* -------------------------------------------------------------- geometry */

/* Each group has at least two bitmaps and its inode table. */
static bool groups_fit(ext2_filsys fs)
{
	uint64_t each = 2 + (uint64_t)fs->inode_blocks_per_group;

	return each * fs->group_desc_count <= ext2fs_blocks_count(fs->super);
}

static bool is_possible(ext2_filsys fs)
{
	const struct ext2_super_block *sb = fs->super;
	uint64_t bits = 8 * (uint64_t)fs->blocksize;

	return sb->s_inodes_per_group >= fs->blocksize / EXT2_INODE_SIZE(sb) &&
	       sb->s_inodes_per_group <= bits &&
	       sb->s_clusters_per_group <= bits &&
	       consecutive(fs) < sb->s_blocks_per_group && groups_fit(fs);
}

static errcode_t check(ext2_filsys fs, int superblock)
{
	if (ext2fs_has_feature_journal_dev(fs->super))
		return 0;
	return is_possible(fs) ? check_descriptors(fs, superblock) :
				 E2LAZY_ET_GEOMETRY;
}

/*
 * These need no check: a superblock alone takes no memory, and a writer's file
 * system passed the check when it was judged.
 */
#define TRUSTED		(EXT2_FLAG_SUPER_ONLY | EXT2_FLAG_RW)

errcode_t open_bounded(const char *name, const char *io_options, int flags,
		       int superblock, unsigned blocksize, io_manager manager,
		       ext2_filsys *out)
{
	errcode_t err = 0;

	*out = NULL;
	if (!(flags & TRUSTED)) {
		err = ext2fs_open2(name, io_options,
				   flags | EXT2_FLAG_SUPER_ONLY, superblock,
				   blocksize, manager, out);
		if (!err)
			err = check(*out, superblock);
		if (err && flags & EXT2_FLAG_NOFREE_ON_ERROR)
			return err;
		if (*out)
			ext2fs_free(*out);
		*out = NULL;
	}
	if (!err)
		err = ext2fs_open2(name, io_options, flags, superblock,
				   blocksize, manager, out);
	if (!err)
		(*out)->default_bitmap_type = EXT2FS_BMAP64_RBTREE;
	return err;
}
