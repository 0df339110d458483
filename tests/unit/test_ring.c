/* SPDX-License-Identifier: GPL-2.0-only */
/* The log as a ring, and transaction ids as numbers that wrap. */

#include <stdio.h>

#include "fixture.h"

/* A transaction of 10 copies takes 12 blocks: start it everywhere near the
 * end, so that the wrap falls before, into and behind each kind of block. */
START_TEST(wrap_may_fall_anywhere)
{
	char spec[256];
	struct fixture *f;

	snprintf(spec, sizeof(spec), "start end-%d\n"
		 "txn 5 revoke 60100 write 60000-60009\n"
		 "txn 6 write 60003,60020\n", _i);
	f = map_of(spec);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 11);
	ck_assert_mapped(f, 60000, 5);
	ck_assert_mapped(f, 60003, 6);
	ck_assert_mapped(f, 60009, 5);
	ck_assert_mapped(f, 60020, 6);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 7);
	ck_assert_uint_eq(e2lazy_jmap_end(f->map)->walked, 17);

	read_map(f, E2LAZY_WALK_DATA, 0);	/* reads spans over the wrap */
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
}
END_TEST

START_TEST(v1_sum_runs_over_the_wrap)
{
	struct fixture *f = map_of("journal csum v1\nstart end-5\n"
				   "txn 5 write 60000-60009\n"
				   "txn 6 write 60003,60020\n");

	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 11);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 7);
}
END_TEST

/* 1023 ring blocks: 11 x (descriptor, 91 copies, commit) */

START_TEST(full_ring_is_walked_once)
{
	char spec[1024];
	int used = snprintf(spec, sizeof(spec), "start 500\n");
	struct fixture *f;

	for (int tid = 5; tid < 16; tid++)
		used += snprintf(spec + used, sizeof(spec) - used,
				 "txn %d write %d-%d\n",
				 tid, FREE + tid * 91, FREE + tid * 91 + 90);
	f = map_of_fs("-b 4096 -J size=4 -O 64bit,metadata_csum", spec);
	ck_assert_ends(f, E2LAZY_END_FULL, 16);
	ck_assert_uint_eq(e2lazy_jmap_end(f->map)->head, 500);
	ck_assert_uint_eq(e2lazy_jmap_end(f->map)->walked, 1023);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 1001);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_NOTHING);
}
END_TEST

START_TEST(journal_of_38_gib_is_read_at_both_ends)
{
	struct fixture *f = new_fixture();

	make_image(f, "100G", "-b 4096 -J size=39000 -O 64bit "
		   "-E lazy_itable_init=1,lazy_journal_init=1",
		   "start end-5\ntxn 5 write 60000-60009\n"
		   "txn 6 write 60003\n");
	read_map(f, E2LAZY_WALK_DATA, 0);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->end, 9984000);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 10);
	ck_assert_mapped(f, 60003, 6);
	ck_assert_mapped(f, 60009, 5);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
}
END_TEST

START_TEST(tids_wrap_past_two_to_the_32)
{
	struct fixture *f = map_of("sequence 0xfffffffe\n"
				   "txn 0xfffffffe write 60000-60002\n"
				   "txn 0xffffffff revoke 60001\n"
				   "txn 0 write 60002\n"
				   "txn 1 revoke 60003 write 60004\n");

	ck_assert_mapped(f, 60000, 0xfffffffe);
	ck_assert_not_mapped(f, 60001);
	ck_assert_mapped(f, 60002, 0);
	ck_assert_mapped(f, 60004, 1);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 2);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->first_tid, 0xfffffffe);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->last_tid, 1);
}
END_TEST

START_TEST(fast_commit_area_is_no_part_of_the_ring)
{
	/* by s_maxlen the log would run on into the area and be misread */
	struct fixture *f = map_of_fs(
		"-b 1024 -J size=2 -O 64bit,metadata_csum",
		"journal fast_commit 256\nstart end-5\n"
		"txn 5 write 60000-60009\ntxn 6 write 60003\n");
	const struct e2lazy_geometry *g = e2lazy_geometry(f->journal);

	ck_assert_uint_eq(g->end, g->maxlen - 256);
	ck_assert_uint_eq(g->fc_first, g->end + 1);
	ck_assert_uint_eq(g->fc_blocks, 255);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 10);
	ck_assert_mapped(f, 60003, 6);
	ck_assert_mapped(f, 60009, 5);
}
END_TEST

START_TEST(walk_stops_at_the_transaction_asked_for)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 write 60000,60001\n"
				   "txn 7 revoke 60000\n");

	read_map(f, E2LAZY_WALK_UNTIL, 5);
	ck_assert_ends(f, E2LAZY_END_UNTIL, 6);
	ck_assert_mapped(f, 60000, 5);
	ck_assert_not_mapped(f, 60001);

	read_map(f, E2LAZY_WALK_UNTIL, 6);
	ck_assert_mapped(f, 60000, 6);

	read_map(f, E2LAZY_WALK_UNTIL, 4);	/* before the log begins */
	ck_assert_ends(f, E2LAZY_END_UNTIL, 5);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 0);

	read_map(f, E2LAZY_WALK_UNTIL, 100);	/* after it ends */
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	ck_assert_not_mapped(f, 60000);
}
END_TEST

START_TEST(empty_log_maps_nothing)
{
	struct fixture *f = map_of_fs(PLAIN, NULL);

	read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_jmap_end(f->map)->reason, E2LAZY_END_EMPTY);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 0);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_NOTHING);
}
END_TEST

START_TEST(control_blocks_are_read_once_and_copies_never)
{
	struct fixture *f = map_of("txn 5 revoke 60400 write 60000-60049\n"
				   "txn 6 write 60100-60149\n");
	uint64_t before = e2lazy_blocks_read(f->journal);

	read_map(f, 0, 0);
	/* 3 of transaction 5, 2 of 6, and the one that ends the walk */
	ck_assert_uint_eq(e2lazy_blocks_read(f->journal) - before, 6);

	before = e2lazy_blocks_read(f->journal);
	read_map(f, E2LAZY_WALK_DATA, 0);	/* and each copy once */
	ck_assert_uint_eq(e2lazy_blocks_read(f->journal) - before, 106);
}
END_TEST

TCase *ring_tests(void)
{
	TCase *tc = tcase_create("ring");

	tcase_add_loop_test(tc, wrap_may_fall_anywhere, 1, 18);
	tcase_add_test(tc, v1_sum_runs_over_the_wrap);
	tcase_add_test(tc, full_ring_is_walked_once);
	tcase_add_test(tc, journal_of_38_gib_is_read_at_both_ends);
	tcase_add_test(tc, tids_wrap_past_two_to_the_32);
	tcase_add_test(tc, fast_commit_area_is_no_part_of_the_ring);
	tcase_add_test(tc, walk_stops_at_the_transaction_asked_for);
	tcase_add_test(tc, empty_log_maps_nothing);
	tcase_add_test(tc, control_blocks_are_read_once_and_copies_never);
	return tc;
}
