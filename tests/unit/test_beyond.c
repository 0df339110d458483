/* SPDX-License-Identifier: GPL-2.0-only */
/* The ring past the end of the log: empty, older, half written, damaged. */

#include <stdio.h>
#include <unistd.h>

#include "e2lazy_ring.h"
#include "fixture.h"

#define FOUR "txn 5 write 60000\n" \
	     "txn 6 write 60001\n" \
	     "txn 7 write 60002\n" \
	     "txn 8 write 60003\n"

START_TEST(nothing_beyond_a_fresh_log)
{
	struct fixture *f = map_of(FOUR);

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 9);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_NOTHING);
}
END_TEST

START_TEST(earlier_transactions_are_an_older_lap)
{
	struct fixture *f = map_of("txn 50 write 60000\n"
				   "leftover 20 write 60100-60110\n");

	ck_assert_ends(f, E2LAZY_END_OTHER_TID, 51);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_OLDER_LAP);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 1);
}
END_TEST

START_TEST(zeroed_descriptor_does_not_hide_what_follows)
{
	struct fixture *f = map_of(FOUR "damage zero 6.desc\n");

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 6);
	ck_assert_int_eq(e2lazy_jmap_end(f->map)->error, 0);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_DAMAGE);
}
END_TEST

START_TEST(zeroed_commit_does_not_hide_what_follows)
{
	struct fixture *f = map_of(FOUR "damage zero 6.commit\n");

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 6);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_DAMAGE);
}
END_TEST

/* Its other descriptors alone could be a tail; the commit block is far off. */
START_TEST(one_of_several_descriptors_does_not_hide_what_follows)
{
	static const char *const lost[] = {
		"damage zero 6.desc[0]\n", "damage zero 6.desc[1]\n",
		"damage garbage 6.desc[0]\n", "damage tid 6.desc[1] 2\n",
	};
	char spec[512];

	snprintf(spec, sizeof(spec), "txn 5 write 60000\n"
		 "txn 6 write 60100-60499\ntxn 7 write 60001\n%s", lost[_i]);
	ck_assert_int_eq(beyond(map_of(spec)), E2LAZY_BEYOND_DAMAGE);
	/* a crash may leave that of one that was never committed */
	snprintf(spec, sizeof(spec), "txn 5 write 60000\n"
		 "txn 6 write 60100-60499 nocommit\n%s", lost[_i]);
	ck_assert_int_eq(beyond(map_of(spec)), E2LAZY_BEYOND_UNCOMMITTED);
}
END_TEST

START_TEST(wrong_tid_does_not_hide_what_follows)
{
	struct fixture *desc = map_of(FOUR "damage tid 6.desc 99\n");
	struct fixture *commit = map_of(FOUR "damage tid 6.commit 2\n");

	ck_assert_ends(desc, E2LAZY_END_OTHER_TID, 6);
	ck_assert_int_eq(beyond(desc), E2LAZY_BEYOND_DAMAGE);
	ck_assert_ends(commit, E2LAZY_END_OTHER_TID, 6);
	ck_assert_int_eq(beyond(commit), E2LAZY_BEYOND_DAMAGE);
}
END_TEST

START_TEST(zeroed_last_commit_is_an_uncommitted_tail)
{
	struct fixture *f = map_of(FOUR "damage zero 8.commit\n");

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_UNCOMMITTED);
}
END_TEST

START_TEST(zeroed_last_descriptor_leaves_its_commit_as_witness)
{
	struct fixture *f = map_of(FOUR "damage zero 8.desc\n");

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_DAMAGE);
}
END_TEST

START_TEST(async_commit_may_outrun_its_descriptor)
{
	struct fixture *f = map_of("journal csum v3 64bit async_commit\n" FOUR
				   "damage zero 8.desc\n");

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_UNCOMMITTED);
}
END_TEST

