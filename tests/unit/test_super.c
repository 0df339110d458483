/* SPDX-License-Identifier: GPL-2.0-only */
/* The superblock has two places, and neither is always the newer one. */

#include <string.h>

#include "fixture.h"
#include "log/log.h"
#include "map/super.h"

/* Two superblocks, to be made different, and what is made of them. */
struct two {
	struct fixture	*f;
	struct ext2_super_block *in_place;
	struct ext2_super_block logged, merged;
};

/* A seed of its own, a default of newer mke2fs, identifies the file system. */
#define NO_SEED	PLAIN ",^metadata_csum_seed"

static void begin_with(struct two *t, const char *mke2fs)
{
	t->f = map_of_fs(mke2fs, "txn 5 write 60000\n");
	t->in_place = t->f->journal->fs->super;
	t->logged = *t->in_place;
}

static void begin(struct two *t)
{
	begin_with(t, PLAIN);
}

/* PLAIN has blocks of 1 KiB, each a superblock long. */
static void set_csum(struct two *t)
{
	swap_super(&t->logged);
	ck_assert_int_eq(ext2fs_superblock_csum_set(t->f->journal->fs,
						    &t->logged), 0);
	swap_super(&t->logged);
}

/* super_merge() takes what the log's block holds. */
static errcode_t merge_as_logged(struct two *t, bool earlier)
{
	struct ext2_super_block block = t->logged;

	swap_super(&block);
	return super_merge(t->f->journal, &block, earlier, &t->merged);
}

static void merge(struct two *t)
{
	set_csum(t);
	ck_assert_int_eq(merge_as_logged(t, false), 0);
}

static void refuse(struct two *t)
{
	set_csum(t);
	ck_assert_int_eq(merge_as_logged(t, false), EXT2_ET_CORRUPT_SUPERBLOCK);
}

START_TEST(the_later_write_time_decides)
{
	struct two t;

	begin(&t);
	t.in_place->s_wtime = 1000;
	t.in_place->s_mnt_count = 7;
	t.logged.s_wtime = 1001;
	t.logged.s_mnt_count = 8;
	merge(&t);
	ck_assert_uint_eq(t.merged.s_mnt_count, 8);
	t.logged.s_wtime = 999;
	merge(&t);
	ck_assert_uint_eq(t.merged.s_mnt_count, 7);
	t.logged.s_wtime_hi = 1;
	merge(&t);
	ck_assert_uint_eq(t.merged.s_mnt_count, 8);
}
END_TEST

START_TEST(of_the_same_time_more_written_decides_and_then_the_log)
{
	struct two t;

	begin(&t);
	t.in_place->s_kbytes_written = 500;
	t.in_place->s_mnt_count = 7;
	t.logged.s_kbytes_written = 400;
	t.logged.s_mnt_count = 8;
	merge(&t);
	ck_assert_uint_eq(t.merged.s_mnt_count, 7);
	ck_assert_uint_eq(t.merged.s_kbytes_written, 500);
	t.logged.s_kbytes_written = 500;
	merge(&t);
	ck_assert_uint_eq(t.merged.s_mnt_count, 8);
}
END_TEST

START_TEST(the_larger_file_system_is_the_newer_one)
{
	struct two t;
	blk64_t blocks;

	begin(&t);
	blocks = ext2fs_blocks_count(t.in_place);
	t.in_place->s_wtime = 1000;
	t.logged.s_wtime = 1001;
	t.f->journal->fs_limit = blocks + 64;
	ext2fs_blocks_count_set(&t.logged, blocks - 8192);
	merge(&t);
	ck_assert_uint_eq(ext2fs_blocks_count(&t.merged), blocks);
	t.logged.s_wtime = 999;
	ext2fs_blocks_count_set(&t.logged, blocks + 64);
	merge(&t);
	ck_assert_uint_eq(ext2fs_blocks_count(&t.merged), blocks + 64);
	ext2fs_blocks_count_set(&t.logged, blocks + 65);
	refuse(&t);
}
END_TEST

