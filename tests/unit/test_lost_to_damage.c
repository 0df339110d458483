/* SPDX-License-Identifier: GPL-2.0-only */
/* Blocks whose newest copies stand where a damaged log cannot be read. */

#include <stdio.h>
#include <string.h>

#include "judged.h"
#include "log/jbd2.h"
#include "sick_io.h"

/* "60000@4/6 60001@5/6": blocks, where their copies are, their transactions */
struct places {
	const char *id;		/* of this problem */
	char	line[1024];
};

static errcode_t note_given_up(void *priv, const struct e2lazy_problem *problem,
			  errcode_t error, const struct e2lazy_where *where)
{
	struct places *places = priv;
	size_t n = strlen(places->line);

	(void)error;
	if (strcmp(problem->id, places->id))
		return 0;
	ck_assert_uint_eq(where->has, E2LAZY_AT_FSBLK | E2LAZY_AT_LOGBLK |
				      E2LAZY_AT_TID);
	snprintf(places->line + n, sizeof(places->line) - n, "%s%llu@%u/%u",
		 n ? " " : "", (unsigned long long)where->fsblk,
		 where->logblk, where->tid);
	return 0;
}

static const char *found(struct fixture *f, io_manager manager, const char *id)
{
	static struct places places;
	struct judged j = { .open.manager = manager };
	const struct e2lazy_verify_opts opts = {
		.place = note_given_up, .priv = &places,
	};

	places.id = id;
	places.line[0] = '\0';
	open_subject(&j, f);
	ck_assert_int_eq(e2lazy_verify(&j.subject, &opts, &j.verdict), 0);
	close_subject(&j);
	return places.line;
}

static const char *given_up(struct fixture *f, io_manager manager)
{
	return found(f, manager, "given-up");
}

#define check_given_up(spec, expect) \
	ck_assert_str_eq(given_up(map_of(spec), NULL), expect)
#define check_void(spec, expect) \
	ck_assert_str_eq(found(map_of(spec), NULL, "revoke-given-up"), expect)

/* Its blocks in the log: 5 at 1 to 3, 6 at 4 to 7, 7 at 8 to 10. */
#define THREE "txn 5 write 60000\ntxn 6 write 60000 60001\n" \
	      "txn 7 write 60002\n"

START_TEST(a_sound_log_gives_nothing_up)
{
	check_given_up(THREE, "");
	check_given_up(THREE "txn 8 write 60003 nocommit\n", "");
}
END_TEST

START_TEST(behind_a_hole_between_transactions_all_is_given_up)
{
	check_given_up(THREE "damage zero 6.desc\n", "60002@9/7");
	check_given_up(THREE "damage zero 5.desc\n",
		       "60000@5/6 60001@6/6 60002@9/7");
}
END_TEST

START_TEST(what_stands_before_a_hole_in_a_transaction_is_of_it)
{
	check_given_up(THREE "damage zero 6.commit\n",
		       "60000@5/6 60001@6/6 60002@9/7");
	check_given_up("txn 5 write 60000\n"
		       "txn 6 perdesc 1 write 60001 60002 60003\n"
		       "damage zero 6.desc[1]\n", "60001@5/6 60003@9/6");
}
END_TEST

START_TEST(of_a_bad_descriptor_the_tags_are_not_known)
{
	check_given_up(THREE "damage csum 6.desc\n", "60002@9/7");
	check_given_up("txn 5 write 60000\n"
		       "txn 6 perdesc 1 write 60001 60002 60003\n"
		       "damage csum 6.desc[1]\n", "60001@5/6 60003@9/6");
	/* it is the last one, and nothing is known to be lost */
	check_given_up(THREE "damage csum 7.desc\n", "");
}
END_TEST

START_TEST(a_bad_commit_block_gives_its_transaction_up)
{
	check_given_up(THREE "damage csum 7.commit\n", "60002@9/7");
	check_given_up("journal csum v1\n" THREE "damage csum 7.commit\n",
		       "60002@9/7");
	check_given_up("journal csum v2\n" THREE "damage csum 6.commit\n",
		       "60000@5/6 60001@6/6 60002@9/7");
}
END_TEST

