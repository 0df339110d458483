/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fs_csum.h - ext4's own checksums, with the processor's crc32c
 *
 * libext2fs computes them without it, and many logs consist mostly of inode
 * tables and directories.  So it is asked only where these do not fit: it knows
 * what needs no checksum, and what cannot have one.
 */
#ifndef E2LAZY_FS_CSUM_H
#define E2LAZY_FS_CSUM_H

#include <stdbool.h>

#include <ext2fs/ext2fs.h>

#include "log/csum.h"

/*
 * The crc32c to begin with for what belongs to an inode: the file system's, of
 * the number and of the generation.  (Linux fs/ext4/inode.c: __ext4_iget().)
 */
uint32_t fs_csum_begin(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		       uint32_t generation);

/* Do the inode's own bytes, as on the disk, fit, or are they all zero? */
bool inode_csum_fits(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		     const uint8_t *raw);
/* A directory's block of entries, of inode @ino. */
bool leaf_csum_fits(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		    uint32_t generation, const uint8_t *block);

#endif