START_TEST(orphans_are_those_of_the_log)
{
	struct two t;

	begin(&t);
	t.in_place->s_wtime = 1000;
	t.in_place->s_last_orphan = 13;
	t.logged.s_wtime = 999;
	t.logged.s_last_orphan = 14;
	merge(&t);
	ck_assert_uint_eq(t.merged.s_wtime, 1000);
	ck_assert_uint_eq(t.merged.s_last_orphan, 14);
}
END_TEST

/* Half a write leaves the second 512 bytes of the block as they were. */
START_TEST(where_the_two_contradict_each_other_the_log_counts)
{
	struct two t;

	begin_with(&t, NO_SEED);
	t.logged.s_wtime = 1000;
	t.logged.s_mnt_count = 8;
	t.in_place->s_wtime = 1001;
	t.in_place->s_mnt_count = 7;
	memset((char *)t.in_place + 512, 0x5a, 512 - 4);
	merge(&t);
	ck_assert_uint_eq(t.merged.s_mnt_count, 8);
	ck_assert_uint_eq(t.merged.s_usr_quota_inum, 0);
}
END_TEST

START_TEST(what_a_mounted_file_system_changes_contradicts_nothing)
{
	struct two t;

	begin(&t);
	t.in_place->s_wtime = t.in_place->s_mtime = 1001;
	t.in_place->s_state ^= EXT2_VALID_FS;
	t.in_place->s_mnt_count++;
	t.in_place->s_volume_name[0] ^= 1;
	t.in_place->s_mount_opts[0] ^= 1;
	t.in_place->s_r_blocks_count++;
	t.in_place->s_reserved_gdt_blocks--;
	t.in_place->s_overhead_clusters++;
	ck_assert(super_agrees(&t.logged, t.in_place));
	t.in_place->s_hash_seed[3] ^= 1;
	ck_assert(!super_agrees(&t.logged, t.in_place));
}
END_TEST

static void note_errors(struct ext2_super_block *sb, unsigned count,
			unsigned ino)
{
	sb->s_state |= EXT2_ERROR_FS;
	sb->s_error_count = count;
	sb->s_last_error_ino = ino;
	sb->s_last_error_time_hi = ino;
	sb->s_last_error_errcode = ino;
	memset(sb->s_last_error_func, 'a' + (int)ino, 32);
}

START_TEST(errors_noted_in_either_place_are_kept)
{
	struct two t;

	begin(&t);
	t.in_place->s_wtime = 1000;
	t.logged.s_wtime = 1001;
	note_errors(t.in_place, 3, 1);
	merge(&t);
	ck_assert_uint_eq(t.merged.s_wtime, 1001);
	ck_assert_uint_eq(t.merged.s_state & EXT2_ERROR_FS, EXT2_ERROR_FS);
	ck_assert_uint_eq(t.merged.s_error_count, 3);
	ck_assert_uint_eq(t.merged.s_last_error_ino, 1);
	ck_assert_uint_eq(t.merged.s_last_error_time_hi, 1);
	ck_assert_uint_eq(t.merged.s_last_error_errcode, 1);
	ck_assert_int_eq(t.merged.s_last_error_func[31], 'b');
	note_errors(&t.logged, 2, 5);
	merge(&t);
	ck_assert_uint_eq(t.merged.s_last_error_ino, 1);
	note_errors(&t.logged, 4, 5);
	merge(&t);
	ck_assert_uint_eq(t.merged.s_error_count, 4);
	ck_assert_uint_eq(t.merged.s_last_error_ino, 5);
}
END_TEST

START_TEST(another_file_system_s_superblock_is_refused)
{
	struct two t;

	begin_with(&t, NO_SEED);
	t.logged.s_uuid[3] ^= 1;
	refuse(&t);
	t.logged = *t.in_place;
	t.logged.s_inodes_per_group++;
	refuse(&t);
}
END_TEST

