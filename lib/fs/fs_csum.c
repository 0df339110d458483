/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fs_csum.c - ext4's own checksums, with the processor's crc32c */

#include <string.h>

#include "extent_node.h"
#include "fs_csum.h"

uint32_t fs_csum_begin(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		       uint32_t generation)
{
	uint8_t numbers[8];

	put_le32(numbers, ino);
	put_le32(numbers + 4, generation);
	return crc(fs->csum_seed, numbers, sizeof(numbers));
}

/* ---------------------------------------------------------------- inodes */

/* Offsets of the fields of struct ext2_inode_large. */
#define AT_GENERATION	0x64
#define AT_SUM_LOW	0x7c
#define AT_EXTRA_SIZE	0x80
#define AT_SUM_HIGH	0x82
#define EXTRA_OF_SUM	4	/* bytes of extra fields that hold the sum */

#define HEAD_BYTES	256	/* few inodes are larger */

/*
 * The sum of all bytes of the inode, the sum's own as if they were zero, behind
 * what fs_csum_begin() sums up.  One call for most inodes: a call costs more than
 * 256 bytes do.
 */
static uint32_t inode_sum(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
			  const uint8_t *raw, bool has_high)
{
	size_t size = EXT2_INODE_SIZE(fs->super);
	size_t head = size < HEAD_BYTES ? size : HEAD_BYTES;
	uint8_t bytes[8 + HEAD_BYTES], *inode = bytes + 8;
	uint32_t sum;

	put_le32(bytes, ino);
	memcpy(bytes + 4, raw + AT_GENERATION, 4);
	memcpy(inode, raw, head);
	put_le16(inode + AT_SUM_LOW, 0);
	if (has_high)
		put_le16(inode + AT_SUM_HIGH, 0);
	sum = crc(fs->csum_seed, bytes, 8 + head);
	return size > head ? crc(sum, raw + head, size - head) : sum;
}

bool inode_csum_fits(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		     const uint8_t *raw)
{
	size_t size = EXT2_INODE_SIZE(fs->super);
	bool has_high = size > EXT2_GOOD_OLD_INODE_SIZE &&
			get_le16(raw + AT_EXTRA_SIZE) >= EXTRA_OF_SUM;
	uint32_t sum, stored = get_le16(raw + AT_SUM_LOW);

	if (!ext2fs_has_feature_metadata_csum(fs->super))
		return false;
	if (is_zeros(raw, size))
		return true;
	sum = inode_sum(fs, crc, ino, raw, has_high);
	if (has_high)
		stored |= (uint32_t)get_le16(raw + AT_SUM_HIGH) << 16;
	return stored == (has_high ? sum : sum & 0xffff);
}

/* ----------------------------------------------------------- directories */

bool leaf_csum_fits(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		    uint32_t generation, const uint8_t *block)
{
	size_t size = fs->blocksize - sizeof(struct ext2_dir_entry_tail);
	struct ext2_dir_entry_tail tail;

	memcpy(&tail, block + size, sizeof(tail));
	return ext2fs_has_feature_metadata_csum(fs->super) &&
	       !tail.det_reserved_zero1 &&
	       ext2fs_le16_to_cpu(tail.det_rec_len) == sizeof(tail) &&
	       ext2fs_le16_to_cpu(tail.det_reserved_name_len) ==
	       EXT2_DIR_NAME_LEN_CSUM &&
	       crc(fs_csum_begin(fs, crc, ino, generation), block, size) ==
	       ext2fs_le32_to_cpu(tail.det_checksum);
}

/* ---------------------------------------------------------- extent trees */

bool extent_csum_fits(ext2_filsys fs, crc32c_fn crc, ext2_ino_t ino,
		      uint32_t generation, const uint8_t *node)
{
	size_t tail = extent_tail(node);

	return ext2fs_has_feature_metadata_csum(fs->super) &&
	       tail + sizeof(uint32_t) <= fs->blocksize &&
	       crc(fs_csum_begin(fs, crc, ino, generation), node, tail) ==
	       get_le32(node + tail);
}
