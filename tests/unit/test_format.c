/* SPDX-License-Identifier: GPL-2.0-only */
/* Every form that a tag, a revoke record and a block can have. */

#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "log/jbd2.h"

static const struct {
	const char	*csum;
	const char	*bits;
	unsigned	tag_bytes;
} forms[] = {
	{ "none", "32bit", 8 },
	{ "none", "64bit", 12 },
	{ "v1", "32bit", 8 },
	{ "v1", "64bit", 12 },
	{ "v2", "32bit", 10 },
	{ "v2", "64bit", 14 },
	{ "v3", "32bit", 16 },
	{ "v3", "64bit", 16 },
};
#define NR_FORMS (sizeof(forms) / sizeof(forms[0]))

/* 300 tags fill more than a descriptor in all of them. */
#define LOG "txn 5 write 60000-60299 escape 60500\n" \
	    "txn 6 revoke 60010-60019 write 60000\n"

START_TEST(every_tag_size_is_read)
{
	char spec[256];
	struct fixture *f;

	snprintf(spec, sizeof(spec), "journal csum %s %s revoke\n" LOG,
		 forms[_i].csum, forms[_i].bits);
	f = map_of(spec);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->tag_bytes,
			  forms[_i].tag_bytes);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 291);
	ck_assert_mapped(f, 60000, 6);
	ck_assert_mapped(f, 60009, 5);
	ck_assert_not_mapped(f, 60010);
	ck_assert_not_mapped(f, 60019);
	ck_assert_mapped(f, 60299, 5);
	ck_assert_mapped(f, 60500, 5);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 7);
}
END_TEST

START_TEST(data_checksums_hold_in_every_form)
{
	char spec[256];
	struct fixture *f;

	snprintf(spec, sizeof(spec), "journal csum %s %s revoke\n" LOG,
		 forms[_i].csum, forms[_i].bits);
	f = map_of(spec);
	read_map(f, E2LAZY_WALK_DATA, 0);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 291);
	ck_assert_int_eq(e2lazy_jmap_stats(f->map)->csum,
			 _i < 2 ? E2LAZY_UNCHECKED : E2LAZY_GOOD);
}
END_TEST

static const char *const sizes[] = { "1024", "2048", "4096", "8192", "16384",
				     "32768", "65536" };
#define NR_SIZES (sizeof(sizes) / sizeof(sizes[0]))

START_TEST(every_block_size_is_read)
{
	char mke2fs[128];
	unsigned mib = 1 << _i;		/* 1024 blocks */
	struct fixture *f;

	f = new_fixture();
	snprintf(mke2fs, sizeof(mke2fs), "-b %s -J size=%u "
		 "-E lazy_itable_init=1,lazy_journal_init=1", sizes[_i], mib);
	make_image(f, _i < 3 ? "512M" : "8G", mke2fs, LOG);
	read_map(f, E2LAZY_WALK_DATA, 0);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 291);
	ck_assert_mapped(f, 60000, 6);
	ck_assert_mapped(f, 60299, 5);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
}
END_TEST

START_TEST(full_descriptor_without_last_tag_ends_by_size)
{
	char spec[256];
	struct fixture *f;

	/* in 1 KiB, v2 64bit leaves 12 bytes and a checksum: no 14-byte tag */
	snprintf(spec, sizeof(spec), "journal csum %s %s\n"
		 "txn 5 nolast write 60000-60299\ntxn 6 write 60300\n",
		 forms[_i].csum, forms[_i].bits);
	f = map_of(spec);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 301);
	ck_assert_mapped(f, 60299, 5);
	ck_assert_mapped(f, 60300, 6);
}
END_TEST

START_TEST(escaped_copy_gets_its_magic_back)
{
	struct fixture *f = map_of("txn 5 write 60000 escape 60001\n");
	struct e2lazy_copy copy;

	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60000, &copy), 0);
	ck_assert_uint_eq(copy.flags, 0);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60001, &copy), 0);
	ck_assert_uint_eq(copy.flags, E2LAZY_COPY_ESCAPED);
	check_content(f, &copy);
}
END_TEST

