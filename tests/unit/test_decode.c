/* SPDX-License-Identifier: GPL-2.0-only */
/* Decoded blocks of files, some of which no kernel wrote. */

#include <string.h>

#include "decoding.h"

/* ------------------------------------------------------------ directories */

static unsigned put_entry(unsigned at, uint32_t ino, unsigned rec_len,
			  const char *name)
{
	put32(at, ino);
	put16(at + 4, rec_len);
	block[at + 6] = (uint8_t)strlen(name);
	block[at + 7] = EXT2_FT_REG_FILE;
	memcpy(block + at + 8, name, strlen(name));
	return at + rec_len;
}

START_TEST(each_entry_of_a_directory_is_a_record)
{
	unsigned at = put_entry(0, 12, 16, "one");

	at = put_entry(at, 0, 24, "gone");
	put_entry(at, 13, 1024 - at, "two");
	decode(E2LAZY_TYPE_DIRECTORY);
	ck_assert_uint_eq(decoded.nr_records, 3);
	ck_assert_str_eq(line(0), "entry one: inode 12, offset 0, rec_len 16, "
			 "type file");
	ck_assert_str_eq(line(1), "unused at 16: rec_len 24");
	ck_assert_str_eq(line(2), "entry two: inode 13, offset 40, "
			 "rec_len 984, type file");
}
END_TEST

static const struct {
	unsigned	rec_len;
	const char	*name;
} bad_entries[] = {
	{ 0, "x" }, { 4, "x" }, { 8, "x" }, { 13, "x" }, { 12, "longer" },
	{ 1012, "x" }, { 65535, "x" },
};

START_TEST(an_impossible_rec_len_ends_the_directory)
{
	unsigned at = put_entry(0, 12, 16, "one");

	put_entry(at, 13, bad_entries[_i].rec_len, bad_entries[_i].name);
	decode(E2LAZY_TYPE_DIRECTORY);
	ck_assert_uint_eq(decoded.nr_records, 2);
	ck_assert_str_eq(label(1), "broken at byte 16");
	ck_assert_uint_eq(field(1, "value")->number, bad_entries[_i].rec_len);
}
END_TEST

START_TEST(four_bytes_behind_the_last_entry_are_told_of)
{
	put_entry(0, 12, 1020, "one");
	decode(E2LAZY_TYPE_DIRECTORY);
	ck_assert_uint_eq(decoded.nr_records, 2);
	ck_assert_str_eq(label(1), "broken at byte 1020");
}
END_TEST

START_TEST(the_checksum_of_a_directory_is_no_entry)
{
	put_entry(0, 12, 1012, "one");
	put_entry(1012, 0, 12, "");
	block[1012 + 7] = 0xde;
	put32(1020, 0xabcd1234);
	decode(E2LAZY_TYPE_DIRECTORY);
	ck_assert_str_eq(line(1), "checksum: checksum 0xabcd1234");
}
END_TEST

START_TEST(names_keep_every_byte)
{
	put_entry(0, 12, 1024, "a-b\x1b");
	block[9] = 0;
	decode(E2LAZY_TYPE_DIRECTORY);
	ck_assert_uint_eq(field(0, "name")->number, 4);
	ck_assert_int_eq(memcmp(text(0, "name"), "a\0b\x1b", 5), 0);
	ck_assert_str_eq(line(0), "entry a\\x00b\\x1b: inode 12, offset 0, "
			 "rec_len 1024, type file");
}
END_TEST

START_TEST(an_entry_may_be_as_long_as_a_block_of_64k)
{
	new_block(65536);
	put_entry(0, 12, 0, "one");
	decode(E2LAZY_TYPE_DIRECTORY);
	ck_assert_uint_eq(decoded.nr_records, 1);
	ck_assert_uint_eq(field(0, "rec_len")->number, 65536);
}
END_TEST

START_TEST(an_index_has_no_more_entries_than_fit)
{
	put16(4, 1024);
	put16(8, 127);
	put16(10, 0xffff);
	decode(E2LAZY_TYPE_HTREE);
	ck_assert_uint_eq(decoded.nr_records, 1 + 127 + 1);
	ck_assert_str_eq(label(0), "index node");
	ck_assert_str_eq(label(128), "broken at byte 10");
}
END_TEST

/* -------------------------------------------------- maps and attributes */

START_TEST(an_extent_node_has_no_more_entries_than_fit)
{
	put16(0, 0xf30a);
	put16(2, 0xffff);
	put16(6, (unsigned)_i);		/* a leaf, or an inner node */
	decode(E2LAZY_TYPE_EXTENT);
	ck_assert_uint_eq(decoded.nr_records, 1 + 84 + 1);
	ck_assert_str_eq(label(84), _i ? "index at 0" : "extent at 0");
	ck_assert_str_eq(label(85), "broken at byte 2");
}
END_TEST

START_TEST(an_extent_longer_than_32768_is_uninitialized)
{
	static const struct {
		unsigned on_disk;
		const char *line;
	} lengths[] = {
		{ 32768, "extent at 7: length 32768, physical 4294967301, "
			 "uninitialized no" },
		{ 32769, "extent at 7: length 1, physical 4294967301, "
			 "uninitialized yes" },
	};

	put16(0, 0xf30a);
	put16(2, 1);
	put32(12, 7);
	put16(16, lengths[_i].on_disk);
	put16(18, 1);
	put32(20, 5);
	decode(E2LAZY_TYPE_EXTENT);
	ck_assert_str_eq(line(1), lengths[_i].line);
}
END_TEST

