/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inode.c - decodes the inodes of a table block
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "field.h"

/* The original inode, and the offset of its later part. */
#define INODE_MODE		0x00
#define INODE_SIZE		0x04
#define INODE_DTIME		0x14
#define INODE_LINKS		0x1a
#define INODE_FLAGS		0x20
#define INODE_BLOCK		0x28
#define INODE_GENERATION	0x64
#define INODE_CHECKSUM_LOW	0x7c
#define INODE_EXTRA_SIZE	0x80
#define INODE_CHECKSUM_HIGH	0x82
#define INODE_LABEL		32	/* bytes of "inode N " */

static const struct field_line inode_table[] = {
	WHOLE("mode", INODE_MODE, 2, OCTAL),
	SPLIT("uid", 0x02, 2, NUMBER, 0x78, 2),
	SPLIT("gid", 0x18, 2, NUMBER, 0x7a, 2),
	SPLIT("size", INODE_SIZE, 4, NUMBER, 0x6c, 4),
	WHOLE("links", INODE_LINKS, 2, NUMBER),
	SPLIT("blocks", 0x1c, 4, NUMBER, 0x74, 2),
	WHOLE("flags", INODE_FLAGS, 4, HEX),
	SPLIT("atime", 0x08, 4, STAMP, 0x8c, 4),
	SPLIT("ctime", 0x0c, 4, STAMP, 0x84, 4),
	SPLIT("mtime", 0x10, 4, STAMP, 0x88, 4),
	SPLIT("crtime", 0x90, 4, STAMP, 0x94, 4),
	WHOLE("generation", INODE_GENERATION, 4, NUMBER),
	SPLIT("version", 0x24, 4, NUMBER, 0x98, 4),
	SPLIT("xattr_block", 0x68, 4, NUMBER, 0x76, 2),
	WHOLE("extra_size", INODE_EXTRA_SIZE, 2, NUMBER),
	WHOLE("projid", 0x9c, 4, NUMBER),
	{ 0 }
};

/*
 * The time of deletion of an orphan is the number of the next orphan.
 */
static void put_dtime(struct decoded *d, ext2_filsys fs, const uint8_t *inode)
{
	uint32_t dtime = get_le32(inode + INODE_DTIME);

	if (dtime && dtime <= fs->super->s_inodes_count) {
		put_number(d, "next_orphan", dtime);
		dtime = 0;
	}
	put_time(d, "dtime", dtime, -1);
}

/*
 * The kernel's checksum: the two fields of the checksum itself count as zero.
 */
static void put_checksum(struct decoded *d, ext2_filsys fs, uint32_t ino,
			 const uint8_t *inode, size_t extent)
{
	const uint8_t number[4] = { (uint8_t)ino, (uint8_t)(ino >> 8),
				    (uint8_t)(ino >> 16),
				    (uint8_t)(ino >> 24) };
	size_t size = EXT2_INODE_SIZE(fs->super);
	bool wide = extent >= INODE_CHECKSUM_HIGH + 2;
	uint32_t stored = get_le16(inode + INODE_CHECKSUM_LOW), crc;
	uint8_t *copy;

	if (!ext2fs_has_feature_metadata_csum(fs->super))
		return;
	copy = malloc(size);
	if (!copy) {
		d->failed = true;
		return;
	}
	memcpy(copy, inode, size);
	memset(copy + INODE_CHECKSUM_LOW, 0, 2);
	if (wide) {
		stored |= (uint32_t)get_le16(inode + INODE_CHECKSUM_HIGH) << 16;
		memset(copy + INODE_CHECKSUM_HIGH, 0, 2);
	}
	crc = ext2fs_crc32c_le(fs->csum_seed, number, sizeof(number));
	crc = ext2fs_crc32c_le(crc, inode + INODE_GENERATION, 4);
	crc = ext2fs_crc32c_le(crc, copy, size);
	free(copy);
	put_text(d, "checksum", "0x%x", stored);
	put_text(d, "csum", (wide ? crc : crc & 0xffff) == stored ? "good"
								   : "bad");
}