START_TEST(deleted_flag_is_reported_and_the_copy_lives)
{
	struct fixture *f = map_of("txn 5 deleted 60001\n");
	struct e2lazy_copy copy;

	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60001, &copy), 0);
	ck_assert_uint_eq(copy.flags, E2LAZY_COPY_DELETED);
}
END_TEST

START_TEST(high_word_counts_with_64bit_only)
{
	/* 32-bit v3 tags have room for a high word, which means nothing */
	struct fixture *f = map_of("journal csum v3 32bit\n"
				   "txn 5 write 60000\n");
	struct fixture *wide = new_fixture();

	ck_assert_mapped(f, 60000, 5);
	make_image(wide, "5T", "-b 1024 -J size=1 -N 10000 -C 65536 "
		   "-O 64bit,bigalloc,sparse_super2,^resize_inode "
		   "-E num_backup_sb=0,lazy_itable_init=1,lazy_journal_init=1",
		   "txn 5 write 4294967296,4400000001 sparse\n"
		   "txn 6 revoke 4400000001\n");
	read_map(wide, 0, 0);
	ck_assert_uint_eq(e2lazy_jmap_count(wide->map), 1);
	ck_assert_int_eq(e2lazy_jmap_lookup(wide->map, 4294967296ULL,
					    &(struct e2lazy_copy){ 0 }), 0);
	ck_assert_not_mapped(wide, 0);
}
END_TEST

/* No tool writes one there, so the test makes the block by hand. */
START_TEST(high_word_of_a_32_bit_tag_means_nothing)
{
	static const uint8_t tag[16] = {
		0, 0, 0xea, 0x60, 0, 0, 0, TAG_SAME_UUID | TAG_LAST,
		0, 0, 0, 1,
	};
	uint8_t block[1024] = { 0 };
	struct jbd2_format format;
	struct jbd2_cursor c;
	struct jbd2_tag read;

	memcpy(block + JBD2_HEADER_BYTES, tag, sizeof(tag));
	for (int is_64bit = 0; is_64bit < 2; is_64bit++) {
		jbd2_format_init(&format, 1024, E2LAZY_CSUM_V3, is_64bit);
		jbd2_first_tag(&c, block, &format);
		ck_assert(jbd2_next_tag(&c, &read, &format));
		ck_assert_uint_eq(read.fsblk,
				  is_64bit ? 0x10000ea60ULL : 0xea60);
		ck_assert(!jbd2_next_tag(&c, &read, &format));
	}
}
END_TEST

START_TEST(commit_time_of_debugfs_is_read_sanely)
{
	struct fixture *f = map_of("txn 5 write 60000 time 1600000000\n"
				   "txn 6 write 60001 time 1600000001 "
				   "debugfstime\n");

	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->first_sec, 1600000000);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->last_sec, 1600000001);
}
END_TEST

TCase *format_tests(void)
{
	TCase *tc = tcase_create("format");

	tcase_add_loop_test(tc, every_tag_size_is_read, 0, NR_FORMS);
	tcase_add_loop_test(tc, data_checksums_hold_in_every_form, 0,
			    NR_FORMS);
	tcase_add_loop_test(tc, every_block_size_is_read, 0, NR_SIZES);
	tcase_add_loop_test(tc, full_descriptor_without_last_tag_ends_by_size,
			    0, NR_FORMS);
	tcase_add_test(tc, escaped_copy_gets_its_magic_back);
	tcase_add_test(tc, deleted_flag_is_reported_and_the_copy_lives);
	tcase_add_test(tc, high_word_counts_with_64bit_only);
	tcase_add_test(tc, high_word_of_a_32_bit_tag_means_nothing);
	tcase_add_test(tc, commit_time_of_debugfs_is_read_sanely);
	return tc;
}