START_TEST(so_does_a_block_of_unknown_type)
{
	check_given_up(THREE "damage type 7.commit 9\n", "60002@9/7");
	check_given_up(THREE "damage type 6.desc 9\n", "60002@9/7");
}
END_TEST

START_TEST(so_does_an_impossible_count_of_revokes)
{
	check_given_up("txn 5 write 60000\n"
		       "txn 6 revoke 60009 write 60001\n"
		       "damage count 6.revoke 5000\n", "60001@6/6");
}
END_TEST

START_TEST(so_does_a_block_that_cannot_be_read)
{
	struct fixture *f = map_of(THREE);
	blk64_t block;

	ck_assert_int_eq(e2lazy_physblk(f->journal, 7, &block), 0);
	sick_begin(block);
	ck_assert_str_eq(given_up(f, sick_io_manager),
			 "60000@5/6 60001@6/6 60002@9/7");
}
END_TEST

START_TEST(of_many_copies_the_newest_is_told)
{
	check_given_up("txn 5 write 60009\ntxn 6 write 60001 60000\n"
		       "txn 7 write 60000 60001\ntxn 8 write 60001\n"
		       "damage zero 5.commit\n",
		       "60000@9/7 60001@13/8 60009@2/5");
}
END_TEST

#define REVOKED_BEHIND "txn 5 write 60000-60001\ntxn 6 write 60001\n" \
	"txn 7 revoke 60000 write 60002\n"
#define REVOKED "txn 5 write 60000-60001\ntxn 6 write 60001-60003\n"

START_TEST(what_is_revoked_behind_the_damage_is_not_missed)
{
	check_given_up(REVOKED "txn 7 revoke 60002 write 60004\n"
		       "damage zero 5.commit\n",
		       "60000@2/5 60001@6/6 60003@8/6 60004@12/7");
	/* by its own transaction, wherever the record stands */
	check_given_up(REVOKED "txn 7 write 60002 60004 revoke 60002\n"
		       "damage zero 5.commit\n",
		       "60000@2/5 60001@6/6 60003@8/6 60004@12/7");
	/* logged again, it is */
	check_given_up(REVOKED "txn 7 revoke 60002\ntxn 8 write 60002\n"
		       "damage zero 5.commit\n",
		       "60000@2/5 60001@6/6 60002@13/8 60003@8/6");
}
END_TEST

/* The newer static block is overwritten, and the finding says so. */
START_TEST(a_copy_before_the_damage_that_is_void_behind_it_is_told)
{
	/* 5 at 1 to 4, 6 at 5 to 7, 7 at 8 to 11 */
	const char *spec = REVOKED_BEHIND "damage zero 6.desc\n";

	check_void(spec, "60000@8/7");
	check_given_up(spec, "60002@10/7");
	/* that of the transaction that broke off is as void */
	check_void("txn 5 write 60000-60001\n"
		   "txn 6 revoke 60001 write 60002\n"
		   "damage csum 6.commit\n", "60001@5/6");
	/* logged again behind it, it is older: told once */
	check_void(REVOKED_BEHIND "txn 8 write 60000\n"
		   "damage zero 6.desc\n", "");
	/* not committed, or of a block without a live copy: nothing is lost */
	check_void("txn 5 write 60000\ntxn 6 write 60001\n"
		   "txn 7 write 60002 revoke 60009\n"
		   "txn 8 revoke 60000 nocommit\n"
		   "damage zero 6.desc\n", "");
	check_void(REVOKED_BEHIND, "");
}
END_TEST

/* So many that all but the newest of each block is forgotten on the way. */
START_TEST(of_many_records_none_is_lost_that_counts)
{
	const char *spec = "txn 5 write 60000-60001 60900\n"
			   "txn 6 write 60001\n"
			   "bulk 10 tags 5 from 60100 mod 20 "
			   "revokes 10000 from 60110 mod 500 whole\n"
			   "txn 17 revoke 60900 60101 write 60002\n"
			   "damage zero 6.desc\n";

	check_given_up(spec, "60002@881/17 60100@90/7 60102@92/7 60103@93/7 "
		       "60104@94/7 60105@177/8 60106@178/8 60107@179/8 "
		       "60108@180/8 60109@181/8");
	check_void(spec, "60900@879/17");
	/* a revoke counts for what its own transaction logs behind it, too */
	check_given_up("txn 5 write 60000\n"
		       "txn 6 revoke 20000-29999 20000-29999 20000-29999 "
		       "20000-29999 20000-29999 20000-29999 20000-29999 "
		       "20000-29999 write 20005 60001\n"
		       "txn 7 write 60002\ndamage csum 6.revoke[0]\n",
		       "60001@646/6 60002@649/7");
}
END_TEST

