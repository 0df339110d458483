/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* super.c - the newest superblock, from the log and the static block */

#include <stddef.h>
#include <string.h>

#include "log/log.h"
#include "super.h"

/*
 * An online resize sets META_BG when it runs out of reserved descriptors.
 * tune2fs sets and clears CSUM_SEED during a mount.
 */
#define MAY_CHANGE (EXT2_FEATURE_INCOMPAT_META_BG | \
		    EXT3_FEATURE_INCOMPAT_RECOVER | \
		    EXT4_FEATURE_INCOMPAT_CSUM_SEED)

/*
 * tune2fs and EXT4_IOC_SET_TUNE_SB_PARAM set these on a mounted file system, and
 * nothing clears them.  They change no arithmetic of groups, so one of the two
 * superblocks may lack them.
 */
#define MAY_BE_SET (EXT4_FEATURE_INCOMPAT_ENCRYPT | \
		    EXT4_FEATURE_INCOMPAT_CASEFOLD | \
		    EXT4_FEATURE_INCOMPAT_LARGEDIR | \
		    EXT4_FEATURE_INCOMPAT_EA_INODE | \
		    EXT3_FEATURE_INCOMPAT_EXTENTS | \
		    EXT2_FEATURE_INCOMPAT_FILETYPE | \
		    EXT4_FEATURE_INCOMPAT_FLEX_BG)

#define CSUMS	(EXT4_FEATURE_RO_COMPAT_GDT_CSUM | \
		 EXT4_FEATURE_RO_COMPAT_METADATA_CSUM)

static bool same_bytes(const void *a, const void *b, size_t bytes)
{
	return !memcmp(a, b, bytes);
}

/* What the checksums of all metadata begin with. */
static uint32_t csum_seed(const struct ext2_super_block *sb)
{
	if (sb->s_feature_incompat & EXT4_FEATURE_INCOMPAT_CSUM_SEED)
		return sb->s_checksum_seed;
	return ext2fs_crc32c_le(~0U, sb->s_uuid, sizeof(sb->s_uuid));
}

static bool has_csums(const struct ext2_super_block *sb)
{
	return sb->s_feature_ro_compat & CSUMS ||
	       sb->s_feature_incompat & EXT4_FEATURE_INCOMPAT_EA_INODE;
}

/* One run of mke2fs made both: it draws the hash seed at random. */
static bool same_birth(const struct ext2_super_block *a,
		       const struct ext2_super_block *b)
{
	static const uint32_t none[4];

	return !same_bytes(a->s_hash_seed, none, sizeof(none)) &&
	       same_bytes(a->s_hash_seed, b->s_hash_seed, sizeof(none)) &&
	       a->s_mkfs_time == b->s_mkfs_time &&
	       a->s_mkfs_time_hi == b->s_mkfs_time_hi;
}

/*
 * A mounted file system can get another UUID, if its checksums do not depend on
 * it: there are none, or CSUM_SEED keeps the seed that the first UUID gave.
 * (Linux fs/ext4/ioctl.c: ext4_ioctl_setuuid().)  A change of CSUM_SEED alone
 * keeps the seed, too.
 */
static bool same_identity(const struct ext2_super_block *a,
			  const struct ext2_super_block *b)
{
	if (!same_bytes(a->s_uuid, b->s_uuid, sizeof(a->s_uuid)) &&
	    !same_birth(a, b))
		return false;
	return csum_seed(a) == csum_seed(b) || !(has_csums(a) || has_csums(b));
}

/* A feature that one of them lacks has no fields of another value there. */
static bool same_features(const struct ext2_super_block *a,
			  const struct ext2_super_block *b)
{
	uint32_t differ = a->s_feature_incompat ^ b->s_feature_incompat;
	uint32_t both = a->s_feature_incompat & b->s_feature_incompat;

	if (differ & EXT4_FEATURE_INCOMPAT_FLEX_BG &&
	    a->s_log_groups_per_flex != b->s_log_groups_per_flex)
		return false;
	if (both & EXT4_FEATURE_INCOMPAT_CASEFOLD &&
	    (a->s_encoding != b->s_encoding ||
	     a->s_encoding_flags != b->s_encoding_flags))
		return false;
	return !(differ & ~(MAY_CHANGE | MAY_BE_SET));
}