START_TEST(a_logged_superblock_with_a_wrong_checksum_is_refused)
{
	struct two t;

	begin(&t);
	t.logged.s_mnt_count ^= 1;
	ck_assert_int_eq(merge_as_logged(&t, false), EXT2_ET_SB_CSUM_INVALID);
}
END_TEST

/* A checkpoint writes it, and these belong to no transaction. */
START_TEST(of_an_earlier_time_the_log_counts_and_what_outlasts_it)
{
	struct ext2_super_block expected;
	struct two t;

	begin(&t);
	t.in_place->s_wtime = 1000;
	t.in_place->s_mnt_count = 7;
	t.logged.s_wtime = 999;
	t.logged.s_mnt_count = 6;
	ext2fs_blocks_count_set(&t.logged,
				ext2fs_blocks_count(t.in_place) - 8192);
	set_csum(&t);
	ck_assert_int_eq(merge_as_logged(&t, true), 0);
	ck_assert_mem_eq(&t.merged, &t.logged, sizeof(t.merged));

	expected = t.logged;
	note_errors(t.in_place, 3, 1);
	note_errors(&expected, 3, 1);
	memcpy(t.in_place->s_volume_name, "new", 4);
	memcpy(expected.s_volume_name, "new", 4);
	t.in_place->s_kbytes_written = t.logged.s_kbytes_written + 5;
	expected.s_kbytes_written = t.in_place->s_kbytes_written;
	ck_assert_int_eq(merge_as_logged(&t, true), 0);
	ck_assert_mem_eq(&t.merged, &expected, sizeof(t.merged));
}
END_TEST

START_TEST(free_counts_are_those_of_the_descriptors)
{
	struct two t;
	ext2_filsys fs;
	blk64_t blocks;

	begin(&t);
	fs = t.f->journal->fs;
	blocks = ext2fs_free_blocks_count(t.in_place);
	ext2fs_free_blocks_count_set(&t.logged, 1);
	t.logged.s_free_inodes_count = 1;
	super_count_free(fs, &t.logged);
	ck_assert_uint_eq(ext2fs_free_blocks_count(&t.logged), blocks);
	ck_assert_uint_eq(t.logged.s_free_inodes_count,
			  t.in_place->s_free_inodes_count);
	/* a damaged descriptor gives no copies */
	ext2fs_free_blocks_count_set(&t.logged, 1);
	ext2fs_bg_free_blocks_count_set(fs, 1, 7);
	super_count_free(fs, &t.logged);
	ck_assert_uint_eq(ext2fs_free_blocks_count(&t.logged), 1);
}
END_TEST

/* ------------------------------------- changed during a mount, by tune2fs */

static uint32_t seed_of(const struct ext2_super_block *sb)
{
	return ext2fs_crc32c_le(~0U, sb->s_uuid, sizeof(sb->s_uuid));
}

/* tune2fs -O metadata_csum_seed */
static void keep_seed(struct ext2_super_block *sb)
{
	sb->s_checksum_seed = seed_of(sb);
	ext2fs_set_feature_csum_seed(sb);
	sb->s_wtime++;
}

/* EXT4_IOC_SETFSUUID */
static void rename_fs(struct ext2_super_block *sb)
{
	sb->s_uuid[3] ^= 1;
	sb->s_wtime++;
}

static void check_merged(struct two *t, const struct ext2_super_block *newest)
{
	merge(t);
	ck_assert_mem_eq(t->merged.s_uuid, newest->s_uuid, 16);
	ck_assert_uint_eq(t->merged.s_checksum_seed, newest->s_checksum_seed);
	ck_assert_uint_eq(t->merged.s_feature_incompat,
			  newest->s_feature_incompat);
	ck_assert(super_agrees(&t->logged, t->in_place));
}

