/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_reader.c - many inodes, each block of their tables read once */

#include <string.h>

#include "inode_life.h"
#include "inode_reader.h"
#include "inode_search.h"

errcode_t inode_reader_init(struct inode_reader *r, ext2_filsys fs,
			    crc32c_fn crc)
{
	*r = (struct inode_reader){ .fs = fs, .crc = crc };
	return io_channel_alloc_buf(fs->io, 1, &r->block);
}

void inode_reader_free(struct inode_reader *r)
{
	ext2fs_free_mem(&r->block);
}

static bool read_home(struct inode_reader *r, blk64_t home)
{
	if (home == r->home)
		return true;
	r->home = 0;
	if (io_channel_read_blk64(r->fs->io, home, 1, r->block))
		return false;
	r->home = home;
	return true;
}

/* The inode as on the disk, if its checksum fits; else NULL. */
static const uint8_t *sound_inode(struct inode_reader *r, ext2_ino_t ino)
{
	struct ext2_super_block *sb = r->fs->super;
	const uint8_t *raw;

	if (!ext2fs_has_feature_metadata_csum(sb) ||
	    ino - 1 >= sb->s_inodes_count ||
	    !inode_has_table(r->fs, (ino - 1) / sb->s_inodes_per_group) ||
	    !read_home(r, inode_home(r->fs, ino)))
		return NULL;
	raw = r->block + inode_offset(r->fs, ino);
	return inode_csum_fits(r->fs, r->crc, ino, raw) ? raw : NULL;
}

/* libext2fs judges all others, and says what is wrong. */
errcode_t inode_reader_get(struct inode_reader *r, ext2_ino_t ino,
			   struct ext2_inode *out)
{
	const uint8_t *raw = sound_inode(r, ino);
	struct ext2_inode_large inode;

	if (!raw)
		return ext2fs_read_inode(r->fs, ino, out);
	inode_take(r->fs, raw, &inode);
	memcpy(out, &inode, sizeof(*out));
	return 0;
}
