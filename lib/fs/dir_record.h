/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dir_record.h - a record of a directory block, as it lies on disk
 *
 * Inode, 4 bytes; length of the record, 2; length of the name, type, name.
 * libext2fs swaps the blocks that it reads, but only whole and sound ones, so
 * nothing here takes a struct ext2_dir_entry for the bytes of a block.  (Linux
 * fs/ext4/ext4.h: struct ext4_dir_entry_2.)
 */
#ifndef E2LAZY_DIR_RECORD_H
#define E2LAZY_DIR_RECORD_H

#include <ext2fs/ext2_fs.h>

#include "io/bytes.h"

#define DIR_RECORD	8	/* bytes in front of the name */

static inline uint32_t dir_record_ino(const uint8_t *record)
{
	return get_le32(record);
}

static inline unsigned dir_record_name_length(const uint8_t *record)
{
	return record[6];
}

/* EXT2_FT_..., or 0 on a file system without the feature filetype. */
static inline unsigned dir_record_type(const uint8_t *record)
{
	return record[7];
}

/* The type of a file of that mode. */
static inline uint8_t dir_type_of(unsigned mode)
{
	static const uint8_t types[16] = {
		[1] = EXT2_FT_FIFO, [2] = EXT2_FT_CHRDEV, [4] = EXT2_FT_DIR,
		[6] = EXT2_FT_BLKDEV, [8] = EXT2_FT_REG_FILE,
		[10] = EXT2_FT_SYMLINK, [12] = EXT2_FT_SOCK,
	};

	return types[mode >> 12 & 15];
}

static inline const char *dir_record_name(const uint8_t *record)
{
	return (const char *)record + DIR_RECORD;
}

/* The least length of a record with such a name. */
static inline unsigned dir_record_need(unsigned name_length)
{
	return (DIR_RECORD + name_length + 3) & ~3U;
}

/* 16 bits cannot hold 65536, so blocks of 64 KiB have bits 16 and 17 below. */
static inline unsigned dir_record_length(const uint8_t *record,
					 unsigned blocksize)
{
	unsigned length = get_le16(record + 4);

	if (blocksize < 65536)
		return length;
	if (length == 65535 || length == 0)
		return 65536;
	return (length & 65532) | (length & 3) << 16;
}

static inline void dir_record_set_length(uint8_t *record, unsigned length)
{
	put_le16(record + 4, length < 65536 ? length : 65535);
}

/* The length, or 0 if it is impossible or exceeds @room bytes. */
static inline unsigned dir_record_sound(const uint8_t *record,
					unsigned blocksize, size_t room)
{
	unsigned length = room < DIR_RECORD ? 0 :
			  dir_record_length(record, blocksize);

	return length % 4 || length > room ||
	       length < DIR_RECORD + (length ? dir_record_name_length(record) :
					       0) ? 0 : length;
}

#endif
