/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * orphan_file.h - the file of inodes that wait for deletion or truncation
 *
 * With the feature orphan_file an inode of its own holds their numbers, in place
 * of a list that begins in the superblock.
 */
#ifndef E2LAZY_ORPHAN_FILE_H
#define E2LAZY_ORPHAN_FILE_H

#include <stdbool.h>

#include "log/csum.h"

/*
 * orphan_file_each - call @found with each inode number in the orphan file of @fs
 * @sound: set if the file is as a kernel accepts it, to its last block
 *
 * A non-zero return of @found ends the search and is returned.  A block that
 * cannot be read makes the file unsound.
 */
errcode_t orphan_file_each(ext2_filsys fs, crc32c_fn crc,
			   errcode_t (*found)(void *priv, ext2_ino_t ino),
			   void *priv, bool *sound);

#endif
