/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Transactions of the ring that meet by chance: around its end, by an id, or with
 * an earlier file system's.
 */

#include <stdio.h>

#include "e2lazy_ring.h"
#include "fixture.h"

static struct e2lazy_ring *scan(struct fixture *f)
{
	struct e2lazy_ring *ring = NULL;

	ck_assert_int_eq(try_open(f, NULL), 0);
	ck_assert_int_eq(e2lazy_ring_scan(f->journal, NULL, &ring, NULL), 0);
	return ring;
}

/* The number of its history; -1: the ring does not have it whole. */
static int history_of(const struct e2lazy_ring *ring, uint32_t tid)
{
	struct e2lazy_ring_txn txn;
	uint32_t index;

	if (!e2lazy_ring_find(ring, tid, &index))
		return -1;
	e2lazy_ring_txn(ring, index, &txn);
	return (int)txn.history;
}

/* Both are whole, and the ids ascend; only the times do not. */
START_TEST(an_older_one_does_not_follow_around_the_end)
{
	struct fixture *f = map_of("");
	struct e2lazy_ring *ring;

	write_log(f, "sequence 99\n"
		  "leftover@1015 38 write 60000-60003 time 1700000100\n"
		  "leftover 40 write 60000 time 1700000101\n");
	write_log(f, "sequence 99\n"
		  "leftover@1 44 write 60001 time 1700000000\n");
	ring = scan(f);
	ck_assert_int_ge(history_of(ring, 44), 0);
	ck_assert_int_ne(history_of(ring, 40), history_of(ring, 44));
	e2lazy_ring_free(ring);
}
END_TEST

/* A mount leaves out an id; here its transaction stands elsewhere. */
START_TEST(one_with_the_id_left_out_parts_two_others)
{
	struct fixture *f = map_of("");
	struct e2lazy_ring *ring;

	write_log(f, "sequence 99\n"
		  "leftover@1 40 write 60000 time 1700000000\n"
		  "leftover 42 write 60001 time 1700000002\n"
		  "leftover@300 41 write 60002 time 1700000001\n");
	ring = scan(f);
	ck_assert_int_ge(history_of(ring, 40), 0);
	ck_assert_int_ge(history_of(ring, 42), 0);
	ck_assert_int_ne(history_of(ring, 40), history_of(ring, 42));
	e2lazy_ring_free(ring);
}
END_TEST

/*
 * The chain of 30 runs around the end, over a newer transaction that has taken
 * the place of its copies, and finds its own commit block behind that one.
 */
START_TEST(a_chain_over_a_newer_one_is_not_whole)
{
	struct fixture *f = map_of("");
	struct e2lazy_ring *ring;

	write_log(f, "sequence 99\n"
		  "leftover@1000 28 write 60000 time 1700000000\n"
		  "leftover 29 write 60000-60014 time 1700000001\n"
		  "leftover 30 write 60000-60005 time 1700000002\n");
	write_log(f, "sequence 99\n"
		  "leftover@1 50 write 60001 time 1700000050\n");
	ring = scan(f);
	ck_assert_int_ge(history_of(ring, 50), 0);
	ck_assert_int_eq(history_of(ring, 30), -1);
	e2lazy_ring_free(ring);
}
END_TEST

/* The scan meets the end of a chain before its begin. */
START_TEST(the_commit_block_at_the_first_block_is_the_end_of_its_chain)
{
	struct fixture *f = map_of("");
	struct e2lazy_ring_txn txn;
	struct e2lazy_ring *ring;
	uint32_t index;

	write_log(f, "sequence 99\n"
		  "leftover@1010 40 write 60000-60003 time 1700000000\n"
		  "leftover 41 write 60004-60010 time 1700000001\n"
		  "leftover 42 write 60011 time 1700000002\n");
	ring = scan(f);
	ck_assert(e2lazy_ring_find(ring, 41, &index));
	e2lazy_ring_txn(ring, index, &txn);
	ck_assert_uint_eq(txn.txn.start, 1016);
	ck_assert_uint_eq(txn.txn.end, 1);
	ck_assert_int_ge(history_of(ring, 42), 0);
	ck_assert_int_eq(history_of(ring, 42), history_of(ring, 41));
	e2lazy_ring_free(ring);
}
END_TEST