START_TEST(a_seed_kept_during_the_mount_makes_no_other_file_system)
{
	struct two t;

	begin(&t);
	keep_seed(t.in_place);
	check_merged(&t, t.in_place);
	t.logged = *t.in_place;
	t.in_place->s_wtime--;
	ext2fs_clear_feature_csum_seed(t.in_place);
	check_merged(&t, &t.logged);
	t.in_place->s_checksum_seed = 0;
	check_merged(&t, &t.logged);
}
END_TEST

START_TEST(a_new_uuid_makes_no_other_file_system_if_the_seed_stays)
{
	struct two t;

	begin(&t);
	keep_seed(t.in_place);
	rename_fs(t.in_place);
	check_merged(&t, t.in_place);
	t.logged = *t.in_place;
	t.logged.s_wtime++;
	rename_fs(&t.logged);
	t.logged.s_uuid[4] ^= 1;
	check_merged(&t, &t.logged);
}
END_TEST

START_TEST(without_checksums_a_new_uuid_is_none_but_that)
{
	struct two t = { .f = map_of_fs("-b 1024 -J size=1 -O ^metadata_csum,"
					"^uninit_bg", "txn 5 write 60000\n") };

	t.in_place = t.f->journal->fs->super;
	t.logged = *t.in_place;
	rename_fs(&t.logged);
	check_merged(&t, &t.logged);
	t.logged.s_hash_seed[2] ^= 1;
	refuse(&t);
	/* crc16() of group descriptors begins with the UUID */
	t.logged = *t.in_place;
	rename_fs(&t.logged);
	ext2fs_set_feature_gdt_csum(&t.logged);
	ext2fs_set_feature_gdt_csum(t.in_place);
	refuse(&t);
}
END_TEST

START_TEST(another_uuid_is_refused_unless_seed_and_birth_are_the_same)
{
	struct two t;

	begin(&t);
	keep_seed(t.in_place);
	t.logged = *t.in_place;
	rename_fs(&t.logged);
	t.logged.s_checksum_seed ^= 1;
	refuse(&t);
	t.logged.s_checksum_seed ^= 1;
	t.logged.s_mkfs_time++;
	refuse(&t);
	t.logged.s_mkfs_time--;
	t.logged.s_hash_seed[2] ^= 1;
	refuse(&t);
	/* two file systems without a hash seed need not be of one birth */
	memset(t.in_place->s_hash_seed, 0, sizeof(t.logged.s_hash_seed));
	memset(t.logged.s_hash_seed, 0, sizeof(t.logged.s_hash_seed));
	refuse(&t);
	/* nor is a seed right that is not the UUID's, where that one counts */
	t.logged = *t.in_place;
	ext2fs_clear_feature_csum_seed(t.in_place);
	t.logged.s_checksum_seed ^= 1;
	refuse(&t);
}
END_TEST

/* Those that tune2fs or an ioctl sets during the mount; both keep them. */
static const uint32_t set_during_mount[] = {
	EXT4_FEATURE_INCOMPAT_ENCRYPT, EXT4_FEATURE_INCOMPAT_CASEFOLD,
	EXT4_FEATURE_INCOMPAT_LARGEDIR, EXT4_FEATURE_INCOMPAT_EA_INODE,
	EXT3_FEATURE_INCOMPAT_EXTENTS, EXT2_FEATURE_INCOMPAT_FILETYPE,
	EXT4_FEATURE_INCOMPAT_FLEX_BG,
};
#define NR_SET (sizeof(set_during_mount) / sizeof(*set_during_mount))

