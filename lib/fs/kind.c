/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kind.c - can a block hold what its place demands?
 *
 * A tag of a log without checksums may name the wrong block.  The copy is then of
 * another kind, or of another place: a directory begins with its own number, and
 * an inode table has a file wherever its bitmap says so.  Each rule here is one
 * that e2fsck or the kernel enforces, too.  Nothing is said of a block whose own
 * checksum decides.
 */

#include <string.h>

#include "dir_record.h"
#include "identify.h"
#include "inode_blocks.h"
#include "inode_search.h"
#include "kind.h"

#include <ext2fs/ext2_ext_attr.h>

unsigned bits_clear(const uint8_t *bitmap, unsigned bits)
{
	unsigned set = ext2fs_bitcount(bitmap, bits / 8);

	for (unsigned i = bits & ~7U; i < bits; i++)
		set += ext2fs_test_bit((int)i, bitmap) != 0;
	return bits - set;
}

/* --------------------------------------------------- superblocks, groups */

/* A backup has no boot sector in front of it. */
static bool backup_fits(const struct kind *k)
{
	struct ext2_super_block backup, *sb = k->fs->super;

	memcpy(&backup, k->block, sizeof(backup));
#ifdef WORDS_BIGENDIAN
	ext2fs_swap_super(&backup);
#endif
	return backup.s_magic == EXT2_SUPER_MAGIC &&
	       backup.s_log_block_size == sb->s_log_block_size &&
	       backup.s_first_data_block == sb->s_first_data_block &&
	       backup.s_blocks_per_group == sb->s_blocks_per_group &&
	       backup.s_inodes_per_group == sb->s_inodes_per_group;
}

/* The first group that the block, or the primary of which it is a backup, has. */
static dgrp_t first_described(const struct kind *k)
{
	dgrp_t per_block = EXT2_DESC_PER_BLOCK(k->fs->super);
	blk64_t old = 0, new = 0;

	ext2fs_super_and_bgd_loc2(k->fs, k->place.group, NULL, &old, &new,
				  NULL);
	if (new)
		return k->place.group / per_block * per_block;
	return (dgrp_t)(k->fsblk - old) * per_block;
}

/* A mount never moves the bitmaps or the inode table of a group. */
static bool descriptor_fits(ext2_filsys before, dgrp_t group,
			    const uint8_t *raw)
{
	return get_le32(raw) == (uint32_t)ext2fs_block_bitmap_loc(before,
								  group) &&
	       get_le32(raw + 4) == (uint32_t)ext2fs_inode_bitmap_loc(before,
								      group) &&
	       get_le32(raw + 8) == (uint32_t)ext2fs_inode_table_loc(before,
								     group);
}

bool kind_descriptors_fit(const struct kind *k)
{
	ext2_filsys before = k->before;
	dgrp_t per_block = EXT2_DESC_PER_BLOCK(before->super);
	dgrp_t first = first_described(k);

	for (dgrp_t i = 0; i < per_block &&
	     first + i < before->group_desc_count; i++)
		if (!descriptor_fits(before, first + i, k->block + (size_t)i *
				     EXT2_DESC_SIZE(before->super)))
			return false;
	return true;
}

/* Blocks of an online resize: where the backups of a new descriptor go. */
static bool block_list_fits(const struct kind *k)
{
	for (unsigned i = 0; i < k->fs->blocksize; i += 4)
		if (get_le32(k->block + i) >=
		    ext2fs_blocks_count(k->fs->super))
			return false;
	return true;
}

static bool mmp_fits(const struct kind *k)
{
	return get_le32(k->block) == EXT4_MMP_MAGIC;
}

/* ----------------------------------------------------------- inode table */

/* Zeros are an inode that was never used; a deleted one keeps its mode. */
static bool inode_is_possible(const struct kind *k, const uint8_t *raw)
{
	unsigned size = EXT2_INODE_SIZE(k->fs->super);
	unsigned mode = get_le16(raw + offsetof(struct ext2_inode, i_mode));
	unsigned links = get_le16(raw + offsetof(struct ext2_inode,
						 i_links_count));
	unsigned extra = size > EXT2_GOOD_OLD_INODE_SIZE ?
			 get_le16(raw + EXT2_GOOD_OLD_INODE_SIZE) : 0;

	if (extra % 4 || extra > size - EXT2_GOOD_OLD_INODE_SIZE)
		return false;
	return mode ? dir_type_of(mode) != 0 : !links;
}

/*
 * Does it fit its bit?  The reserved inodes are in use, and most of them are
 * empty; an orphan is in use without a link.
 */
static bool inode_fits_bit(const struct kind *k, ext2_ino_t ino,
			   const uint8_t *raw, bool used)
{
	const struct ext2_super_block *sb = k->fs->super;
	unsigned mode = get_le16(raw + offsetof(struct ext2_inode, i_mode));
	unsigned links = get_le16(raw + offsetof(struct ext2_inode,
						 i_links_count));

	if (ino == EXT2_ROOT_INO)
		return LINUX_S_ISDIR(mode);
	if (ino == sb->s_journal_inum)
		return LINUX_S_ISREG(mode);
	if (ino < EXT2_FIRST_INO(sb))
		return true;
	return used ? mode != 0 : !links;
}