START_TEST(zeros_are_no_pointers)
{
	put32(4, 1000);
	put32(1020, 1001);
	decode(E2LAZY_TYPE_INDIRECT);
	ck_assert_uint_eq(decoded.nr_records, 2);
	ck_assert_str_eq(line(0), "pointer 1: physical 1000");
	ck_assert_str_eq(line(1), "pointer 255: physical 1001");
}
END_TEST

static unsigned put_xattr(unsigned at, const char *name, unsigned offset,
			  uint32_t size)
{
	block[at] = (uint8_t)strlen(name);
	block[at + 1] = 1;
	put16(at + 2, offset);
	put32(at + 8, size);
	memcpy(block + at + 16, name, strlen(name));
	return at + 16 + ((unsigned)strlen(name) + 3) / 4 * 4;
}

START_TEST(attributes_have_a_name_and_a_value)
{
	put_xattr(put_xattr(32, "one", 1020, 3), "two", 500, 65);
	memcpy(block + 1020, "abc", 3);
	decode(E2LAZY_TYPE_XATTR);
	ck_assert_uint_eq(decoded.nr_records, 3);
	ck_assert_str_eq(line(1), "xattr user.one: size 3, hash 0x0, "
			 "value 616263");
	ck_assert_str_eq(line(2), "xattr user.two: size 65, hash 0x0");
}
END_TEST

static const struct {
	unsigned	offset;
	uint32_t	size;
} bad_values[] = {
	{ 1021, 4 }, { 1024, 1 }, { 65535, 1 }, { 0, 1025 },
	{ 1, 0xffffffff }, { 65535, 0xffffffff },
};

START_TEST(a_value_outside_of_the_block_is_not_read)
{
	put_xattr(32, "one", bad_values[_i].offset, bad_values[_i].size);
	decode(E2LAZY_TYPE_XATTR);
	ck_assert_uint_eq(decoded.nr_records, 3);
	ck_assert_str_eq(text(2, "why"), "the value lies outside");
}
END_TEST

START_TEST(an_attribute_s_name_may_not_leave_the_block)
{
	unsigned at = 32;

	while (at < 992)
		at = put_xattr(at, "01234567", 0, 0);
	block[at] = 1024 - 992 - 16;
	memset(block + at + 16, 'n', block[at]);
	decode(E2LAZY_TYPE_XATTR);
	ck_assert_uint_eq(decoded.nr_records, 1 + 40 + 1);
	ck_assert_str_eq(line(41), "xattr nnnnnnnnnnnnnnnn: size 0, hash 0x0");
	block[at]++;
	decode(E2LAZY_TYPE_XATTR);
	ck_assert_str_eq(label(41), "broken at byte 992");
	ck_assert_str_eq(text(41, "why"), "the name reaches outside");
}
END_TEST

/*
 * Noise, made likelier to get past the first look: the magics are right, and
 * numbers are small as often as not.  A read behind the block is a fault.
 */
static void fill_with_noise(unsigned *seed)
{
	for (unsigned i = 0; i < fs.blocksize; i++) {
		*seed = *seed * 1103515245 + 12345;
		block[i] = *seed >> 30 ? 0 : (uint8_t)(*seed >> 16);
	}
	switch (*seed >> 16 & 3) {
	case 0: put16(0, 0xf30a); break;
	case 1: put32(0, 0xea020000); break;
	case 2: put16(0x38, EXT2_SUPER_MAGIC); break;
	}
}

START_TEST(no_decoder_reads_beyond_the_block)
{
	static const unsigned sizes[] = { 1024, 4096, 65536 };
	unsigned seed = (unsigned)_i;

	super.s_feature_ro_compat = EXT4_FEATURE_RO_COMPAT_METADATA_CSUM;
	for (unsigned i = 0; i < 3; i++) {
		new_block(sizes[i]);
		for (unsigned round = 0; round < 20; round++) {
			fill_with_noise(&seed);
			decode((enum e2lazy_type)_i);
		}
	}
}
END_TEST

TCase *decode_tests(void)
{
	TCase *tc = tcase_create("decode");

	tcase_add_checked_fixture(tc, decoding_begin, decoding_end);
	tcase_add_test(tc, each_entry_of_a_directory_is_a_record);
	tcase_add_loop_test(tc, an_impossible_rec_len_ends_the_directory, 0,
			    COUNT(bad_entries));
	tcase_add_test(tc, four_bytes_behind_the_last_entry_are_told_of);
	tcase_add_test(tc, the_checksum_of_a_directory_is_no_entry);
	tcase_add_test(tc, names_keep_every_byte);
	tcase_add_test(tc, an_entry_may_be_as_long_as_a_block_of_64k);
	tcase_add_test(tc, an_index_has_no_more_entries_than_fit);
	tcase_add_loop_test(tc, an_extent_node_has_no_more_entries_than_fit, 0,
			    2);
	tcase_add_loop_test(tc, an_extent_longer_than_32768_is_uninitialized,
			    0, 2);
	tcase_add_test(tc, zeros_are_no_pointers);
	tcase_add_test(tc, attributes_have_a_name_and_a_value);
	tcase_add_loop_test(tc, a_value_outside_of_the_block_is_not_read, 0,
			    COUNT(bad_values));
	tcase_add_test(tc, an_attribute_s_name_may_not_leave_the_block);
	tcase_add_loop_test(tc, no_decoder_reads_beyond_the_block, 0,
			    E2LAZY_NR_TYPES);
	return tc;
}