static void put_pointers(struct decoded *d, const char *of,
			 const uint8_t *pointers)
{
	static const char *const levels[] = { "single", "double", "triple" };

	for (unsigned i = 0; i < EXT2_N_BLOCKS; i++) {
		uint32_t fsblk = get_le32(pointers + 4 * i);

		if (!fsblk)
			continue;
		if (i < EXT2_NDIR_BLOCKS)
			begin_brief(d, "%spointer %u", of, i);
		else
			begin_brief(d, "%s%s indirect", of,
				    levels[i - EXT2_NDIR_BLOCKS]);
		put_number(d, "index", i);
		in_label(d);
		put_number(d, "physical", fsblk);
	}
}

/* Old and new encoding of a device number; the macros of sysmacros.h use
   neither. */
static void put_device(struct decoded *d, const uint8_t *block)
{
	uint32_t old = get_le32(block), new = get_le32(block + 4);

	if (old)
		put_text(d, "device", "%u:%u", old >> 8 & 0xff, old & 0xff);
	else
		put_text(d, "device", "%u:%u", (new >> 8) & 0xfff,
			 (new & 0xff) | (new >> 12 & 0xfff00));
}

static bool is_fast_symlink(const uint8_t *inode, uint16_t mode, uint32_t flags)
{
	return S_ISLNK(mode) &&
	       !(flags & (EXT4_EXTENTS_FL | EXT4_INLINE_DATA_FL)) &&
	       get_le32(inode + INODE_SIZE) < EXT2_N_BLOCKS * 4;
}

/* The kind of the file and its flags define the sixty bytes. */
static void put_contents(struct decoded *d, const char *of,
			 const uint8_t *inode)
{
	const uint8_t *block = inode + INODE_BLOCK;
	uint16_t mode = get_le16(inode + INODE_MODE);
	uint32_t flags = get_le32(inode + INODE_FLAGS);

	if (S_ISCHR(mode) || S_ISBLK(mode)) {
		put_device(d, block);
	} else if (is_fast_symlink(inode, mode, flags)) {
		put_name(d, "target", block, get_le32(inode + INODE_SIZE));
	} else if (flags & EXT4_EXTENTS_FL) {
		put_extents(d, of, block, EXT2_N_BLOCKS * 4);
	} else if (!(flags & EXT4_INLINE_DATA_FL)) {
		put_pointers(d, of, block);
	}
}

/* A magic and attributes may follow the fields, up to the end. */
static void put_inner_xattrs(struct decoded *d, const char *of,
			     const uint8_t *inode, size_t extent, size_t size)
{
	if (extent <= EXT2_GOOD_OLD_INODE_SIZE || extent + 4 > size ||
	    get_le32(inode + extent) != EXT2_EXT_ATTR_MAGIC)
		return;
	put_xattrs(d, of, inode + extent + 4, 0, size - extent - 4);
}

static void put_inode(struct decoded *d, ext2_filsys fs, uint32_t ino,
		      const uint8_t *inode)
{
	size_t size = EXT2_INODE_SIZE(fs->super);
	size_t extent = EXT2_GOOD_OLD_INODE_SIZE;	/* of its fields */
	char of[INODE_LABEL];

	if (size > EXT2_GOOD_OLD_INODE_SIZE)
		extent += get_le16(inode + INODE_EXTRA_SIZE);
	if (extent > size)
		extent = size;
	snprintf(of, sizeof(of), "inode %u ", ino);
	begin_record(d, "inode %u", ino);
	put_table(d, inode_table, inode, extent);
	put_dtime(d, fs, inode);
	put_checksum(d, fs, ino, inode, extent);
	put_contents(d, of, inode);
	put_inner_xattrs(d, of, inode, extent, size);
}

/* An inode of zeros was never in use. */
void decode_inode_table(struct decoded *d, const struct decode_block *b)
{
	size_t size = EXT2_INODE_SIZE(b->fs->super);
	uint32_t ino = b->place.ino;

	for (size_t at = 0; at + size <= b->fs->blocksize; at += size, ino++)
		if ((!b->ino || b->ino == ino) &&
		    !is_zeros(b->bytes + at, size))
			put_inode(d, b->fs, ino, b->bytes + at);
}