START_TEST(what_was_not_committed_there_is_not_missed_either)
{
	check_given_up(THREE "txn 8 revoke 60001 write 60003 nocommit\n"
		       "damage zero 6.commit\n",
		       "60000@5/6 60001@6/6 60002@9/7");
}
END_TEST

/* jbd2 begins none before the one before it is safe. */
START_TEST(one_that_was_begun_shows_that_those_before_were_committed)
{
	check_given_up("txn 5 write 60000\ntxn 6 write 60001\n"
		       "txn 7 write 60002 nocommit\n"
		       "damage zero 6.commit\n", "60001@5/6");
}
END_TEST

START_TEST(an_async_commit_proves_nothing_by_itself)
{
	check_given_up("journal csum v3 64bit async_commit\n"
		       "txn 5 write 60000\n"
		       "txn 6 perdesc 1 write 60001 60002 60003\n"
		       "damage zero 6.desc[1]\n", "");
	check_given_up("journal csum v3 64bit async_commit\n"
		       "txn 5 write 60000\n"
		       "txn 6 perdesc 1 write 60001 60002\n"
		       "txn 7 write 60003\n"
		       "damage zero 6.desc[1]\n", "60001@5/6 60003@10/7");
}
END_TEST

START_TEST(behind_a_second_hole_it_goes_on)
{
	check_given_up(THREE "txn 8 write 60003\ntxn 9 write 60004\n"
		       "damage zero 6.desc\ndamage zero 7.commit\n"
		       "damage zero 8.desc\n", "60002@9/7 60004@15/9");
}
END_TEST

START_TEST(it_goes_on_round_the_end_of_the_ring)
{
	check_given_up("start end-5\n" THREE "damage zero 5.desc\n",
		       "60000@1023/6 60001@1/6 60002@4/7");
}
END_TEST

START_TEST(it_goes_on_beyond_the_reach_of_a_descriptor)
{
	check_given_up("txn 5 write 60000\ntxn 6 write 60001\n"
		       "txn 7 write 60100-60399 revoke 60100-60399\n"
		       "txn 8 write 60002\ndamage zero 5.commit\n",
		       "60000@2/5 60001@5/6 60002@317/8");
}
END_TEST

START_TEST(any_form_of_a_log_is_understood)
{
	static const char *const forms[] = {
		"journal csum none 32bit\n", "journal csum none 64bit\n",
		"journal csum v1 32bit\n", "journal csum v1 64bit\n",
		"journal csum v2 32bit\n", "journal csum v2 64bit\n",
		"journal csum v3 32bit\n", "journal csum v3 64bit\n",
	};
	char spec[256];

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		snprintf(spec, sizeof(spec), "%s%s%s", forms[i], THREE
			 "txn 8 revoke 60002 write 60005-60006\n",
			 "damage zero 5.desc\n");
		check_given_up(spec, "60000@5/6 60001@6/6 60005@13/8 "
			       "60006@14/8");
	}
}
END_TEST

START_TEST(an_earlier_lap_was_given_up_by_nobody)
{
	check_given_up(THREE "leftover 3 write 60100\n"
		       "leftover 4 write 60101\ndamage zero 6.desc\n",
		       "60002@9/7");
	/* nor what another file system left behind */
	check_given_up(THREE "leftoveruuid "
		       "01234567-89ab-cdef-0123-456789abcdef\n"
		       "leftover 8 write 60100\ndamage zero 6.desc\n",
		       "60002@9/7");
}
END_TEST

START_TEST(copies_that_have_no_place_are_not_given_up)
{
	check_given_up(THREE "txn 8 write 60003-60005\n"
		       "damage tag 8.desc 0 70000\n"
		       "damage tag 8.desc 2 journal\ndamage zero 6.desc\n",
		       "60002@9/7 60004@13/8");
}
END_TEST

