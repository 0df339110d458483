/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * identify.c - what a block holds, by its content alone
 *
 * A magic where the format has one, else a structure that would be a strange
 * accident in anything but what it looks like.  Who owns the block, and so
 * what it really is, only its inode knows.
 */
#include "config.h"

#include <string.h>

#include "e2lazy.h"

#include <ext2fs/ext2_ext_attr.h>
#include <ext2fs/ext3_extents.h>

static uint16_t le16_at(const void *block, unsigned offset)
{
	uint16_t v;

	memcpy(&v, (const char *)block + offset, sizeof(v));
	return ext2fs_le16_to_cpu(v);
}

static uint32_t le32_at(const void *block, unsigned offset)
{
	uint32_t v;

	memcpy(&v, (const char *)block + offset, sizeof(v));
	return ext2fs_le32_to_cpu(v);
}

static bool is_extent_node(ext2_filsys fs, const void *block)
{
	unsigned room = (fs->blocksize - sizeof(struct ext3_extent_header)) /
			sizeof(struct ext3_extent);

	return le16_at(block, 0) == EXT3_EXT_MAGIC &&
	       le16_at(block, 2) <= le16_at(block, 4) &&
	       le16_at(block, 4) == room && le16_at(block, 6) < 5;
}

static bool is_xattr(ext2_filsys fs, const void *block)
{
	(void)fs;
	return le32_at(block, 0) == EXT2_EXT_ATTR_MAGIC &&
	       le32_at(block, 8) == 1;	/* h_blocks */
}

/*
 * Both kinds of index block disguise themselves as directory blocks: the
 * root behind "." and "..", a node as one empty entry over the whole block.
 */
static bool is_htree(ext2_filsys fs, const void *block)
{
	unsigned tail = ext2fs_has_feature_metadata_csum(fs->super) ? 8 : 0;
	unsigned entries = (fs->blocksize - 8 - tail) / 8;
	unsigned root_entries = (fs->blocksize - 32 - tail) / 8;
	unsigned rec_len;

	if (ext2fs_get_rec_len(fs, (void *)block, &rec_len))
		return false;
	if (le32_at(block, 0) == 0 && rec_len == fs->blocksize)
		return le16_at(block, 8) == entries &&
		       le16_at(block, 10) <= entries;
	return rec_len == 12 && le16_at(block, 6) == 0x0201 &&
	       le32_at(block, 24) == 0 &&	/* no inode number, no name */
	       ((const uint8_t *)block)[29] == 8 &&	/* info_length */
	       le16_at(block, 32) == root_entries;
}

static bool is_entry(ext2_filsys fs, const struct ext2_dir_entry *de,
		     unsigned rec_len, unsigned room)
{
	unsigned name_len = ext2fs_dirent_name_len(de);
	unsigned type = ext2fs_dirent_file_type(de);

	if (rec_len < 8 + name_len || rec_len > room || rec_len % 4)
		return false;
	if (de->inode == 0)
		return true;
	return rec_len >= 12 && name_len > 0 && type < EXT2_FT_MAX &&
	       ext2fs_le32_to_cpu(de->inode) <= fs->super->s_inodes_count;
}

static bool is_directory(ext2_filsys fs, const void *block)
{
	unsigned pos = 0;

	while (pos + 8 <= fs->blocksize) {
		struct ext2_dir_entry *de = (void *)((char *)block + pos);
		unsigned rec_len = 0;

		if (ext2fs_get_rec_len(fs, de, &rec_len) ||
		    !is_entry(fs, de, rec_len, fs->blocksize - pos))
			return false;
		pos += rec_len;
	}
	return pos == fs->blocksize;
}

/* A list of 32-bit block numbers, which only small file systems have. */
static bool is_indirect(ext2_filsys fs, const void *block)
{
	blk64_t blocks = ext2fs_blocks_count(fs->super);
	unsigned used = 0;

	for (unsigned i = 0; i < fs->blocksize; i += 4) {
		uint32_t fsblk = le32_at(block, i);

		if (fsblk >= blocks ||
		    (fsblk && fsblk <= fs->super->s_first_data_block))
			return false;
		used += fsblk != 0;
	}
	return used > 0;
}

static const struct {
	enum e2lazy_type type;
	bool	(*is)(ext2_filsys fs, const void *block);
} looks[] = {	/* the surest first */
	{ E2LAZY_TYPE_EXTENT,		is_extent_node },
	{ E2LAZY_TYPE_XATTR,		is_xattr },
	{ E2LAZY_TYPE_HTREE,		is_htree },
	{ E2LAZY_TYPE_DIRECTORY,	is_directory },
	{ E2LAZY_TYPE_INDIRECT,		is_indirect },
};

enum e2lazy_type e2lazy_identify(struct e2lazy_layout *layout,
				 const void *block)
{
	ext2_filsys fs = e2lazy_layout_fs(layout);

	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (looks[i].is(fs, block))
			return looks[i].type;
	return E2LAZY_TYPE_DATA;
}