/* An earlier file system may have had the same UUID: MADE is in 2022. */
START_TEST(with_good_checksums_the_ids_show_another_file_system)
{
	/* later ids, and one that the log has, too */
	struct e2lazy_ring *ring = scan(map_of(
			"txn 9 write 60000\ntxn 10 write 60001\n"
			"leftover@100 9 write 60001 time 1500000000\n"
			"leftover 10 write 60001 time 1500000001\n"
			"leftover 11 write 60001 time 1500000002\n"));

	ck_assert_uint_eq(e2lazy_ring_counts(ring)->foreign, 2);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->txns, 2);
	ck_assert_int_eq(history_of(ring, 11), -1);
	e2lazy_ring_free(ring);
	/* lower ids: the clock of an early mount was wrong */
	ring = scan(map_of("txn 9 write 60000\ntxn 10 write 60001\n"
			   "leftover@100 4 write 60001 time 1500000000\n"
			   "leftover 5 write 60001 time 1500000001\n"));
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->foreign, 0);
	ck_assert_int_eq(history_of(ring, 5), 0);
	ck_assert_int_eq(history_of(ring, 10), 1);
	e2lazy_ring_free(ring);
	/* and nothing contradicts it where no id is of a time since mke2fs */
	ring = scan(map_of("sequence 99\n"
			   "leftover@1 5 write 60001 time 1500000000\n"));
	ck_assert_int_eq(history_of(ring, 5), 0);
	e2lazy_ring_free(ring);
}
END_TEST

static struct e2lazy_history history(const struct e2lazy_ring *ring,
				     uint32_t number)
{
	struct e2lazy_history h;

	e2lazy_ring_history(ring, number, &h);
	return h;
}

/* One clock was set back, and one had not been set; the ids go on. */
START_TEST(a_clock_set_back_parts_nothing)
{
	static const char *const times[] = { "1699990000", "1",
					     "18446744073709551615" };
	struct fixture *f;
	struct e2lazy_ring *ring;
	char spec[512];

	snprintf(spec, sizeof(spec), "sequence 99\n"
		 "leftover@1 3 write 60000-60009 time 1700000000\n"
		 "leftover 4 write 60001 time 1700000001\n"
		 "leftover 5 write 60002 time %s\n"
		 "leftover 7 write 60003 time %s\n", times[_i], times[_i]);
	f = map_of(spec);
	ring = scan(f);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->histories, 1);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->undated, _i ? 2 : 0);
	ck_assert_uint_eq(history(ring, 0).count, 4);
	ck_assert_int_eq(history(ring, 0).begins, E2LAZY_EDGE_FIRST);
	ck_assert_uint_eq(history(ring, 0).first_sec, 1700000000);
	ck_assert_uint_eq(history(ring, 0).last_sec,
			  _i ? 1700000001 : 1699990000);
	e2lazy_ring_free(ring);
}
END_TEST

/* fs/jbd leaves no time: the ids alone say what is old and what follows. */
START_TEST(without_times_the_ids_order_the_ring)
{
	struct fixture *f = map_of("");
	struct e2lazy_ring *ring;

	write_log(f, "sequence 99\n"
		  "leftover@1 10 write 60000-60009 time 0\n"
		  "leftover 11 write 60001 time 0\n"
		  "leftover 12 write 60002 time 0\n");
	write_log(f, "sequence 99\n"
		  "leftover@1 20 write 60000-60009 time 0\n");
	ring = scan(f);
	ck_assert_int_eq(history_of(ring, 11), -1);
	ck_assert_int_eq(history_of(ring, 12), 0);
	ck_assert_int_eq(history_of(ring, 20), 1);
	ck_assert_uint_eq(history(ring, 1).last_sec, 0);
	ck_assert(history(ring, 1).reaches_now);
	e2lazy_ring_free(ring);
}
END_TEST

TCase *laps_edge_tests(void)
{
	TCase *tc = tcase_create("laps_edge");

	tcase_add_test(tc, an_older_one_does_not_follow_around_the_end);
	tcase_add_loop_test(tc, a_clock_set_back_parts_nothing, 0, 3);
	tcase_add_test(tc, without_times_the_ids_order_the_ring);
	tcase_add_test(tc, one_with_the_id_left_out_parts_two_others);
	tcase_add_test(tc, a_chain_over_a_newer_one_is_not_whole);
	tcase_add_test(tc,
		the_commit_block_at_the_first_block_is_the_end_of_its_chain);
	tcase_add_test(tc,
		with_good_checksums_the_ids_show_another_file_system);
	return tc;
}
