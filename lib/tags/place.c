/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * place.c - does a copy name the place in the layout that its tag gives it?
 *
 * A superblock has the number of its group, a group descriptor the places of its
 * group's tables, and an inode's checksum the inode's number.  A bitmap has no
 * number, but its group's descriptor has its checksum and its count; a bitmap
 * that fits both is right for that group, whichever it was made for.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/fs_csum.h"
#include "fs/kind.h"
#include "io/bytes.h"
#include "tags.h"

/* Bits of checksum that must agree: one of 16 bits may do so by chance. */
#define ENOUGH_BITS	32

static bool has_csums(const struct prover *p)
{
	return ext2fs_has_feature_metadata_csum(p->fs->super);
}

/* -------------------------------------------------------- superblocks */

static bool super_is(const struct prover *p, dgrp_t group)
{
	size_t offset = group || p->fs->blocksize == SUPERBLOCK_OFFSET ? 0 :
			SUPERBLOCK_OFFSET;
	struct ext2_super_block sb, as_is;

	memcpy(&sb, p->copy + offset, sizeof(sb));
	as_is = sb;
#ifdef WORDS_BIGENDIAN
	ext2fs_swap_super(&sb);
#endif
	return sb.s_magic == EXT2_SUPER_MAGIC &&
	       sb.s_block_group_nr == group &&
	       !memcmp(sb.s_uuid, p->fs->super->s_uuid, sizeof(sb.s_uuid)) &&
	       ext2fs_superblock_csum_verify(p->fs, &as_is);
}

/* -------------------------------------------------- group descriptors */

/* Which block of the primary descriptors is it? */
static bool find_descriptors(const struct prover *p, unsigned long *index)
{
	ext2_filsys fs = p->newest;

	for (*index = 0; *index < fs->desc_blocks; ++*index)
		if (ext2fs_descriptor_block_loc2(fs,
				fs->super->s_first_data_block,
				(dgrp_t)*index) == p->fsblk)
			return true;
	return false;
}

static bool each_csum_fits(ext2_filsys fs, unsigned long index)
{
	dgrp_t per_block = EXT2_DESC_PER_BLOCK(fs->super);
	dgrp_t first = (dgrp_t)index * per_block;

	for (dgrp_t i = 0; i < per_block && first + i < fs->group_desc_count;
	     i++)
		if (!ext2fs_group_desc_csum_verify(fs, first + i))
			return false;
	return true;
}

/* With the copy among the descriptors, where its tag wants it. */
static bool group_csums_fit(const struct prover *p, unsigned long index)
{
	struct struct_ext2_filsys with = *p->newest;
	size_t size = p->fs->blocksize;
	uint8_t *desc = calloc(with.desc_blocks, size);
	bool fit;

	if (!desc)
		return false;
	memcpy(desc + index * size, p->copy, size);
	with.group_desc = (struct opaque_ext2_group_desc *)(void *)desc;
	fit = each_csum_fits(&with, index);
	free(desc);
	return fit;
}

static bool descriptors_are(const struct prover *p,
			    const struct e2lazy_place *place)
{
	const struct kind kind = {
		.fs = p->newest, .before = p->journal->fs, .fsblk = p->fsblk,
		.place = *place, .block = p->copy,
	};
	unsigned long index;

	return find_descriptors(p, &index) && kind_descriptors_fit(&kind) &&
	       group_csums_fit(p, index);
}

/* ------------------------------------------------------------- bitmaps */

static bool group_is_known(const struct prover *p, dgrp_t group, unsigned flag)
{
	return has_csums(p) && !ext2fs_bg_flags_test(p->newest, group,
						     (uint16_t)flag) &&
	       ext2fs_group_desc_csum_verify(p->newest, group);
}

static bool block_bitmap_is(const struct prover *p, dgrp_t group)
{
	ext2_filsys fs = p->newest;
	unsigned blocks = (unsigned)ext2fs_group_blocks_count(fs, group);
	unsigned bits = (blocks + EXT2FS_CLUSTER_RATIO(fs) - 1) >>
			fs->cluster_ratio_bits;

	return group_is_known(p, group, EXT2_BG_BLOCK_UNINIT) &&
	       ext2fs_block_bitmap_csum_verify(fs, group, (char *)p->copy,
			(int)EXT2_CLUSTERS_PER_GROUP(fs->super) / 8) &&
	       bits_clear(p->copy, bits) ==
	       ext2fs_bg_free_blocks_count(fs, group);
}

static bool inode_bitmap_is(const struct prover *p, dgrp_t group)
{
	ext2_filsys fs = p->newest;
	unsigned bits = EXT2_INODES_PER_GROUP(fs->super);

	return group_is_known(p, group, EXT2_BG_INODE_UNINIT) &&
	       ext2fs_inode_bitmap_csum_verify(fs, group, (char *)p->copy,
					       (int)bits / 8) &&
	       bits_clear(p->copy, bits) ==
	       ext2fs_bg_free_inodes_count(fs, group);
}

/* -------------------------------------------------------- inode tables */

#define AT_EXTRA_SIZE	0x80	/* of struct ext2_inode_large */

static unsigned bits_of_csum(const uint8_t *raw, unsigned size)
{
	if (is_zeros(raw, size))	/* it names no number */
		return 0;
	return size > EXT2_GOOD_OLD_INODE_SIZE &&
	       get_le16(raw + AT_EXTRA_SIZE) >= 4 ? 32 : 16;
}

static bool inodes_are(const struct prover *p, ext2_ino_t first)
{
	unsigned size = EXT2_INODE_SIZE(p->fs->super), bits = 0;
	unsigned count = p->fs->blocksize / size;

	if (!has_csums(p))
		return false;
	for (unsigned i = 0; i < count; i++) {
		const uint8_t *raw = p->copy + (size_t)i * size;

		if (!inode_csum_fits(p->fs, p->crc, first + i, raw))
			return false;
		bits += bits_of_csum(raw, size);
	}
	return bits >= ENOUGH_BITS;
}

bool place_is_named(const struct prover *p, const struct e2lazy_place *place)
{
	switch (place->type) {
	case E2LAZY_TYPE_SUPER:
		return super_is(p, 0);
	case E2LAZY_TYPE_SUPER_BACKUP:
		return place->group && super_is(p, place->group);
	case E2LAZY_TYPE_DESC:
		return descriptors_are(p, place);
	case E2LAZY_TYPE_BLOCK_BITMAP:
		return block_bitmap_is(p, place->group);
	case E2LAZY_TYPE_INODE_BITMAP:
		return inode_bitmap_is(p, place->group);
	case E2LAZY_TYPE_INODE_TABLE:
		return inodes_are(p, place->ino);
	default:
		return false;
	}
}
