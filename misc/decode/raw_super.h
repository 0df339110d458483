/* SPDX-License-Identifier: GPL-2.0-only */
/* raw_super.h - the superblock in place, of a device that need not open */
#ifndef MISC_RAW_SUPER_H
#define MISC_RAW_SUPER_H

#include <stdbool.h>
#include <stdint.h>
#include <ext2fs/ext2fs.h>

/*
 * Read the primary superblock as it is, but in the byte order of the host.
 * @offset: bytes before the file system.  False: it cannot be read.
 */
bool raw_super_read(const char *device, uint64_t offset,
		    struct ext2_super_block *sb);

#endif
