/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_reader.h - many inodes, each block of their tables read once */
#ifndef E2LAZY_INODE_READER_H
#define E2LAZY_INODE_READER_H

#include "fs_csum.h"

struct inode_reader {
	ext2_filsys	fs;
	crc32c_fn	crc;
	uint8_t		*block;
	blk64_t		home;		/* the block in @block; 0: none */
};

errcode_t inode_reader_init(struct inode_reader *r, ext2_filsys fs,
			    crc32c_fn crc);
void inode_reader_free(struct inode_reader *r);

/* The file system is that of another time now. */
static inline void inode_reader_forget(struct inode_reader *r)
{
	r->home = 0;
}

/* As ext2fs_read_inode(), with the same errors. */
errcode_t inode_reader_get(struct inode_reader *r, ext2_ino_t ino,
			   struct ext2_inode *out);

#endif
