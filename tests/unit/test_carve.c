/* SPDX-License-Identifier: GPL-2.0-only */
/* A journal without an inode: its blocks are found on the device. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "e2lazy_salvage.h"
#include "io/bytes.h"
#include "log/jbd2.h"

static struct e2lazy_salvage *found;

#define TXNS "txn 5 write 60000-60009\n" \
	     "txn 6 revoke 60001 write 60003,60020\n" \
	     "txn 7 write 60021\n"

static size_t carve(struct fixture *f)
{
	const struct e2lazy_salvage_opts how = {
		.flags = E2LAZY_SALVAGE_CARVE,
	};

	e2lazy_salvage_free(found);
	found = NULL;
	ck_assert_int_eq(e2lazy_salvage(f->image, NULL, &how, &found,
					&f->where), 0);
	return e2lazy_salvage_count(found);
}

static void check_log(struct fixture *f)
{
	const struct e2lazy_candidate *c = e2lazy_salvage_candidate(found, 0);
	const struct e2lazy_open_opts opts = {
		.geometry = &c->geometry, .runs = c->runs,
		.nr_runs = c->nr_runs,
	};

	ck_assert_ptr_nonnull(c->runs);
	ck_assert_int_eq(c->facts[E2LAZY_PART_WHERE].origin,
			 E2LAZY_FROM_CARVING);
	ck_assert_int_eq(try_open(f, &opts), 0);
	read_map(f, E2LAZY_WALK_DATA, 0);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
	ck_assert_mapped(f, 60003, 6);
	ck_assert_mapped(f, 60009, 5);
	ck_assert_not_mapped(f, 60001);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	e2lazy_salvage_free(found);
	found = NULL;
}

static void remove_journal(struct fixture *f)
{
	shell(f, "debugfs -w -R 'feature -has_journal -needs_recovery' %s "
	      ">/dev/null 2>&1");
	shell(f, "debugfs -w -R 'clri <8>' %s >/dev/null 2>&1");
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_NO_JOURNAL);
}

START_TEST(a_journal_that_was_removed_is_found)
{
	struct fixture *f = map_of(TXNS);

	remove_journal(f);
	ck_assert_uint_eq(carve(f), 1);
	check_log(f);
}
END_TEST

START_TEST(a_removed_journal_without_superblock_is_found)
{
	struct fixture *f = new_fixture();

	make_image(f, "64M", PLAIN, TXNS "damage zero @0\n");
	remove_journal(f);
	ck_assert_uint_eq(carve(f), 1);
	check_log(f);
}
END_TEST

/* 1k blocks: each group of 8 MiB has bitmaps and inode tables in the way. */
START_TEST(a_journal_in_pieces_is_found_around_the_static_metadata)
{
	struct fixture *f = map_of_fs("-b 1024 -J size=16 "
				      "-O 64bit,metadata_csum,^flex_bg",
				      "start end-5\n" TXNS "tail 5\n");

	ck_assert_uint_gt(e2lazy_geometry(f->journal)->runs, 1);
	remove_journal(f);
	ck_assert_uint_ge(carve(f), 1);
	ck_assert_uint_gt(e2lazy_salvage_candidate(found, 0)->nr_runs, 1);
	check_log(f);
}
END_TEST

/* The log is behind the first block of numbers, or of such blocks. */
START_TEST(a_journal_that_block_numbers_map_lies_around_these)
{
	static const char *const starts[] = { "2", "1020", "end-300" };
	char spec[256];
	struct fixture *f;
	size_t nr;

	snprintf(spec, sizeof(spec), "start %s\n" TXNS "tail 5\n", starts[_i]);
	f = map_of_fs("-b 1024 -J size=8 -O ^extents,^64bit,^metadata_csum,"
		      "^flex_bg", spec);
	nr = e2lazy_geometry(f->journal)->runs;
	ck_assert_uint_gt(nr, 30);
	remove_journal(f);
	ck_assert_uint_ge(carve(f), 1);
	ck_assert_uint_eq(e2lazy_salvage_candidate(found, 0)->nr_runs, nr);
	check_log(f);
}
END_TEST

/* From the begin of a group: in the way are bitmaps, the inode table and, right
   behind it, a block of the resize inode. */
static void check_in_pieces(const char *mke2fs)
{
	struct fixture *f = map_of_fs(mke2fs, "start 20\n" TXNS "tail 5\n");

	ck_assert_uint_gt(e2lazy_geometry(f->journal)->runs, 1);
	remove_journal(f);
	ck_assert_uint_ge(carve(f), 1);
	check_log(f);
}

START_TEST(a_block_of_the_resize_inode_is_not_the_journals)
{
	check_in_pieces("-b 65536 -J size=64 -E lazy_journal_init=1 "
			"-O 64bit,metadata_csum,resize_inode");
}
END_TEST

START_TEST(static_metadata_takes_whole_clusters)
{
	check_in_pieces("-b 4096 -J size=4,location=20 -C 16384 "
			"-O 64bit,metadata_csum,resize_inode,bigalloc");
}
END_TEST

START_TEST(a_new_file_system_over_it_leaves_the_old_log)
{
	struct fixture *f = map_of_fs("-b 1024 -J size=4 "
				      "-O 64bit,metadata_csum", TXNS);

	shell(f, "mke2fs -q -F -t ext4 -O ^has_journal -b 1024 "
	      "-O 64bit,metadata_csum -E nodiscard %s 64M");
	ck_assert_uint_eq(carve(f), 1);
	check_log(f);
}
END_TEST

