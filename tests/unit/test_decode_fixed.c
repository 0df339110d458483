/* SPDX-License-Identifier: GPL-2.0-only */
/* Inodes, bitmaps, descriptors and superblocks taken apart. */

#include <string.h>

#include "decoding.h"

/* ---------------------------------------------------------------- inodes */

START_TEST(an_inode_of_zeros_is_left_out)
{
	put16(256, 0100644);
	decode(E2LAZY_TYPE_INODE_TABLE);
	ck_assert_uint_eq(decoded.nr_records, 1);
	ck_assert_str_eq(label(0), "inode 18");
}
END_TEST

START_TEST(upper_halves_of_an_inode_count)
{
	put16(0, 0100644);
	put16(0x02, 1);
	put16(0x78, 2);			/* uid */
	put32(0x04, 5);
	put32(0x6c, 1);			/* size */
	put16(0x80, 32);
	put32(0x08, 0xffffffff);
	put32(0x8c, 2 << 2 | 1);	/* atime */
	decode(E2LAZY_TYPE_INODE_TABLE);
	ck_assert_uint_eq(field(0, "uid")->number, 0x20001);
	ck_assert_uint_eq(field(0, "size")->number, 0x100000005);
	ck_assert_str_eq(text(0, "mode"), "0100644");
	ck_assert_str_eq(text(0, "atime"), "2106-02-07T06:28:15.000000002Z");
	ck_assert_int_eq(field(0, "mtime")->kind, VALUE_NONE);
}
END_TEST

START_TEST(a_small_inode_has_no_later_fields)
{
	super.s_inode_size = 128;
	memset(block, 0x11, 128);
	decode(E2LAZY_TYPE_INODE_TABLE);
	for (size_t i = 0; i < decoded.nr_fields; i++)
		ck_assert_str_ne(decoded.fields[i].name, "crtime");
	ck_assert_str_eq(text(0, "atime"), "1979-01-28T00:25:53Z");
}
END_TEST

START_TEST(fields_beyond_the_inode_are_not_there)
{
	put16(3 * 256, 0100644);	/* the last inode of the block */
	put16(3 * 256 + 0x80, 0xffff);
	decode(E2LAZY_TYPE_INODE_TABLE);
	ck_assert_uint_eq(field(0, "extra_size")->number, 0xffff);
}
END_TEST

START_TEST(an_orphan_has_a_successor_and_no_time_of_deletion)
{
	put16(0, 0100644);
	put32(0x14, 192);
	decode(E2LAZY_TYPE_INODE_TABLE);
	ck_assert_uint_eq(field(0, "next_orphan")->number, 192);
	ck_assert_int_eq(field(0, "dtime")->kind, VALUE_NONE);
	put32(0x14, 193);		/* there is no such inode */
	decode(E2LAZY_TYPE_INODE_TABLE);
	ck_assert_str_eq(text(0, "dtime"), "1970-01-01T00:03:13Z");
}
END_TEST

START_TEST(what_i_block_holds_depends_on_the_file)
{
	static const struct {
		unsigned mode, block;
		const char *field, *value;
	} files[] = {
		{ 0120777, 0x003a, "target", ":" },
		{ 0020600, 0x0801, "device", "8:1" },
		{ 0060600, 0x0302, "device", "3:2" },
	};

	put16(0, files[_i].mode);
	put32(4, 1);
	put32(0x28, files[_i].block);
	decode(E2LAZY_TYPE_INODE_TABLE);
	ck_assert_str_eq(text(0, files[_i].field), files[_i].value);
	put16(0, 0100644);
	decode(E2LAZY_TYPE_INODE_TABLE);
	ck_assert_str_eq(label(1), "inode 17 pointer 0");
	ck_assert_uint_eq(field(1, "physical")->number, files[_i].block);
}
END_TEST

START_TEST(a_wrong_checksum_of_an_inode_is_bad)
{
	super.s_feature_ro_compat = EXT4_FEATURE_RO_COMPAT_METADATA_CSUM;
	put16(0, 0100644);
	decode(E2LAZY_TYPE_INODE_TABLE);
	ck_assert_str_eq(text(0, "csum"), "bad");
}
END_TEST

/* ---------------------------------------------------------------- groups */

START_TEST(ones_only_are_one_run_up_to_the_group_s_end)
{
	memset(block, 0xff, 1024);
	decode_at(E2LAZY_TYPE_BLOCK_BITMAP, 100, 2);	/* the last group */
	ck_assert_uint_eq(decoded.nr_records, 2);
	ck_assert_str_eq(line(0), "block bitmap of group 2: used 100, free 0");
	ck_assert_str_eq(line(1), "used 16385-16484");
	decode_at(E2LAZY_TYPE_INODE_BITMAP, 100, 1);
	ck_assert_str_eq(line(1), "used 65-128");
}
END_TEST

