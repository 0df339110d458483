/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * inode_raw.c - an inode as bytes of its table
 *
 * A record holds the bytes of an inode, so the replay works on these, not on
 * libext2fs's structure.  The checksum is that of Linux
 * fs/ext4/inode.c: ext4_inode_csum().
 */

#include <string.h>

#include "fs/inode_search.h"
#include "replay.h"

static blk64_t place(const struct e2lazy_replay *r, ext2_ino_t ino,
		     unsigned *offset)
{
	*offset = (unsigned)inode_offset(r->fs, ino);
	return inode_home(r->fs, ino);
}

errcode_t raw_read(struct e2lazy_replay *r, ext2_ino_t ino, uint8_t *to)
{
	const uint8_t *block;
	unsigned offset;
	errcode_t err = overlay_read(&r->overlay, place(r, ino, &offset),
				     &block);

	if (!err)
		memcpy(to, block + offset, r->inode_size);
	return err;
}

uint32_t raw_ctime_extra(const struct e2lazy_replay *r, const uint8_t *raw)
{
	return r->inode_size > EXT2_GOOD_OLD_INODE_SIZE &&
	       get_le16(raw + I_EXTRA) >=
	       I_CTIME_EXTRA + 4 - EXT2_GOOD_OLD_INODE_SIZE ?
		       get_le32(raw + I_CTIME_EXTRA) : 0;
}

struct e2lazy_time raw_ctime(const struct e2lazy_replay *r, const uint8_t *raw)
{
	return inode_time(get_le32(raw + I_CTIME), raw_ctime_extra(r, raw));
}

uint32_t raw_seed(const struct e2lazy_replay *r, ext2_ino_t ino,
		  const uint8_t *raw)
{
	uint8_t number[4];
	uint32_t crc;

	put_le32(number, ino);
	crc = ext2fs_crc32c_le(r->fs->csum_seed, number, 4);
	return ext2fs_crc32c_le(crc, raw + I_GENERATION, 4);
}

/* The high half has a place only in an inode whose extra part covers it. */
static bool has_high(const struct e2lazy_replay *r, const uint8_t *raw)
{
	return r->inode_size > 128 && get_le16(raw + I_EXTRA) >= 4;
}

static uint32_t csum(const struct e2lazy_replay *r, ext2_ino_t ino,
		     const uint8_t *raw)
{
	uint8_t copy[4096];

	memcpy(copy, raw, r->inode_size);
	put_le16(copy + I_CSUM, 0);
	if (has_high(r, raw))
		put_le16(copy + I_CSUM_HIGH, 0);
	return ext2fs_crc32c_le(raw_seed(r, ino, raw), copy, r->inode_size);
}

bool raw_is_sound(struct e2lazy_replay *r, ext2_ino_t ino, const uint8_t *raw)
{
	uint32_t sum;

	if (!ext2fs_has_feature_metadata_csum(r->fs->super))
		return true;
	sum = csum(r, ino, raw);
	return get_le16(raw + I_CSUM) == (sum & 0xffff) &&
	       (!has_high(r, raw) || get_le16(raw + I_CSUM_HIGH) == sum >> 16);
}

errcode_t raw_write(struct e2lazy_replay *r, ext2_ino_t ino, uint8_t *raw)
{
	unsigned offset;
	blk64_t fsblk = place(r, ino, &offset);
	uint8_t *block;
	bool used;
	uint32_t sum;
	errcode_t err = inode_block_used(r, ino, &used);

	if (err)
		return err;
	if (ext2fs_has_feature_metadata_csum(r->fs->super)) {
		sum = csum(r, ino, raw);
		put_le16(raw + I_CSUM, sum & 0xffff);
		if (has_high(r, raw))
			put_le16(raw + I_CSUM_HIGH, sum >> 16);
	}
	err = used || overlay_has(&r->overlay, fsblk) ?
	      overlay_change(&r->overlay, fsblk, E2LAZY_TYPE_INODE_TABLE,
			     &block) :
	      overlay_new(&r->overlay, fsblk, E2LAZY_TYPE_INODE_TABLE,
			  &block);
	if (!err)
		memcpy(block + offset, raw, r->inode_size);
	return err;
}

bool raw_is_mapped(const uint8_t *raw)
{
	uint32_t mode = get_le16(raw + I_MODE);
	uint32_t flags = get_le32(raw + I_FLAGS);

	if (flags & (EXT4_EXTENTS_FL | EXT4_INLINE_DATA_FL))
		return flags & EXT4_EXTENTS_FL;
	return LINUX_S_ISREG(mode) || LINUX_S_ISDIR(mode) ||
	       (LINUX_S_ISLNK(mode) && (get_le32(raw + I_SIZE) >= I_BLOCK_BYTES ||
					get_le32(raw + I_SIZE_HIGH)));
}

blk64_t raw_acl(const uint8_t *raw)
{
	return get_le32(raw + I_FILE_ACL) |
	       (blk64_t)get_le16(raw + I_ACL_HIGH) << 32;
}
