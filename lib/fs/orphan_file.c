/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * orphan_file.c - the file of inodes that wait for deletion or truncation
 *
 * Each of its blocks is an array of inode numbers, 0 in a free place, and ends
 * in a magic number and a checksum.  The checksum covers the number of the
 * static block and the array, and begins with that of the inode.  (Linux
 * fs/ext4/orphan.c: ext4_init_orphan_info().)
 */

#include "io/bytes.h"
#include "fs_csum.h"
#include "inode_blocks.h"
#include "orphan_file.h"

#define TAIL		8	/* magic and checksum, at the end of a block */
#define MAGIC		0x0b10ca04
#define MOST_BYTES	(8 << 20)	/* of a file that a kernel accepts */

struct orphan_file {
	ext2_filsys	fs;
	crc32c_fn	crc;
	struct inode_search search;
	uint32_t	seed;
	uint64_t	next;		/* block of the file that is due */
	uint8_t		*block;
	bool		sound;
	errcode_t	(*found)(void *priv, ext2_ino_t ino);
	void		*priv;
};

static bool is_block(const struct orphan_file *f, blk64_t fsblk)
{
	const uint8_t *tail = f->block + f->fs->blocksize - TAIL;
	uint8_t number[8];
	uint32_t sum;

	if (get_le32(tail) != MAGIC)
		return false;
	if (!ext2fs_has_feature_metadata_csum(f->fs->super))
		return true;
	put_le32(number, (uint32_t)fsblk);
	put_le32(number + 4, (uint32_t)(fsblk >> 32));
	sum = f->crc(f->seed, number, sizeof(number));
	return f->crc(sum, f->block, f->fs->blocksize - TAIL) ==
	       get_le32(tail + 4);
}

static errcode_t give_numbers(const struct orphan_file *f)
{
	errcode_t err = 0;

	for (unsigned at = 0; !err && at + TAIL < f->fs->blocksize; at += 4)
		if (get_le32(f->block + at))
			err = f->found(f->priv, get_le32(f->block + at));
	return err;
}

static errcode_t take_block(struct orphan_file *f, blk64_t fsblk)
{
	errcode_t err = io_channel_read_blk64(f->fs->io, fsblk, 1, f->block);

	if (err == E2LAZY_ET_CANCELLED)
		return err;
	f->next++;
	if (!err && is_block(f, fsblk))
		return give_numbers(f);
	f->sound = false;
	return 0;
}

/* Blocks come in the order of the file, so one that is not due follows a hole. */
static errcode_t take_piece(void *priv, const struct e2lazy_owner *owner,
			    blk64_t count)
{
	struct orphan_file *f = priv;
	errcode_t err = 0;

	if (owner->role != E2LAZY_ROLE_SYSTEM)
		return 0;
	if (owner->lblk != f->next || f->search.unwritten ||
	    count > MOST_BYTES / f->fs->blocksize - f->next) {
		f->sound = false;
		return 0;
	}
	for (blk64_t i = 0; !err && i < count; i++)
		err = take_block(f, owner->fsblk + i);
	return err;
}

static bool is_file(const struct orphan_file *f, const struct ext2_inode *inode)
{
	return LINUX_S_ISREG(inode->i_mode) && inode->i_links_count &&
	       EXT2_I_SIZE(inode) && EXT2_I_SIZE(inode) <= MOST_BYTES &&
	       EXT2_I_SIZE(inode) % f->fs->blocksize == 0;
}

static errcode_t read_file(struct orphan_file *f, ext2_ino_t ino,
			   const struct ext2_inode *inode)
{
	errcode_t err;

	f->seed = fs_csum_begin(f->fs, f->crc, ino, inode->i_generation);
	f->sound = is_file(f, inode);
	err = f->sound ? inode_search_one(&f->search, ino, inode) : 0;
	f->sound &= f->search.sound &&
		    f->next == EXT2_I_SIZE(inode) / f->fs->blocksize;
	return err;
}

errcode_t orphan_file_each(ext2_filsys fs, crc32c_fn crc,
			   errcode_t (*found)(void *priv, ext2_ino_t ino),
			   void *priv, bool *sound)
{
	struct orphan_file f = { .fs = fs, .crc = crc, .found = found,
				 .priv = priv };
	ext2_ino_t ino = fs->super->s_orphan_file_inum;
	struct e2lazy_damage damage = { .count = 0 };
	struct ext2_inode inode;
	errcode_t err;

	err = inode_search_init(&f.search, fs, take_piece, &f, &damage);
	if (!err)
		err = io_channel_alloc_buf(fs->io, 1, &f.block);
	/* libext2fs refuses the numbers that are no inode's. */
	if (!err && !ext2fs_read_inode(fs, ino, &inode))
		err = read_file(&f, ino, &inode);
	*sound = f.sound;
	ext2fs_free_mem(&f.block);
	inode_search_free(&f.search);
	return err;
}