START_TEST(runs_of_bits_are_ranges)
{
	block[0] = 0x61;	/* 0, 5, 6 */
	block[1023] = 0x80;	/* 8191 */
	decode(E2LAZY_TYPE_BLOCK_BITMAP);
	ck_assert_uint_eq(decoded.nr_records, 4);
	ck_assert_uint_eq(field(0, "used")->number, 4);
	ck_assert_str_eq(line(1), "used 1");
	ck_assert_str_eq(line(2), "used 6-7");
	ck_assert_str_eq(line(3), "used 8192");
}
END_TEST

START_TEST(more_bits_than_a_block_has_are_not_read)
{
	super.s_blocks_per_group = 0x10000000;
	super.s_inodes_per_group = 0x10000000;
	super.s_blocks_count = 0x20000000;
	decode(E2LAZY_TYPE_BLOCK_BITMAP);
	ck_assert_uint_eq(field(0, "free")->number, 8192);
	decode(E2LAZY_TYPE_INODE_BITMAP);
	ck_assert_uint_eq(field(0, "free")->number, 8192);
}
END_TEST

START_TEST(descriptors_end_with_the_last_group)
{
	put16(64 + 0x0c, 5);
	put16(64 + 0x2c, 1);
	decode_at(E2LAZY_TYPE_DESC, 2, 0);
	ck_assert_uint_eq(decoded.nr_records, 3);
	ck_assert_str_eq(label(1), "group 1");
	ck_assert_uint_eq(field(1, "free_blocks")->number, 0x10005);
}
END_TEST

START_TEST(small_descriptors_have_lower_halves_only)
{
	super.s_feature_incompat = 0;
	put16(32 + 0x0c, 5);
	put16(32 + 0x2c, 1);
	decode_at(E2LAZY_TYPE_DESC, 2, 0);
	ck_assert_uint_eq(decoded.nr_records, 3);
	ck_assert_uint_eq(field(1, "free_blocks")->number, 5);
}
END_TEST

START_TEST(a_superblock_is_behind_the_boot_block)
{
	struct ext2_super_block on_disk = super;

	new_block(4096);
	swap_super(&on_disk);
	memcpy(block + (_i ? 0 : 1024), &on_disk, sizeof(on_disk));
	decode_at(_i ? E2LAZY_TYPE_SUPER_BACKUP : E2LAZY_TYPE_SUPER,
		  _i ? 32768 : 0, (dgrp_t)_i);
	ck_assert_uint_eq(field(0, "inodes")->number, 192);
}
END_TEST

START_TEST(what_has_no_magic_is_no_superblock)
{
	decode_at(E2LAZY_TYPE_SUPER, 1, 0);
	ck_assert_uint_eq(decoded.nr_records, 1);
	ck_assert_str_eq(text(0, "why"), "no magic of a superblock");
}
END_TEST

START_TEST(an_mmp_block_tells_who_has_the_file_system)
{
	put32(0, 0x004d4d50);
	put32(4, 0xff4d4d50);
	put32(8, 1700000000);
	memcpy(block + 0x10, "node.example", 12);
	memset(block + 0x50, 'd', 32);		/* no NUL */
	put16(0x70, 5);
	decode(E2LAZY_TYPE_MMP);
	ck_assert_str_eq(line(0), "MMP: magic 0x4d4d50, sequence 0xff4d4d50, "
			 "time 2023-11-14T22:13:20Z, node node.example, "
			 "device dddddddddddddddddddddddddddddddd, "
			 "check_interval 5, checksum 0x0");
}
END_TEST

START_TEST(data_has_no_decoder)
{
	ck_assert(!decode_knows(E2LAZY_TYPE_DATA));
	ck_assert(!decode_knows(E2LAZY_TYPE_JOURNAL));
	decode(E2LAZY_TYPE_DATA);
	ck_assert_uint_eq(decoded.nr_records, 0);
}
END_TEST

TCase *decode_fixed_tests(void)
{
	TCase *tc = tcase_create("decode-fixed");

	tcase_add_checked_fixture(tc, decoding_begin, decoding_end);
	tcase_add_test(tc, an_inode_of_zeros_is_left_out);
	tcase_add_test(tc, upper_halves_of_an_inode_count);
	tcase_add_test(tc, a_small_inode_has_no_later_fields);
	tcase_add_test(tc, fields_beyond_the_inode_are_not_there);
	tcase_add_test(tc, an_orphan_has_a_successor_and_no_time_of_deletion);
	tcase_add_loop_test(tc, what_i_block_holds_depends_on_the_file, 0, 3);
	tcase_add_test(tc, a_wrong_checksum_of_an_inode_is_bad);
	tcase_add_test(tc, ones_only_are_one_run_up_to_the_group_s_end);
	tcase_add_test(tc, runs_of_bits_are_ranges);
	tcase_add_test(tc, more_bits_than_a_block_has_are_not_read);
	tcase_add_test(tc, descriptors_end_with_the_last_group);
	tcase_add_test(tc, small_descriptors_have_lower_halves_only);
	tcase_add_loop_test(tc, a_superblock_is_behind_the_boot_block, 0, 2);
	tcase_add_test(tc, what_has_no_magic_is_no_superblock);
	tcase_add_test(tc, an_mmp_block_tells_who_has_the_file_system);
	tcase_add_test(tc, data_has_no_decoder);
	return tc;
}