/* Only a bitmap that its descriptor agrees with proves anything. */
static bool read_inode_bitmap(const struct kind *k, uint8_t *bitmap)
{
	dgrp_t group = k->place.group;
	blk64_t at = ext2fs_inode_bitmap_loc(k->fs, group);

	return at && at < ext2fs_blocks_count(k->fs->super) &&
	       !io_channel_read_blk64(k->fs->io, at, 1, bitmap) &&
	       bits_clear(bitmap, EXT2_INODES_PER_GROUP(k->fs->super)) ==
	       ext2fs_bg_free_inodes_count(k->fs, group);
}

static bool inodes_fit_bitmap(const struct kind *k, const uint8_t *bitmap)
{
	unsigned size = EXT2_INODE_SIZE(k->fs->super);
	uint32_t first = (k->place.ino - 1) %
			 EXT2_INODES_PER_GROUP(k->fs->super);
	uint32_t end = e2lazy_group_inodes(k->fs, k->place.group);
	uint32_t per_block = EXT2_INODES_PER_BLOCK(k->fs->super);

	for (uint32_t i = 0; i < per_block && first + i < end; i++) {
		const uint8_t *raw = k->block + (size_t)i * size;

		if (!inode_is_possible(k, raw) ||
		    (bitmap && !inode_fits_bit(k, k->place.ino + i, raw,
				ext2fs_test_bit((int)(first + i), bitmap))))
			return false;
	}
	return true;
}

static bool inodes_fit(const struct kind *k)
{
	uint8_t *bitmap = NULL;
	bool fit;

	if (ext2fs_has_feature_metadata_csum(k->fs->super))
		return true;
	if (io_channel_alloc_buf(k->fs->io, 1, &bitmap))
		return true;
	fit = inodes_fit_bitmap(k, read_inode_bitmap(k, bitmap) ? bitmap :
				   NULL);
	ext2fs_free_mem(&bitmap);
	return fit;
}

/* ---------------------------------------------------- blocks of inodes */

static bool is_named(const uint8_t *record, const char *name)
{
	return dir_record_name_length(record) == strlen(name) &&
	       !memcmp(dir_record_name(record), name, strlen(name));
}

/* Only a directory's first block begins with ".", which has its own number. */
static bool directory_fits(const struct kind *k)
{
	const uint8_t *first = k->block;

	if (ext2fs_has_feature_metadata_csum(k->fs->super))
		return true;
	if (!is_directory(k->fs, k->block))
		return false;
	if (k->owner.lblk)
		return !dir_record_ino(first) || !is_named(first, ".");
	return is_named(first, ".") && dir_record_ino(first) == k->owner.ino;
}

/* A file that holds an attribute's value has no header. */
static bool xattr_fits(const struct kind *k)
{
	struct ext2_inode inode;

	if (ext2fs_has_feature_metadata_csum(k->fs->super) ||
	    ext2fs_read_inode(k->fs, k->owner.ino, &inode) ||
	    ext2fs_file_acl_block(k->fs, &inode) != k->fsblk)
		return true;
	return get_le32(k->block) == EXT2_EXT_ATTR_MAGIC &&
	       get_le32(k->block + offsetof(struct ext2_ext_attr_header,
					    h_blocks)) == 1;
}

/* The target ends with the block's only string; an encrypted one has a length. */
static bool symlink_fits(const struct kind *k)
{
	struct ext2_inode inode;

	return ext2fs_read_inode(k->fs, k->owner.ino, &inode) ||
	       inode.i_flags & EXT4_ENCRYPT_FL ||
	       strnlen((const char *)k->block, k->fs->blocksize) ==
	       EXT2_I_SIZE(&inode);
}

typedef bool (*fits)(const struct kind *k);

static const fits of_types[E2LAZY_NR_TYPES] = {
	[E2LAZY_TYPE_SUPER_BACKUP]	= backup_fits,
	[E2LAZY_TYPE_DESC_BACKUP]	= kind_descriptors_fit,
	[E2LAZY_TYPE_RESERVED_DESC]	= block_list_fits,
	[E2LAZY_TYPE_INODE_TABLE]	= inodes_fit,
	[E2LAZY_TYPE_MMP]		= mmp_fits,
};

static const fits of_roles[E2LAZY_NR_ROLES] = {
	[E2LAZY_ROLE_DIRECTORY]		= directory_fits,
	[E2LAZY_ROLE_HTREE]		= directory_fits,
	[E2LAZY_ROLE_XATTR]		= xattr_fits,
	[E2LAZY_ROLE_SYMLINK]		= symlink_fits,
};

bool kind_fits(const struct kind *k)
{
	fits fit = k->place.type == E2LAZY_TYPE_OTHER ?
		   of_roles[k->owner.role] : of_types[k->place.type];

	return !fit || fit(k);
}