/* The arithmetic of groups needs these fields; no resize changes them. */
static bool same_file_system(const struct ext2_super_block *a,
			     const struct ext2_super_block *b)
{
	return a->s_magic == b->s_magic &&
	       same_identity(a, b) &&
	       same_features(a, b) &&
	       a->s_log_block_size == b->s_log_block_size &&
	       a->s_log_cluster_size == b->s_log_cluster_size &&
	       a->s_first_data_block == b->s_first_data_block &&
	       a->s_blocks_per_group == b->s_blocks_per_group &&
	       a->s_clusters_per_group == b->s_clusters_per_group &&
	       a->s_inodes_per_group == b->s_inodes_per_group &&
	       a->s_inode_size == b->s_inode_size &&
	       a->s_desc_size == b->s_desc_size;
}

/*
 * mke2fs sets these fields, and no kernel changes them during a mount.  tune2fs
 * and debugfs change some, but only if the log is empty.
 */
#define FIELD(name) { offsetof(struct ext2_super_block, name), \
		      sizeof(((struct ext2_super_block *)0)->name) }
static const struct {
	size_t		offset, bytes;
} constants[] = {
	FIELD(s_creator_os), FIELD(s_rev_level), FIELD(s_first_ino),
	FIELD(s_journal_uuid), FIELD(s_journal_inum), FIELD(s_hash_seed),
	FIELD(s_def_hash_version), FIELD(s_jnl_backup_type),
	FIELD(s_mkfs_time), FIELD(s_mkfs_time_hi), FIELD(s_log_groups_per_flex),
	FIELD(s_checksum_type), FIELD(s_usr_quota_inum),
	FIELD(s_grp_quota_inum), FIELD(s_prj_quota_inum),
	FIELD(s_orphan_file_inum),
};

bool super_agrees(const struct ext2_super_block *a,
		  const struct ext2_super_block *b)
{
	for (size_t i = 0; i < sizeof(constants) / sizeof(*constants); i++)
		if (memcmp((const char *)a + constants[i].offset,
			   (const char *)b + constants[i].offset,
			   constants[i].bytes))
			return false;
	return true;
}

/* ---------------------------------------------------------- which is newer */

uint64_t super_written(const struct ext2_super_block *sb)
{
	return (uint64_t)sb->s_wtime_hi << 32 | sb->s_wtime;
}

static bool log_is_newer(struct ext2_super_block *logged,
			 struct ext2_super_block *in_place)
{
	blk64_t log_blocks = ext2fs_blocks_count(logged);
	blk64_t place_blocks = ext2fs_blocks_count(in_place);

	if (log_blocks != place_blocks)
		return log_blocks > place_blocks;
	if (super_written(logged) != super_written(in_place))
		return super_written(logged) > super_written(in_place);
	return logged->s_kbytes_written >= in_place->s_kbytes_written;
}

/* ----------------------------------------------------------------- merging */

/* Take over the errors noted in @from, if it counts more of them. */
static void merge_errors(struct ext2_super_block *to,
			 const struct ext2_super_block *from)
{
	to->s_state |= from->s_state & EXT2_ERROR_FS;
	if (from->s_error_count <= to->s_error_count)
		return;
	memcpy((char *)to + EXT4_S_ERR_START,
	       (const char *)from + EXT4_S_ERR_START, EXT4_S_ERR_LEN);
	to->s_first_error_time_hi = from->s_first_error_time_hi;
	to->s_last_error_time_hi = from->s_last_error_time_hi;
	to->s_first_error_errcode = from->s_first_error_errcode;
	to->s_last_error_errcode = from->s_last_error_errcode;
}

/* e2fsck takes the log's and loses a feature that tune2fs has set since. */
static void merge_features(struct ext2_super_block *to,
			   const struct ext2_super_block *from)
{
	uint32_t more = from->s_feature_incompat & MAY_BE_SET &
			~to->s_feature_incompat;

	to->s_feature_incompat |= more;
	if (more & EXT4_FEATURE_INCOMPAT_CASEFOLD) {
		to->s_encoding = from->s_encoding;
		to->s_encoding_flags = from->s_encoding_flags;
	}
}

