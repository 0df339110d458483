/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fs_csum.h - ext4's own checksums, with the processor's crc32c
 *
 * libext2fs computes crc32c without the processor's instruction, and many logs
 * consist mostly of inode tables and directories.  So the library computes their
 * checksums here first, and asks libext2fs only about an inode or a block that
 * does not fit: libext2fs knows which need no checksum, and which cannot have
 * one.
 */
#ifndef E2LAZY_FS_CSUM_H
#define E2LAZY_FS_CSUM_H

#include <stdbool.h>

#include <ext2fs/ext2fs.h>

#include "log/csum.h"

/*
 * The crc32c of file system, inode number and generation: every checksum of an
 * inode's own blocks continues it.  (Linux fs/ext4/inode.c: __ext4_iget().)
 */
uint32_t fs_csum_begin(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		       uint32_t generation);

/*
 * True if the inode's checksum fits its bytes as on the disk, or all of them are
 * 0.  Always false without metadata_csum.
 */
bool inode_csum_fits(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		     const uint8_t *raw);
/* The same of a block of entries, which ends in a record with the checksum. */
bool leaf_csum_fits(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		    uint32_t generation, const uint8_t *block);
/* The same of a node of an extent tree: extent_is_node(). */
bool extent_csum_fits(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		      uint32_t generation, const uint8_t *node);

#endif
