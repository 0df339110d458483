/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * torn.c - a superblock whose write a checkpoint could not finish
 *
 * The superblock has two sectors of 512 bytes, and its checksum ends the
 * second.  A power cut between them leaves one old and one new sector, and a
 * wrong checksum.  A checkpoint writes the superblock up to three times
 * (lib/mend/seal.c): two writes change only needs_recovery, and one writes the
 * superblock that the view has made, perhaps without orphan_present.  Each of
 * these facts proves that such a write was cut, and that nothing else is wrong:
 *
 *  - the checksum is right if needs_recovery or orphan_present is flipped;
 *  - the checksum is that of the made superblock;
 *  - all but flags and checksum equals the made superblock.  This alone says
 *    little, because the view makes it from the torn one.  So the torn one must
 *    also agree with the log's copy, whose checksum is right, in all fields
 *    that a checkpoint does not take from elsewhere.
 *
 * Without a copy in the log, new free counts with the old checksum are not
 * recognised, because the old counts are gone.
 */

#include <stddef.h>
#include <string.h>

#include "map/super.h"
#include "superblocks.h"

#define FIELD(name) { offsetof(struct ext2_super_block, name), \
		      sizeof(((struct ext2_super_block *)0)->name) }

struct range {
	size_t		at, bytes;
};

static const struct range own[] = { FIELD(s_checksum) };

/* Fields that super_merge() and the view may not take from the log's copy. */
static const struct range merged[] = {
	FIELD(s_checksum), FIELD(s_free_blocks_count),
	FIELD(s_free_inodes_count), FIELD(s_free_blocks_hi), FIELD(s_state),
	FIELD(s_block_group_nr), FIELD(s_kbytes_written), FIELD(s_volume_name),
	{ EXT4_S_ERR_START, EXT4_S_ERR_LEN },
	FIELD(s_first_error_time_hi), FIELD(s_last_error_time_hi),
	FIELD(s_first_error_errcode), FIELD(s_last_error_errcode),
};

/* The flags that a checkpoint changes. */
enum { RECOVERY = 1, ORPHANS = 2, ALL_FLAGS = 3 };

static void set_flag(uint32_t *features, uint32_t flag, bool set)
{
	if (set)
		*features |= ext2fs_cpu_to_le32(flag);
	else
		*features &= ~ext2fs_cpu_to_le32(flag);
}

static void set_flags(struct ext2_super_block *sb, unsigned set)
{
	set_flag(&sb->s_feature_incompat, EXT3_FEATURE_INCOMPAT_RECOVER,
		 set & RECOVERY);
	set_flag(&sb->s_feature_ro_compat,
		 EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT, set & ORPHANS);
}

/* Does @checksum fit @sb, with its flags set or clear? */
static bool has_checksum(ext2_filsys fs, struct ext2_super_block sb,
			 uint32_t checksum)
{
	for (unsigned set = 0; set <= ALL_FLAGS; set++) {
		set_flags(&sb, set);
		if (!ext2fs_superblock_csum_set(fs, &sb) &&
		    sb.s_checksum == checksum)
			return true;
	}
	return false;
}

static bool same_but_for(struct ext2_super_block a, struct ext2_super_block b,
			 const struct range *but, size_t count)
{
	set_flags(&a, 0);
	set_flags(&b, 0);
	for (size_t i = 0; i < count; i++) {
		memset((char *)&a + but[i].at, 0, but[i].bytes);
		memset((char *)&b + but[i].at, 0, but[i].bytes);
	}
	return !memcmp(&a, &b, sizeof(a));
}

/* The view was made from the log's copy, so its checksum is right. */
static bool agrees_with_log(struct e2lazy_journal *j,
			    const struct e2lazy_jmap *map,
			    const struct ext2_super_block *torn)
{
	blk64_t fsblk = super_fsblk(j);
	size_t index = e2lazy_jmap_lower_bound(map, fsblk), bad;
	struct ext2_super_block logged;
	struct e2lazy_copy copy;
	uint8_t *block = NULL;
	bool agrees;

	if (e2lazy_jmap_lookup(map, fsblk, &copy) ||
	    io_channel_alloc_buf(j->io, 1, &block))
		return false;
	agrees = !e2lazy_jmap_read(map, index, 1, block, &bad);
	if (agrees) {
		memcpy(&logged, block + super_offset(j->geo.blocksize),
		       sizeof(logged));
		agrees = same_but_for(*torn, logged, merged,
				      sizeof(merged) / sizeof(merged[0]));
	}
	ext2fs_free_mem(&block);
	return agrees;
}

bool superblock_is_torn(const struct superblocks *blocks,
			struct e2lazy_journal *j, const struct e2lazy_jmap *map)
{
	struct ext2_super_block torn, made;
	ext2_filsys fs = j->fs;

	memcpy(&torn, j->judged.super, sizeof(torn));
	memcpy(&made, blocks->super.bytes + super_offset(j->geo.blocksize),
	       sizeof(made));
	return has_checksum(fs, torn, torn.s_checksum) ||
	       has_checksum(fs, made, torn.s_checksum) ||
	       (same_but_for(torn, made, own, 1) &&
		agrees_with_log(j, map, &torn));
}
