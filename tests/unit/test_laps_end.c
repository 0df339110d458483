/* SPDX-License-Identifier: GPL-2.0-only */
/* Laps that end elsewhere than the log: fast_commit was on, or off, for them. */

#include <stdio.h>

#include "e2lazy_ring.h"
#include "e2lazy_salvage.h"
#include "fixture.h"
#include "log/log.h"

/* The features in the journal superblock of PLAIN: v3, 64bit, revoke. */
#define FEATURES	0x13
#define FAST_COMMIT	0x20

/* A journal of 2048 blocks: 1024 are the least besides the area. */
#define BIG "-b 1024 -J size=2 -O 64bit,metadata_csum"

/*
 * Three transactions.  The one before them shows that the first one is whole;
 * nothing shows that of itself.
 */
#define THREE "txn 4 write 59999\n" \
	      "txn 5 write 60000-60003\n" \
	      "txn 6 revoke 60100 write 60004-60013\n" \
	      "txn 7 write 60003,60020\n"
/* Their blocks: 3 + 6, 13, 4. */
#define BEFORE	3
#define BLOCKS	23

static struct e2lazy_ring *scan(struct fixture *f)
{
	struct e2lazy_ring *ring = NULL;

	ck_assert_int_eq(e2lazy_ring_scan(f->journal, NULL, &ring, NULL), 0);
	return ring;
}

/* Every copy that the walk of @ring's only history shows, in its place. */
static void check_walk(struct fixture *f, const struct e2lazy_ring *ring)
{
	struct e2lazy_jmap_opts opts = { .flags = E2LAZY_WALK_DATA };
	struct e2lazy_history h;

	e2lazy_ring_history(ring, 0, &h);
	opts.range = &h.range;
	e2lazy_jmap_free(f->map);
	f->map = NULL;
	ck_assert_int_eq(e2lazy_jmap_build(f->journal, &opts, &f->map), 0);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 15);
	for (unsigned i = 0; i < 14; i++)
		ck_assert_mapped(f, 60000 + i, i < 3 ? 5 : i > 3 ? 6 : 7);
	ck_assert_mapped(f, 60020, 7);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
	ck_assert_uint_eq(e2lazy_jmap_end(f->map)->walked, BLOCKS);
}

static void check_all(struct fixture *f)
{
	struct e2lazy_ring *ring;
	struct e2lazy_ring_txn txn;
	struct e2lazy_history h;
	uint32_t blocks = 0;

	ck_assert_int_eq(try_open(f, NULL), 0);
	ring = scan(f);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->txns, 3);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->histories, 1);
	e2lazy_ring_history(ring, 0, &h);
	ck_assert(h.reaches_now);
	for (uint32_t i = 0; i < 3; i++) {
		e2lazy_ring_txn(ring, i, &txn);
		ck_assert_uint_eq(txn.txn.tid, 5 + i);
		blocks += txn.range.blocks;
	}
	ck_assert_uint_eq(blocks, BLOCKS);
	check_walk(f, ring);
	e2lazy_ring_free(ring);
}

/* Begin THREE @back blocks before the ring's end, then empty the log. */
static void write_lap(struct fixture *f, const char *journal, int back,
		      const char *after)
{
	char spec[512];

	snprintf(spec, sizeof(spec), "%sstart end-%d\n" THREE
		 "damage super start 0\ndamage super sequence 8\n%s",
		 journal, BEFORE + back, after);
	make_image(f, "64M", BIG, spec);
}

/* @_i: blocks from the tail to the end, so that each block once comes last. */
START_TEST(the_size_of_a_cleared_area_still_ends_older_laps)
{
	struct fixture *f = new_fixture();

	write_lap(f, "journal csum v3 64bit fast_commit 16 cleared\n", _i, "");
	check_all(f);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->end, 2048);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->other_end, 2032);
}
END_TEST

START_TEST(without_checksums_the_ids_show_where_an_older_lap_wraps)
{
	struct fixture *f = new_fixture();

	write_lap(f, "journal csum none fast_commit 16 cleared\n", _i, "");
	check_all(f);
}
END_TEST

START_TEST(an_area_of_0_blocks_ends_older_laps_256_blocks_early)
{
	struct fixture *f = new_fixture();

	write_lap(f, "journal csum v3 64bit fast_commit 0 cleared\n", _i, "");
	check_all(f);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->other_end, 2048 - 256);
}
END_TEST

/* tune2fs -O fast_commit after the ring has wrapped without it */
START_TEST(a_new_area_does_not_cut_off_older_laps)
{
	struct fixture *f = new_fixture();
	char after[128];

	snprintf(after, sizeof(after), "damage super fcblocks 16\n"
		 "damage super incompat %d\n", FEATURES | FAST_COMMIT);
	write_lap(f, "journal csum v3 64bit\n", _i, after);
	check_all(f);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->end, 2032);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->other_end, 2048);
}
END_TEST

