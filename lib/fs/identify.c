/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * identify.c - guess the type of a block from its content
 *
 * A magic decides if the format has one, else a structure that other data
 * hardly shows by accident.  Only the inode that owns the block knows its type
 * for sure.
 */

#include "dir_record.h"
#include "extent_node.h"
#include "identify.h"
#include "io/bytes.h"

#include <ext2fs/ext2_ext_attr.h>

static uint32_t le16_at(const void *block, unsigned offset)
{
	return get_le16((const uint8_t *)block + offset);
}

static uint32_t le32_at(const void *block, unsigned offset)
{
	return get_le32((const uint8_t *)block + offset);
}

static bool is_extent_node(ext2_filsys fs, const void *block)
{
	struct extent_header h = extent_header(block);

	return h.magic && h.entries <= h.most &&
	       h.most == extent_room(fs->blocksize) &&
	       h.depth < EXTENT_DEPTHS;
}

static bool is_xattr(ext2_filsys fs, const void *block)
{
	(void)fs;
	return le32_at(block, 0) == EXT2_EXT_ATTR_MAGIC &&
	       le32_at(block, 8) == 1;	/* h_blocks */
}

/*
 * Both kinds of index block look like directory blocks: the root stands behind
 * "." and "..", a node is one empty entry over the whole block.
 */
bool is_htree(ext2_filsys fs, const void *block)
{
	unsigned tail = ext2fs_has_feature_metadata_csum(fs->super) ? 8 : 0;
	unsigned entries = (fs->blocksize - 8 - tail) / 8;
	unsigned root_entries = (fs->blocksize - 32 - tail) / 8;
	unsigned rec_len = dir_record_length(block, fs->blocksize);

	if (le32_at(block, 0) == 0 && rec_len == fs->blocksize)
		return le16_at(block, 8) == entries &&
		       le16_at(block, 10) <= entries;
	return rec_len == 12 && le16_at(block, 6) == 0x0201 &&
	       le32_at(block, 24) == 0 &&	/* no inode number, no name */
	       ((const uint8_t *)block)[29] == 8 &&	/* info_length */
	       le16_at(block, 32) == root_entries;
}

static bool is_entry(ext2_filsys fs, const uint8_t *record, unsigned rec_len)
{
	if (!rec_len)
		return false;
	if (dir_record_ino(record) == 0)
		return true;
	return rec_len >= 12 && dir_record_name_length(record) > 0 &&
	       dir_record_type(record) < EXT2_FT_MAX &&
	       dir_record_ino(record) <= fs->super->s_inodes_count;
}

bool is_directory(ext2_filsys fs, const void *block)
{
	unsigned size = fs->blocksize, rec_len;

	for (unsigned pos = 0; pos < size; pos += rec_len) {
		const uint8_t *record = (const uint8_t *)block + pos;

		rec_len = dir_record_sound(record, size, size - pos);
		if (!is_entry(fs, record, rec_len))
			return false;
	}
	return true;
}

/* 32-bit block numbers, each inside the file system or 0. */
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
} looks[] = {	/* the most certain first */
	{ E2LAZY_TYPE_EXTENT,		is_extent_node },
	{ E2LAZY_TYPE_XATTR,		is_xattr },
	{ E2LAZY_TYPE_HTREE,		is_htree },
	{ E2LAZY_TYPE_DIRECTORY,	is_directory },
	{ E2LAZY_TYPE_INDIRECT,		is_indirect },
};

enum e2lazy_type identify(ext2_filsys fs, const void *block)
{
	if (is_zeros(block, fs->blocksize))
		return E2LAZY_TYPE_DATA;
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (looks[i].is(fs, block))
			return looks[i].type;
	return E2LAZY_TYPE_DATA;
}
