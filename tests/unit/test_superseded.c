/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Superseded copies that are bad: a checkpoint has no use for them, and a
 * kernel's replay ends at the first of them.
 */

#include <string.h>

#include "judged.h"
#include "sick_io.h"

static void check_superseded(const char *mke2fs, const char *spec,
			     const char *expect)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge(&j, map_of_fs(mke2fs, spec),
			       E2LAZY_VERIFY_SUPERSEDED), expect);
	close_subject(&j);
}

#define TWICE "txn 5 write 60000-60002\ntxn 6 write 60001\n"

START_TEST(a_bad_superseded_copy_is_found_with_its_place)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge(&j, map_of(TWICE "damage flip 5.data[1] 700\n"),
			       E2LAZY_VERIFY_SUPERSEDED),
			 "superseded-csum 1");
	ck_assert_uint_eq(j.first.fsblk, 60001);
	ck_assert_uint_eq(j.first.tid, 5);
	ck_assert_uint_eq(j.first.logblk, 3);
	ck_assert_int_eq(j.error, 0);
	close_subject(&j);
}
END_TEST

START_TEST(sixteen_bits_of_checksum_find_it_too)
{
	check_superseded(PLAIN, "journal csum v2\n" TWICE
			 "damage flip 5.data[1] 700\n", "superseded-csum 1");
}
END_TEST

START_TEST(nobody_looks_who_does_not_ask)
{
	check_judged(PLAIN, TWICE "damage flip 5.data[1] 700\n", "");
}
END_TEST

START_TEST(a_live_copy_that_is_bad_is_no_superseded_one)
{
	check_superseded(PLAIN, TWICE "damage flip 6.data 700\n"
			 "damage flip 5.data[0] 700\n",
			 "older-copy 1 data-csum 1");
}
END_TEST

/* Replay leaves out what a revoke makes void before it reads it. */
START_TEST(a_revoked_copy_may_be_bad)
{
	check_superseded(PLAIN, "txn 5 write 60000 60001\n"
			 "txn 6 revoke 60000 write 60001\n"
			 "txn 7 write 60000\ndamage flip 5.data[0] 9\n", "");
}
END_TEST

START_TEST(so_may_one_that_was_never_committed)
{
	check_superseded(PLAIN, "txn 5 write 60000\n"
			 "txn 6 write 60000 60001 nocommit\n"
			 "damage flip 6.data[0] 9\n", "uncommitted-tail 1");
}
END_TEST

START_TEST(where_copies_have_no_checksum_none_is_bad)
{
	check_superseded("-b 1024 -J size=1 -O ^metadata_csum",
			 TWICE "damage flip 5.data[1] 700\n", "");
}
END_TEST

START_TEST(one_that_cannot_be_read_is_found_with_the_reason)
{
	struct judged j = { .f = NULL };
	struct fixture *f = map_of(TWICE);
	blk64_t physblk;

	ck_assert_int_eq(e2lazy_physblk(f->journal, 3, &physblk), 0);
	drop(f);
	sick_begin(physblk);
	j.open.manager = sick_io_manager;
	ck_assert_str_eq(judge(&j, f, E2LAZY_VERIFY_SUPERSEDED),
			 "superseded-csum 1");
	ck_assert_int_eq(j.error, EXT2_ET_SHORT_READ);
	ck_assert_uint_eq(j.first.logblk, 3);
	close_subject(&j);
	sick_begin(0);
}
END_TEST

/* 17,500 copies of 50 blocks, in a ring that wraps. */
START_TEST(each_of_many_is_read_once_and_in_the_order_of_the_log)
{
	check_superseded("-b 1024 -J size=20 -O 64bit,metadata_csum",
			 "start end-500\n"
			 "bulk 350 tags 50 from 60000 mod 50 tid 5 whole\n"
			 "damage flip 5.data[3] 9\n"
			 "damage flip 150.data[40] 9\n"
			 "damage flip 353.data[0] 9\n", "superseded-csum 3");
}
END_TEST

static errcode_t stop_there(void *priv, enum e2lazy_phase phase,
			    uint64_t done, uint64_t total)
{
	unsigned *calls = priv;

	ck_assert_uint_le(done, total);
	*calls += phase == E2LAZY_PHASE_SUPERSEDED;
	return *calls ? E2LAZY_ET_CANCELLED : 0;
}

START_TEST(whoever_stops_it_is_obeyed)
{
	struct judged j = { .f = NULL };
	unsigned calls = 0;
	const struct e2lazy_watch watch = { .progress = stop_there,
					    .priv = &calls };
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_SUPERSEDED, .watch = &watch,
	};

	open_subject(&j, map_of(TWICE));
	ck_assert_int_eq(e2lazy_verify(&j.subject, &opts, &j.verdict),
			 E2LAZY_ET_CANCELLED);
	ck_assert_uint_eq(calls, 1);
	close_subject(&j);
}
END_TEST

TCase *superseded_tests(void)
{
	TCase *tc = tcase_create("superseded");

	tcase_add_test(tc, a_bad_superseded_copy_is_found_with_its_place);
	tcase_add_test(tc, sixteen_bits_of_checksum_find_it_too);
	tcase_add_test(tc, nobody_looks_who_does_not_ask);
	tcase_add_test(tc, a_live_copy_that_is_bad_is_no_superseded_one);
	tcase_add_test(tc, a_revoked_copy_may_be_bad);
	tcase_add_test(tc, so_may_one_that_was_never_committed);
	tcase_add_test(tc, where_copies_have_no_checksum_none_is_bad);
	tcase_add_test(tc, one_that_cannot_be_read_is_found_with_the_reason);
	tcase_add_test(tc,
		each_of_many_is_read_once_and_in_the_order_of_the_log);
	tcase_add_test(tc, whoever_stops_it_is_obeyed);
	return tc;
}