/* The reach is as far as one lost descriptor can hide the next block. */
START_TEST(reach_covers_the_longest_descriptor)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 write 60100-60160\n"
				   "txn 7 write 60002\n"
				   "damage zero 6.desc\ndamage zero 6.commit\n");
	struct fixture *full = map_of("txn 5 write 60000\n"
				      "txn 6 write 60100-60799\n"
				      "damage zero 6.desc\n");

	/* 1024-byte blocks hold 61 tags of 16 bytes */
	ck_assert_uint_ge(e2lazy_beyond_reach(f->journal), 63);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_DAMAGE);
	/* from its next descriptor on it is as far again */
	ck_assert_int_eq(beyond(full), E2LAZY_BEYOND_DAMAGE);
}
END_TEST

START_TEST(other_file_systems_leftovers_do_not_count)
{
	struct fixture *f = map_of(
		"txn 5 write 60000\n"
		"leftoveruuid 01234567-89ab-cdef-0123-456789abcdef\n"
		"leftover 7 write 60100\n"
		"leftover 8 write 60101\n");

	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_NOTHING);
}
END_TEST

START_TEST(tids_out_of_the_rings_reach_are_not_later)
{
	struct fixture *f = map_of("journal csum none\n"
				   "txn 5 write 60000\n"
				   "leftover 50000 write 60100\n");

	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_OLDER_LAP);
}
END_TEST

/* A clock set back makes damage look like what an earlier journal left. */
START_TEST(a_clock_set_back_does_not_hide_what_follows)
{
	struct fixture *f = map_of("txn 5 write 60000 time 1700000100\n"
				   "txn 6 write 60001 time 1700000000\n"
				   "txn 7 write 60002 time 1700000001\n"
				   "damage csum 6.commit\n");
	struct fixture *desc = map_of("txn 5 write 60000 time 1700000100\n"
				      "txn 6 write 60001 time 1700000000\n"
				      "damage csum 6.desc\n");

	ck_assert_ends(f, E2LAZY_END_STALE, 6);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_DAMAGE);
	ck_assert_ends(desc, E2LAZY_END_STALE, 6);
	ck_assert_int_eq(beyond(desc), E2LAZY_BEYOND_DAMAGE);
}
END_TEST

/* Of checksum v1, which has no seed, an earlier journal's looks good too. */
START_TEST(an_earlier_journal_without_seeds_is_an_older_lap)
{
	struct fixture *f = map_of("journal csum v1\n"
				   "txn 5 write 60000\n"
				   "leftover 6 write 60001 time 1600000000\n"
				   "leftover 7 write 60002 time 1600000001\n"
				   "damage flip 6.data 100\n");

	ck_assert_ends(f, E2LAZY_END_STALE, 6);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_OLDER_LAP);
}
END_TEST

START_TEST(a_bad_commit_block_does_not_follow_itself)
{
	struct fixture *f = map_of("journal csum v1\n"
				   "txn 5 write 60000\n"
				   "txn 6 write 60001\n"
				   "damage csum 6.commit\n");

	ck_assert_ends(f, E2LAZY_END_COMMIT_CSUM, 6);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_UNCOMMITTED);
}
END_TEST

static errcode_t count(void *priv, const struct e2lazy_beyond_block *b)
{
	unsigned *n = priv;

	ck_assert_uint_lt(b->logblk, 1024);
	return ++*n == 3 ? E2LAZY_ET_CANCELLED : 0;
}

START_TEST(a_caller_may_stop_the_look)
{
	struct fixture *f = map_of(FOUR "damage zero 5.desc\n");
	struct e2lazy_beyond b;
	unsigned n = 0;
	struct e2lazy_beyond_opts all = { .limit = UINT32_MAX, .found = count,
					  .priv = &n };

	ck_assert_int_eq(e2lazy_beyond(f->journal, e2lazy_jmap_end(f->map),
				       &all, &b),
			 E2LAZY_ET_CANCELLED);
	ck_assert_uint_eq(n, 3);
}
END_TEST

START_TEST(the_whole_ring_is_looked_at_once)
{
	struct fixture *f = map_of("start 1000\n" FOUR);
	struct e2lazy_beyond b;
	unsigned n = 0;
	struct e2lazy_beyond_opts all = { .limit = UINT32_MAX, .found = count,
					  .priv = &n };

	ck_assert_int_eq(e2lazy_beyond(f->journal, e2lazy_jmap_end(f->map),
				       &all, &b), 0);
	ck_assert_uint_eq(b.looked, 1023 - 12);
	ck_assert_uint_eq(b.rest, 1023 - 12);
	ck_assert_uint_eq(n, 0);	/* the log itself is not beyond */
}
END_TEST