/*
 * A checkpoint may write an earlier state back.  Notes of errors, what has been
 * written in all, and the label are of no transaction, so they outlast it.
 */
static void merge_outlasting(struct ext2_super_block *to,
			     const struct ext2_super_block *from)
{
	merge_errors(to, from);
	memcpy(to->s_volume_name, from->s_volume_name,
	       sizeof(to->s_volume_name));
	if (from->s_kbytes_written > to->s_kbytes_written)
		to->s_kbytes_written = from->s_kbytes_written;
}

blk64_t super_fsblk(const struct e2lazy_journal *j)
{
	return SUPER_OFFSET / j->fs->blocksize;
}

errcode_t super_merge(const struct e2lazy_journal *j, const void *block,
		      bool then, struct ext2_super_block *out)
{
	struct ext2_super_block *in_place = j->fs->super;
	const char *at = block;
	struct ext2_super_block on_disk, logged;
	bool newer;

	memcpy(&on_disk, at + super_offset(j->fs->blocksize), sizeof(on_disk));
	logged = on_disk;
#ifdef WORDS_BIGENDIAN
	ext2fs_swap_super(&logged);
#endif
	if (!same_file_system(&logged, in_place) ||
	    ext2fs_blocks_count(&logged) > j->fs_limit)
		return EXT2_ET_CORRUPT_SUPERBLOCK;
	if (!ext2fs_superblock_csum_verify(j->fs, &on_disk))
		return EXT2_ET_SB_CSUM_INVALID;
	if (then || !super_agrees(&logged, in_place)) {
		*out = logged;
		merge_features(out, in_place);
		if (then)
			merge_outlasting(out, in_place);
		return 0;
	}
	newer = log_is_newer(&logged, in_place);
	*out = newer ? logged : *in_place;
	merge_errors(out, newer ? in_place : &logged);
	merge_features(out, newer ? in_place : &logged);
	if (in_place->s_kbytes_written > out->s_kbytes_written)
		out->s_kbytes_written = in_place->s_kbytes_written;
	out->s_last_orphan = logged.s_last_orphan;
	return 0;
}

void super_count_free(ext2_filsys fs, struct ext2_super_block *sb)
{
	blk64_t clusters = 0;
	uint64_t inodes = 0;

	for (dgrp_t g = 0; g < fs->group_desc_count; g++) {
		if (!ext2fs_group_desc_csum_verify(fs, g))
			return;
		clusters += ext2fs_bg_free_blocks_count(fs, g);
		inodes += ext2fs_bg_free_inodes_count(fs, g);
	}
	if (EXT2FS_C2B(fs, clusters) > ext2fs_blocks_count(sb) ||
	    inodes > sb->s_inodes_count)
		return;
	ext2fs_free_blocks_count_set(sb, EXT2FS_C2B(fs, clusters));
	sb->s_free_inodes_count = (uint32_t)inodes;
}

errcode_t newest_super(struct e2lazy_journal *j,
		       const struct e2lazy_copy *logged, bool then,
		       struct ext2_super_block *out)
{
	char *buf = NULL;
	errcode_t err;

	*out = *j->fs->super;
	if (!logged)
		return 0;
	err = io_channel_alloc_buf(j->io, 1, &buf);
	if (err)
		return err;
	if (!e2lazy_read_copy(j, logged->logblk, logged->flags, buf))
		super_merge(j, buf, then, out);
	ext2fs_free_mem(&buf);
	return 0;
}

/* s_mount_opts is a list with commas; a full field has no NUL. */
bool super_has_option(const struct ext2_super_block *sb, const char *option)
{
	const char *list = (const char *)sb->s_mount_opts;
	size_t left = strnlen(list, sizeof(sb->s_mount_opts));

	while (left) {
		const char *comma = memchr(list, ',', left);
		size_t n = comma ? (size_t)(comma - list) : left;

		if (n == strlen(option) && !memcmp(list, option, n))
			return true;
		n += comma != NULL;
		list += n;
		left -= n;
	}
	return false;
}

bool super_journals_data(const struct ext2_super_block *sb)
{
	return (sb->s_default_mount_opts & EXT3_DEFM_JMODE) ==
		EXT3_DEFM_JMODE_DATA || super_has_option(sb, "data=journal");
}