#define AGAIN "txn 5 write 60010-60012\ntxn 6 write 60000\n" \
	      "txn 7 write 60001\ndamage zero 6.desc\n"

#define HOME "damage home 5.data[0] 60010\ndamage home 5.data[1] 60011\n" \
	     "damage home 5.data[2] 60012\n"

START_TEST(a_descriptor_that_claims_more_than_the_ring_has_says_nothing)
{
	/* A copy that is in place is not given up, so put other bytes there. */
	check_given_up(AGAIN HOME "damage copy 5.desc @1020\n"
		       "damage tid @1020 7\n",
		       "60001@10/7 60010@1021/7 60011@1022/7 60012@1023/7");
	check_given_up(AGAIN HOME "damage copy 5.desc @1021\n"
		       "damage tid @1021 7\n", "60001@10/7");
}
END_TEST

START_TEST(transaction_ids_that_wrap_are_in_order)
{
	check_given_up("txn 0xfffffffe write 60000\n"
		       "txn 0xffffffff write 60001\n"
		       "txn 0 write 60001-60002\ntxn 1 revoke 60002\n"
		       "damage zero 0xfffffffe.commit\n",
		       "60000@2/4294967294 60001@8/0");
}
END_TEST

static errcode_t cancel(void *priv, enum e2lazy_phase phase,
			uint64_t done, uint64_t total)
{
	(void)priv;
	(void)phase;
	ck_assert_uint_le(done, total);
	return E2LAZY_ET_CANCELLED;
}

START_TEST(the_look_at_the_rest_of_the_ring_can_be_cancelled)
{
	struct judged j = { .f = NULL };
	const struct e2lazy_watch watch = { .progress = cancel };
	const struct e2lazy_verify_opts opts = { .watch = &watch };

	open_subject(&j, map_of(THREE "damage zero 6.desc\n"));
	ck_assert_int_eq(e2lazy_verify(&j.subject, &opts, &j.verdict),
			 E2LAZY_ET_CANCELLED);
	close_subject(&j);
}
END_TEST

TCase *lost_to_damage_tests(void)
{
	TCase *tc = tcase_create("lost_to_damage");

	tcase_add_test(tc, a_sound_log_gives_nothing_up);
	tcase_add_test(tc, behind_a_hole_between_transactions_all_is_given_up);
	tcase_add_test(tc,
		       what_stands_before_a_hole_in_a_transaction_is_of_it);
	tcase_add_test(tc, of_a_bad_descriptor_the_tags_are_not_known);
	tcase_add_test(tc, a_bad_commit_block_gives_its_transaction_up);
	tcase_add_test(tc, so_does_a_block_of_unknown_type);
	tcase_add_test(tc, so_does_an_impossible_count_of_revokes);
	tcase_add_test(tc, so_does_a_block_that_cannot_be_read);
	tcase_add_test(tc, of_many_copies_the_newest_is_told);
	tcase_add_test(tc, what_is_revoked_behind_the_damage_is_not_missed);
	tcase_add_test(tc,
		       a_copy_before_the_damage_that_is_void_behind_it_is_told);
	tcase_add_test(tc, of_many_records_none_is_lost_that_counts);
	tcase_add_test(tc, what_was_not_committed_there_is_not_missed_either);
	tcase_add_test(tc,
		one_that_was_begun_shows_that_those_before_were_committed);
	tcase_add_test(tc, an_async_commit_proves_nothing_by_itself);
	tcase_add_test(tc, behind_a_second_hole_it_goes_on);
	tcase_add_test(tc, it_goes_on_round_the_end_of_the_ring);
	tcase_add_test(tc, it_goes_on_beyond_the_reach_of_a_descriptor);
	tcase_add_test(tc, any_form_of_a_log_is_understood);
	tcase_add_test(tc, an_earlier_lap_was_given_up_by_nobody);
	tcase_add_test(tc, copies_that_have_no_place_are_not_given_up);
	tcase_add_test(tc,
	    a_descriptor_that_claims_more_than_the_ring_has_says_nothing);
	tcase_add_test(tc, transaction_ids_that_wrap_are_in_order);
	tcase_add_test(tc, the_look_at_the_rest_of_the_ring_can_be_cancelled);
	return tc;
}