/* A copy of its device that was broken off at 2 MiB. */
START_TEST(what_the_device_does_not_have_is_unreadable)
{
	struct fixture *f = new_fixture();
	const struct e2lazy_open_opts opts = { .journal = f->device };
	struct e2lazy_beyond_opts all = { .limit = UINT32_MAX };
	struct e2lazy_ring_counts counts;
	struct e2lazy_beyond b;
	struct e2lazy_ring *ring;

	make_external(f, "1024", FOUR);
	ck_assert_int_eq(truncate(f->device, 2 << 20), 0);
	ck_assert_int_eq(try_open(f, &opts), 0);
	read_map(f, E2LAZY_JMAP_CSUMS, 0);
	ck_assert_int_eq(e2lazy_beyond(f->journal, e2lazy_jmap_end(f->map),
				       &all, &b), 0);
	ck_assert_uint_eq(b.looked, b.rest);
	ck_assert_uint_eq(b.unreadable, 6 << 10);
	ck_assert_int_eq(e2lazy_ring_scan(f->journal, NULL, &ring, NULL), 0);
	counts = *e2lazy_ring_counts(ring);
	ck_assert_uint_eq(counts.txns, 4);
	ck_assert_uint_eq(counts.unreadable, 6 << 10);
	ck_assert_uint_le(counts.read, 2 << 10);
	e2lazy_ring_free(ring);
}
END_TEST

START_TEST(a_begun_transaction_that_fills_the_ring_leaves_nothing)
{
	/* 1023 blocks: 17 descriptors and 1006 copies, and no commit */
	struct fixture *f = map_of("start 500\n"
				   "txn 5 write 60000-61005 sparse nocommit\n");
	struct e2lazy_beyond b;

	ck_assert_ends(f, E2LAZY_END_FULL, 5);
	ck_assert_int_eq(e2lazy_beyond(f->journal, e2lazy_jmap_end(f->map),
				       NULL, &b), 0);
	ck_assert_uint_eq(b.rest, 0);
	ck_assert_int_eq(b.verdict, E2LAZY_BEYOND_UNCOMMITTED);
}
END_TEST

TCase *beyond_tests(void)
{
	TCase *tc = tcase_create("beyond");

	tcase_add_test(tc, nothing_beyond_a_fresh_log);
	tcase_add_test(tc, earlier_transactions_are_an_older_lap);
	tcase_add_test(tc, zeroed_descriptor_does_not_hide_what_follows);
	tcase_add_test(tc, zeroed_commit_does_not_hide_what_follows);
	tcase_add_loop_test(tc,
		one_of_several_descriptors_does_not_hide_what_follows, 0, 4);
	tcase_add_test(tc, wrong_tid_does_not_hide_what_follows);
	tcase_add_test(tc, zeroed_last_commit_is_an_uncommitted_tail);
	tcase_add_test(tc, zeroed_last_descriptor_leaves_its_commit_as_witness);
	tcase_add_test(tc, async_commit_may_outrun_its_descriptor);
	tcase_add_test(tc, reach_covers_the_longest_descriptor);
	tcase_add_test(tc, other_file_systems_leftovers_do_not_count);
	tcase_add_test(tc, tids_out_of_the_rings_reach_are_not_later);
	tcase_add_test(tc, a_clock_set_back_does_not_hide_what_follows);
	tcase_add_test(tc, an_earlier_journal_without_seeds_is_an_older_lap);
	tcase_add_test(tc, a_bad_commit_block_does_not_follow_itself);
	tcase_add_test(tc, a_caller_may_stop_the_look);
	tcase_add_test(tc, what_the_device_does_not_have_is_unreadable);
	tcase_add_test(tc,
		       a_begun_transaction_that_fills_the_ring_leaves_nothing);
	tcase_add_test(tc, the_whole_ring_is_looked_at_once);
	return tc;
}
