/* SPDX-License-Identifier: GPL-2.0-only */
/* The newest copy is live unless its own or a later revoke voids it. */

#include "fixture.h"

START_TEST(newest_copy_wins)
{
	struct fixture *f = map_of("txn 5 write 60000,60001\n"
				   "txn 6 write 60001\n"
				   "txn 7 write 60002\n");
	struct e2lazy_copy copy;

	ck_assert_mapped(f, 60000, 5);
	ck_assert_mapped(f, 60001, 6);
	ck_assert_mapped(f, 60002, 7);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60001, &copy), 0);
	ck_assert_uint_eq(copy.copies, 2);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 3);
}
END_TEST

START_TEST(revoke_kills_copies_up_to_its_own_tid_only)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 write 60000 revoke 60000\n"
				   "txn 7 write 60001\n");

	ck_assert_not_mapped(f, 60000);
	ck_assert_mapped(f, 60001, 7);
}
END_TEST

START_TEST(revoke_counts_wherever_it_stands_in_its_transaction)
{
	struct fixture *before = map_of("txn 5 write 60000\n"
					"txn 6 revoke 60000 write 60000\n");
	struct fixture *after = map_of("txn 5 write 60000\n"
				       "txn 6 write 60000 revoke 60000\n");

	ck_assert_not_mapped(before, 60000);
	ck_assert_not_mapped(after, 60000);
}
END_TEST

START_TEST(copy_after_a_revoke_lives)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 revoke 60000\n"
				   "txn 7 write 60000\n"
				   "txn 8 write 60000\n");
	struct e2lazy_copy copy;

	ck_assert_mapped(f, 60000, 8);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60000, &copy), 0);
	ck_assert_uint_eq(copy.copies, 2);	/* of 7 and 8; 5 is void */
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->states[E2LAZY_REVOKED],
			  1);
}
END_TEST

START_TEST(uncommitted_revoke_kills_nothing)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 revoke 60000 nocommit\n");

	ck_assert_mapped(f, 60000, 5);
}
END_TEST

START_TEST(uncommitted_copy_is_not_mapped)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 write 60000,60001 nocommit\n");
	const uint64_t *states = e2lazy_jmap_stats(f->map)->states;

	ck_assert_mapped(f, 60000, 5);
	ck_assert_not_mapped(f, 60001);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 6);
	ck_assert_uint_eq(states[E2LAZY_UNCOMMITTED], 2);
	ck_assert_uint_eq(states[E2LAZY_LIVE], 1);
}
END_TEST

START_TEST(revoke_only_and_empty_transactions_advance_the_tid)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 revoke 60005\n"
				   "txn 7\n"
				   "txn 8 write 60001\n");

	ck_assert_mapped(f, 60000, 5);
	ck_assert_mapped(f, 60001, 8);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->txns, 4);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 9);
}
END_TEST

START_TEST(many_revokes_fill_several_blocks)
{
	struct fixture *f = map_of("txn 5 write 60000-60899\n"
				   "txn 6 revoke 60000-60898\n");

	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 1);
	ck_assert_mapped(f, 60899, 5);
	ck_assert_uint_gt(e2lazy_jmap_stats(f->map)->revoke_blocks, 1);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->revokes, 899);
}
END_TEST

START_TEST(revoke_count_below_the_header_is_empty)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 revoke 60000 write 60001\n"
				   "damage count 6.revoke 3\n");

	ck_assert_mapped(f, 60000, 5);
	ck_assert_mapped(f, 60001, 6);
}
END_TEST

TCase *revoke_tests(void)
{
	TCase *tc = tcase_create("revoke");

	tcase_add_test(tc, newest_copy_wins);
	tcase_add_test(tc, revoke_kills_copies_up_to_its_own_tid_only);
	tcase_add_test(tc, revoke_counts_wherever_it_stands_in_its_transaction);
	tcase_add_test(tc, copy_after_a_revoke_lives);
	tcase_add_test(tc, uncommitted_revoke_kills_nothing);
	tcase_add_test(tc, uncommitted_copy_is_not_mapped);
	tcase_add_test(tc, revoke_only_and_empty_transactions_advance_the_tid);
	tcase_add_test(tc, many_revokes_fill_several_blocks);
	tcase_add_test(tc, revoke_count_below_the_header_is_empty);
	return tc;
}