START_TEST(a_feature_set_during_the_mount_stays)
{
	uint32_t bit = set_during_mount[_i % NR_SET];
	struct ext2_super_block *without, *with;
	struct two t;

	begin(&t);
	t.in_place->s_feature_incompat |= bit;
	t.logged = *t.in_place;
	without = _i < (int)NR_SET ? &t.logged : t.in_place;
	with = _i < (int)NR_SET ? t.in_place : &t.logged;
	without->s_feature_incompat &= ~bit;
	with->s_encoding = with->s_encoding_flags =
		bit == EXT4_FEATURE_INCOMPAT_CASEFOLD;
	for (int later = -1; later <= 1; later++) {
		without->s_wtime = with->s_wtime + (uint32_t)later;
		merge(&t);
		ck_assert_uint_eq(t.merged.s_feature_incompat,
				  with->s_feature_incompat);
		ck_assert_uint_eq(t.merged.s_encoding, with->s_encoding);
		ck_assert_uint_eq(t.merged.s_encoding_flags,
				  with->s_encoding_flags);
	}
	/* in a state of the past, too, which a checkpoint may write back */
	ck_assert_int_eq(merge_as_logged(&t, true), 0);
	ck_assert_uint_eq(t.merged.s_feature_incompat,
			  with->s_feature_incompat);
	ck_assert_uint_eq(t.merged.s_encoding, with->s_encoding);
}
END_TEST

START_TEST(other_features_make_another_file_system)
{
	struct two t;

	begin(&t);
	for (unsigned bit = 0; bit < 32; bit++) {
		uint32_t mask = 1U << bit;
		bool may = mask == EXT3_FEATURE_INCOMPAT_RECOVER ||
			   mask == EXT2_FEATURE_INCOMPAT_META_BG ||
			   mask == EXT4_FEATURE_INCOMPAT_CSUM_SEED;

		for (unsigned i = 0; i < NR_SET; i++)
			may |= mask == set_during_mount[i];
		t.logged = *t.in_place;
		t.logged.s_feature_incompat ^= mask;
		if (!may)
			refuse(&t);
	}
	t.logged = *t.in_place;
	t.logged.s_feature_incompat ^= EXT4_FEATURE_INCOMPAT_FLEX_BG;
	t.logged.s_log_groups_per_flex++;
	refuse(&t);
	t.in_place->s_feature_incompat |= EXT4_FEATURE_INCOMPAT_CASEFOLD;
	t.in_place->s_encoding = 1;
	t.logged = *t.in_place;
	t.logged.s_encoding = 2;
	refuse(&t);
}
END_TEST

TCase *super_tests(void)
{
	TCase *tc = tcase_create("super");

	tcase_add_test(tc, the_later_write_time_decides);
	tcase_add_test(tc,
		of_the_same_time_more_written_decides_and_then_the_log);
	tcase_add_test(tc, the_larger_file_system_is_the_newer_one);
	tcase_add_test(tc, orphans_are_those_of_the_log);
	tcase_add_test(tc, where_the_two_contradict_each_other_the_log_counts);
	tcase_add_test(tc, what_a_mounted_file_system_changes_contradicts_nothing);
	tcase_add_test(tc, errors_noted_in_either_place_are_kept);
	tcase_add_test(tc, another_file_system_s_superblock_is_refused);
	tcase_add_test(tc,
		a_logged_superblock_with_a_wrong_checksum_is_refused);
	tcase_add_test(tc,
		of_an_earlier_time_the_log_counts_and_what_outlasts_it);
	tcase_add_test(tc, free_counts_are_those_of_the_descriptors);
	tcase_add_test(tc,
		a_seed_kept_during_the_mount_makes_no_other_file_system);
	tcase_add_test(tc,
		a_new_uuid_makes_no_other_file_system_if_the_seed_stays);
	tcase_add_test(tc, without_checksums_a_new_uuid_is_none_but_that);
	tcase_add_loop_test(tc, a_feature_set_during_the_mount_stays, 0,
			    2 * (int)NR_SET);
	tcase_add_test(tc, other_features_make_another_file_system);
	tcase_add_test(tc,
		another_uuid_is_refused_unless_seed_and_birth_are_the_same);
	return tc;
}
