/* SPDX-License-Identifier: GPL-2.0-only */
/* A journal without an inode: its blocks are found on the device. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "e2lazy_salvage.h"

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

TCase *carve_tests(void)
{
	TCase *tc = tcase_create("carve");

	tcase_add_test(tc, a_journal_that_was_removed_is_found);
	tcase_add_test(tc, a_removed_journal_without_superblock_is_found);
	tcase_add_test(tc,
		a_journal_in_pieces_is_found_around_the_static_metadata);
	tcase_add_test(tc, a_block_of_the_resize_inode_is_not_the_journals);
	tcase_add_test(tc, static_metadata_takes_whole_clusters);
	tcase_add_test(tc, a_new_file_system_over_it_leaves_the_old_log);
	tcase_add_test(tc, nothing_is_carved_from_an_empty_file_system);
	return tc;
}