/* A kernel that loads it wraps at s_maxlen, finds no block and stops there. */
START_TEST(the_log_ends_where_the_journal_superblock_says)
{
	struct fixture *f = map_of_fs(BIG,
		"journal csum v3 64bit fast_commit 16 cleared\n"
		"start end-8\n"
		"txn 5 write 60000-60003\ntxn 6 write 60000-60003\n");

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 6);
	ck_assert_mapped(f, 60000, 5);
}
END_TEST

/* What lies behind the shorter end belongs to a lap before that. */
START_TEST(an_early_wrap_does_not_hide_the_blocks_behind_it)
{
	struct fixture *f = new_fixture();
	struct e2lazy_ring *ring;
	uint32_t index;

	make_image(f, "64M", BIG, "sequence 99\n"
		   "leftover@2033 30 write 60000-60003 time 1600000000\n"
		   "leftover@2027 40 write 60000-60003 time 1700000000\n");
	write_log(f, "journal csum v3 64bit fast_commit 16 cleared\n"
		  "sequence 99\n"
		  "leftover@2028 40 write 60000-60003 time 1700000000\n"
		  "leftover 41 write 60004 time 1700000001\n");
	ck_assert_int_eq(try_open(f, NULL), 0);
	ring = scan(f);
	ck_assert(e2lazy_ring_find(ring, 41, &index));
	ck_assert_uint_ge(e2lazy_ring_counts(ring)->cut, 1);
	e2lazy_ring_free(ring);
}
END_TEST

/*
 * The scan begins at the log's tail, so it comes to the ring's first blocks after
 * the older transaction that goes on there.  The one before that has no begin.
 */
START_TEST(the_rest_of_an_early_wrap_is_no_leftover)
{
	struct fixture *f = new_fixture();
	struct e2lazy_ring *ring;
	uint32_t index;

	make_image(f, "64M", BIG,
		   "journal csum v3 64bit fast_commit 16 cleared\n"
		   "start 1000\ntxn 50 write 60000 time 2000000000\n"
		   "leftover@2022 39 write 60000 time 1700000000\n"
		   "leftover 40 write 60000-60008 time 1700000001\n");
	ck_assert_int_eq(try_open(f, NULL), 0);
	ring = scan(f);
	ck_assert(e2lazy_ring_find(ring, 40, &index));
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->txns, 2);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->cut, 1);
	e2lazy_ring_free(ring);
}
END_TEST

START_TEST(a_log_past_the_shorter_end_has_one_end_only)
{
	struct fixture *f = map_of_fs(BIG, "journal csum v3 64bit\n"
				      "start end-10\ntxn 5 write 60000\n"
				      "damage super fcblocks 16\n");

	ck_assert_uint_eq(e2lazy_geometry(f->journal)->other_end, 0);
}
END_TEST

/* Its transactions as a log: the feature was on, and is again. */
START_TEST(a_salvaged_log_wraps_where_its_transactions_do)
{
	struct e2lazy_salvage_opts how = { .flags = E2LAZY_SALVAGE_CARVE };
	const struct e2lazy_candidate *c;
	struct fixture *f = new_fixture();
	struct e2lazy_salvage *found;
	struct e2lazy_open_opts opts = { 0 };

	write_lap(f, "journal csum v3 64bit fast_commit 16 cleared\n", _i, "");
	ck_assert_int_eq(e2lazy_salvage(f->image, NULL, &how, &found, &f->where),
			 0);
	c = e2lazy_salvage_candidate(found, 0);
	ck_assert_uint_eq(c->txns, 3);
	opts.geometry = &c->geometry;
	ck_assert_int_eq(try_open(f, &opts), 0);
	ck_assert_int_eq(e2lazy_jmap_build(f->journal, NULL, &f->map), 0);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->txns, 3);
	e2lazy_salvage_free(found);
}
END_TEST

TCase *laps_end_tests(void)
{
	TCase *tc = tcase_create("laps_end");

	tcase_add_loop_test(tc,
		the_size_of_a_cleared_area_still_ends_older_laps, 1,
		BLOCKS + 1);
	tcase_add_loop_test(tc,
		without_checksums_the_ids_show_where_an_older_lap_wraps, 1,
		BLOCKS + 1);
	tcase_add_loop_test(tc,
		an_area_of_0_blocks_ends_older_laps_256_blocks_early, 1,
		BLOCKS + 1);
	tcase_add_loop_test(tc, a_new_area_does_not_cut_off_older_laps, 1,
			    BLOCKS + 1);
	tcase_add_loop_test(tc, a_salvaged_log_wraps_where_its_transactions_do,
			    1, BLOCKS + 1);
	tcase_add_test(tc, the_log_ends_where_the_journal_superblock_says);
	tcase_add_test(tc, an_early_wrap_does_not_hide_the_blocks_behind_it);
	tcase_add_test(tc, the_rest_of_an_early_wrap_is_no_leftover);
	tcase_add_test(tc, a_log_past_the_shorter_end_has_one_end_only);
	return tc;
}