START_TEST(nothing_is_carved_from_an_empty_file_system)
{
	struct fixture *f = map_of("");

	ck_assert_uint_eq(carve(f), 0);
	e2lazy_salvage_free(found);
}
END_TEST

/* ------------------------------------------- places that only look like one */

/* Behind all of them, and not in the way. */
#define LATE "-b 1024 -J size=4,location=40000 -O 64bit,metadata_csum"

static void put_be32_at(struct fixture *f, uint64_t offset, uint32_t value)
{
	FILE *image = fopen(f->image, "r+");
	uint8_t bytes[4];

	put_be32(bytes, value);
	ck_assert_ptr_nonnull(image);
	ck_assert_int_eq(fseeko(image, (off_t)offset, SEEK_SET), 0);
	ck_assert_uint_eq(fwrite(bytes, 4, 1, image), 1);
	ck_assert_int_eq(fclose(image), 0);
}

static void put_header(struct fixture *f, blk64_t at, enum jbd2_type type)
{
	put_be32_at(f, at * 1024, JBD2_MAGIC);
	put_be32_at(f, at * 1024 + 4, type);
}

/* A superblock, and @signs empty descriptors behind it. */
static void put_fake(struct fixture *f, blk64_t at, unsigned signs)
{
	put_header(f, at, JBD2_SUPER_V2);
	put_be32_at(f, at * 1024 + JSB_BLOCKSIZE, 1024);
	put_be32_at(f, at * 1024 + JSB_MAXLEN, 1024);
	while (signs)
		put_header(f, at + signs--, JBD2_DESCRIPTOR);
}

static struct fixture *behind_fakes(const char *spec, unsigned fakes,
				    unsigned signs)
{
	struct fixture *f = map_of_fs(LATE, spec);

	remove_journal(f);
	for (unsigned i = 0; i < fakes; i++)
		put_fake(f, 20000 + 8 * i, signs);
	return f;
}

START_TEST(superblocks_without_a_log_are_no_places)
{
	struct fixture *f = behind_fakes(TXNS, 100, 0);

	ck_assert_uint_ge(carve(f), 1);
	ck_assert_uint_eq(e2lazy_salvage_carved(found)->dropped, 0);
	check_log(f);
}
END_TEST

START_TEST(of_many_places_those_with_the_most_signs_are_searched)
{
	struct fixture *f = behind_fakes(TXNS, (unsigned)_i, 2);

	put_fake(f, 50000, 1);
	ck_assert_uint_ge(carve(f), 1);
	ck_assert_uint_eq(e2lazy_salvage_carved(found)->dropped,
			  (uint64_t)_i - 62);
	ck_assert_uint_eq(e2lazy_salvage_carved(found)->failed, 0);
	check_log(f);
}
END_TEST

/* By hand: the first place ends before such a ring begins. */
START_TEST(an_error_at_one_guess_does_not_end_the_search)
{
	const struct e2lazy_parts pieces = {
		.has = 1U << E2LAZY_PART_FIRST, .first = 1500,
	};
	const struct e2lazy_salvage_opts how = {
		.flags = E2LAZY_SALVAGE_CARVE, .pieces = &pieces,
	};
	struct fixture *f = behind_fakes("start 2000\n" TXNS, 1, 2);

	ck_assert_int_eq(e2lazy_salvage(f->image, NULL, &how, &found,
					&f->where), 0);
	ck_assert_uint_ge(e2lazy_salvage_carved(found)->failed, 1);
	ck_assert_int_eq(e2lazy_salvage_carved(found)->error,
			 E2LAZY_ET_JSB_FIRST);
	check_log(f);
}
END_TEST

START_TEST(if_every_guess_fails_the_error_is_told)
{
	const struct e2lazy_parts pieces = {
		.has = 1U << E2LAZY_PART_FIRST, .first = 1500,
	};
	const struct e2lazy_salvage_opts how = {
		.flags = E2LAZY_SALVAGE_CARVE, .pieces = &pieces,
	};
	struct fixture *f = map_of("");

	remove_journal(f);
	put_fake(f, 20000, 2);
	ck_assert_int_eq(e2lazy_salvage(f->image, NULL, &how, &found,
					&f->where), E2LAZY_ET_JSB_FIRST);
}
END_TEST

TCase *carve_tests(void)
{
	TCase *tc = tcase_create("carve");

	tcase_add_test(tc, a_journal_that_was_removed_is_found);
	tcase_add_test(tc, a_removed_journal_without_superblock_is_found);
	tcase_add_test(tc,
		a_journal_in_pieces_is_found_around_the_static_metadata);
	tcase_add_loop_test(tc,
		a_journal_that_block_numbers_map_lies_around_these, 0, 3);
	tcase_add_test(tc, a_block_of_the_resize_inode_is_not_the_journals);
	tcase_add_test(tc, static_metadata_takes_whole_clusters);
	tcase_add_test(tc, a_new_file_system_over_it_leaves_the_old_log);
	tcase_add_test(tc, nothing_is_carved_from_an_empty_file_system);
	tcase_add_test(tc, superblocks_without_a_log_are_no_places);
	tcase_add_loop_test(tc,
		of_many_places_those_with_the_most_signs_are_searched, 62, 66);
	tcase_add_test(tc, an_error_at_one_guess_does_not_end_the_search);
	tcase_add_test(tc, if_every_guess_fails_the_error_is_told);
	return tc;
}
