/* SPDX-License-Identifier: GPL-2.0-only */
/* Is the end of a log its end?  By the older lap, or by looking at it all. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"
#include "log/end_proof.h"
#include "sick_io.h"

#define NO_CSUM "-b 1024 -J size=1 -O ^metadata_csum"

/* The reach of one descriptor of 1024 bytes. */
#define NEAR	63

struct seen {
	char	line[64];	/* "proven, sound, all" */
	uint32_t looked, rest;
};

/* The evidence past the end of a log, @near blocks of it first. */
static const char *see(struct seen *seen, struct fixture *f, uint32_t near)
{
	static const char *const verdicts[] = {
		"nothing", "older", "uncommitted", "damage",
	};
	const struct end_proof_opts opts = { .near = near };
	struct end_proof proof;

	ck_assert_int_eq(end_proof_look(&proof, f->journal,
					e2lazy_jmap_end(f->map), &opts), 0);
	seen->looked = proof.look.looked;
	seen->rest = proof.look.rest;
	snprintf(seen->line, sizeof(seen->line), "%s%s%s, %s",
		 verdicts[proof.verdict], proof.strays ? ", strays" : "",
		 proof.proven ? ", proven" : "",
		 seen->looked == seen->rest ? "all" : "by its chain");
	end_proof_free(&proof);
	return seen->line;
}

#define check_seen(mke2fs, spec, expect) do { \
	struct seen seen; \
	ck_assert_str_eq(see(&seen, map_of_fs(mke2fs, spec), NEAR), expect); \
} while (0)

/* The longest text of a log, with its damage. */
#define SPEC 65536

/* Zero @count blocks from log block @from on, round a ring of 1023. */
static char *zero(char *spec, unsigned from, unsigned count)
{
	char *to = spec + strlen(spec);

	for (; count; count--, from++)
		to += sprintf(to, "damage zero @%u\n", (from - 1) % 1023 + 1);
	return spec;
}

/* --------------------------------------------------------- an older lap --- */

/* 200 transactions of 7 blocks; 17 are the log, and the head is at 378. */
#define LAP "lap\nbulk 200 tags 5 from 60000 mod 500 tid 1 whole\ntail 184\n"
#define HEAD 378

START_TEST(an_older_lap_proves_the_end)
{
	static const char *const forms[] = {
		"none 64bit", "v1", "v2", "v3 64bit", "v3 64bit async_commit",
	};
	char spec[512];
	struct seen seen;

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		snprintf(spec, sizeof(spec), "journal csum %s\n%s", forms[i],
			 LAP);
		ck_assert_str_eq(see(&seen, map_of(spec), NEAR),
				 "older, proven, by its chain");
		ck_assert_uint_lt(seen.looked, 2 * NEAR);
	}
}
END_TEST

START_TEST(a_mount_that_left_numbers_out_breaks_no_chain)
{
	check_seen(PLAIN, "lap\n"
		   "bulk 100 tags 5 from 60000 mod 500 tid 1 whole\n"
		   "bulk 100 tags 5 from 60000 mod 500 tid 102 whole\n"
		   "tail 185\n", "older, proven, by its chain");
	/* nor right before the tail */
	check_seen(PLAIN, "lap\n"
		   "bulk 183 tags 5 from 60000 mod 500 tid 1 whole\n"
		   "bulk 17 tags 5 from 60000 mod 500 tid 185 whole\n"
		   "tail 185\n", "older, proven, by its chain");
	/* one after a clean unmount leaves two out */
	check_seen(PLAIN, "lap\n"
		   "bulk 100 tags 5 from 60000 mod 500 tid 1 whole\n"
		   "bulk 100 tags 5 from 60000 mod 500 tid 103 whole\n"
		   "tail 186\n", "older, proven, by its chain");
	/* three are no mount's */
	check_seen(PLAIN, "lap\n"
		   "bulk 100 tags 5 from 60000 mod 500 tid 1 whole\n"
		   "bulk 100 tags 5 from 60000 mod 500 tid 104 whole\n"
		   "tail 187\n", "older, proven, all");
}
END_TEST

START_TEST(a_chain_that_breaks_proves_nothing_by_itself)
{
	/* a control block of transaction 100, behind what is looked at */
	check_seen(PLAIN, LAP "damage zero 100.desc\n", "older, proven, all");
	check_seen(PLAIN, LAP "damage csum 100.commit\n",
		   "older, proven, all");
	check_seen(PLAIN, LAP "damage tid 100.commit 90\n",
		   "older, proven, all");
}
END_TEST

START_TEST(behind_a_chain_that_breaks_what_is_newer_is_found)
{
	/* an older transaction stands before it, whole */
	check_seen(PLAIN, LAP "damage copy 200.commit 110.commit\n"
		   "damage tid 110.commit 201\n", "damage, proven, all");
	check_seen(PLAIN, LAP "damage copy 200.desc 110.data[3]\n"
		   "damage tid 110.data[3] 202\n"
		   "damage zero 100.desc\n", "damage, proven, all");
}
END_TEST

START_TEST(a_chain_has_to_end_at_the_tail_before_its_transaction)
{
	char spec[512];

	/* the tail where the last one ends: the next is 201, 202 or 203 */
	for (unsigned next = 200; next < 207; next++) {
		bool ends = next >= 201 && next <= 203;

		if (next == 200)	/* see the test of strays below */
			continue;
		snprintf(spec, sizeof(spec), LAP "damage super start %u\n"
			 "damage super sequence %u\n", HEAD, next);
		check_seen(PLAIN, spec, ends ? "older, proven, by its chain" :
					       "older, proven, all");
	}
	/* one block further it has overshot the tail */
	snprintf(spec, sizeof(spec), LAP "damage super start %u\n"
		 "damage super sequence 201\n", HEAD - 1);
	check_seen(PLAIN, spec, "older, proven, all");
}
END_TEST

/* ---------------------------------------------------------- a long hole --- */

START_TEST(no_hole_is_too_long_to_see_behind_it)
{
	static char spec[SPEC];
	static const unsigned lengths[] = { 1, 62, 63, 64, 65, 256, 400 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		snprintf(spec, sizeof(spec),
			 "bulk 61 tags 5 from 60000 tid 5 whole\n");
		zero(spec, 8, lengths[i]);
		check_seen(PLAIN, spec, "damage, proven, all");
		/* and one that came round, of 101 transactions from 694 on */
		snprintf(spec, sizeof(spec), LAP "tail 100\n");
		zero(spec, 701, lengths[i]);
		check_seen(PLAIN, spec, "damage, proven, all");
	}
}
END_TEST

START_TEST(behind_a_long_hole_all_is_given_up)
{
	static char spec[SPEC];

	/* 60 behind the first of 61, of which 37 begin behind the hole */
	snprintf(spec, sizeof(spec), "bulk 61 tags 5 from 60000 tid 5 whole\n");
	check_judged_whole(PLAIN, zero(spec, 8, 256),
			   "given-up 115 later-transactions 1 copy-of-free 5");
}
END_TEST

START_TEST(a_ring_that_was_never_written_is_looked_at_to_its_end)
{
	struct seen seen;
	struct fixture *f = map_of("bulk 20 tags 5 from 60000 tid 5\n");

	ck_assert_str_eq(see(&seen, f, NEAR), "nothing, proven, all");
	ck_assert_uint_eq(seen.rest, 1023 - 140);
	/* and to its begin, where the log begins elsewhere */
	f = map_of("start 500\nbulk 20 tags 5 from 60000 tid 5\n");
	ck_assert_str_eq(see(&seen, f, NEAR), "nothing, proven, all");
	ck_assert_uint_eq(seen.rest, 1023 - 140);
}
END_TEST

START_TEST(holes_of_an_image_are_not_read)
{
	struct fixture *f = map_of_fs("-b 4096 -J size=64 -O 64bit "
				      "-E lazy_journal_init=1",
				      "txn 5 write 60000\n");
	uint64_t before = e2lazy_blocks_read(f->journal);
	struct seen seen;

	ck_assert_str_eq(see(&seen, f, 254), "nothing, proven, all");
	ck_assert_uint_gt(seen.rest, 16000);
	ck_assert_uint_lt(e2lazy_blocks_read(f->journal) - before, 200);
}
END_TEST

START_TEST(a_descriptor_with_too_many_tags_hides_nothing)
{
	/*
	 * no tag is marked as the last; the look passes over the blocks behind
	 */
	check_seen(NO_CSUM, "txn 5 write 60000\ntxn 6 write 60001\n"
		   "txn 7 write 60002\ntxn 8 write 60003\n"
		   "damage tagflags 6.desc 0 0 raw\n",
		   "damage, proven, all");
}
END_TEST

/* ------------------------------------------------ an earlier file system --- */

#define EARLIER "time 1600000000 "

START_TEST(what_an_earlier_file_system_left_is_no_damage)
{
	check_seen(NO_CSUM, "txn 5 write 60000\n"
		   "leftover 7 " EARLIER "write 60100\n"
		   "leftover 8 " EARLIER "perdesc 1 revoke 60009 "
		   "write 60101-60103\n"
		   "leftover 9 " EARLIER "\n", "older, proven, all");
	/* its last transaction, never committed, is as old as the others */
	check_seen(NO_CSUM, "txn 5 write 60000\n"
		   "leftover 7 " EARLIER "write 60100\n"
		   "leftover 8 perdesc 1 write 60101-60103 nocommit\n",
		   "older, proven, all");
	check_judged_whole(NO_CSUM, "txn 5 write 60000\n"
			   "leftover 7 " EARLIER "write 60100\n"
			   "leftover 8 " EARLIER "write 60101\n",
			   "copy-of-free 1");
	/* good checksums prove nothing: it may have had the same UUID */
	check_judged_whole(PLAIN, "txn 5 write 60000\n"
			   "leftover 7 " EARLIER "write 60100\n"
			   "leftover 8 " EARLIER "write 60101\n",
			   "copy-of-free 1");
	/* nor does an id that the log has, too */
	check_seen(PLAIN, "txn 5 write 60000\ntxn 6 write 60001\n"
		   "leftover@100 5 " EARLIER "write 60100\n",
		   "older, proven, all");
}
END_TEST

START_TEST(what_may_be_this_file_systems_is_damage)
{
	/* it is younger */
	check_seen(NO_CSUM, "txn 5 write 60000\nleftover 7 write 60100\n"
		   "leftover 8 write 60101\n", "damage, proven, all");
	/* no time tells */
	check_seen(NO_CSUM, "txn 5 write 60000\n"
		   "leftover 8 write 60101 nocommit\n", "damage, proven, all");
	/* nor does one of another transaction */
	check_seen(NO_CSUM, "txn 5 write 60000\n"
		   "leftover 7 " EARLIER "write 60100\n"
		   "leftover 9 write 60101 nocommit\n", "damage, proven, all");
	/* it is younger, and has this journal's seed */
	check_seen(PLAIN, "txn 5 write 60000\nleftover 7 write 60100\n"
		   "leftover 8 write 60101\n", "damage, proven, all");
}
END_TEST

START_TEST(a_machine_without_a_clock_cannot_tell_them_apart)
{
	struct fixture *f;
	struct seen seen;

	check_seen(_i ? PLAIN : NO_CSUM, "txn 5 " EARLIER "write 60000\n"
		   "leftover 7 " EARLIER "write 60100\n"
		   "leftover 8 " EARLIER "write 60101\n",
		   "damage, proven, all");
	/* by the last mount, where nothing is committed */
	f = map_of_fs(_i ? PLAIN : NO_CSUM, NULL);
	shell(f, "debugfs -w -R 'ssv mtime 20200101' %s 2>/dev/null");
	write_log(f, "start 1\nsequence 5\n"
		  "leftover@10 6 " EARLIER "write 60100\n");
	read_map(f, 0, 0);
	ck_assert_str_eq(see(&seen, f, NEAR), "damage, proven, all");
	shell(f, "debugfs -w -R 'ssv mtime 20240101' %s 2>/dev/null");
	drop(f);
	read_map(f, 0, 0);
	ck_assert_str_eq(see(&seen, f, NEAR), "older, proven, all");
}
END_TEST

START_TEST(its_chain_proves_nothing_either)
{
	struct fixture *f;
	struct seen seen;
	char spec[512];

	/* it leads to the tail, before the right number */
	snprintf(spec, sizeof(spec), LAP "damage super start %u\n"
		 "damage super sequence 201\n", HEAD);
	f = map_of_fs(NO_CSUM, spec);
	ck_assert_str_eq(see(&seen, f, NEAR), "older, proven, by its chain");
	shell(f, "debugfs -w -R 'ssv mkfs_time 20250101' %s 2>/dev/null");
	drop(f);
	read_map(f, 0, 0);
	ck_assert_str_eq(see(&seen, f, NEAR), "older, proven, all");
}
END_TEST

/* Checksums that cover the UUID: its clock was wrong then, and is right now. */
START_TEST(a_chain_of_lower_ids_with_good_checksums_is_the_journal_s_own)
{
	struct fixture *f;
	struct seen seen;
	char spec[512];

	snprintf(spec, sizeof(spec), LAP "damage super start %u\n"
		 "damage super sequence 201\n", HEAD);
	f = map_of_fs(PLAIN, spec);
	shell(f, "debugfs -w -R 'ssv mkfs_time 20250101' %s 2>/dev/null");
	drop(f);
	read_map(f, 0, 0);
	ck_assert_str_eq(see(&seen, f, NEAR), "older, proven, by its chain");
}
END_TEST

/* ------------------------------------------------------------ the others --- */

/* A flipped bit in s_start may lead into the first transaction. */
START_TEST(its_own_transactions_outside_of_the_log_are_strays)
{
	check_seen(NO_CSUM, "txn 5 write 60000\ntxn 6 write 60001\n"
		   "damage super start 3\n",
		   "older, strays, proven, all");
}
END_TEST

START_TEST(a_block_that_cannot_be_read_may_hide_the_next)
{
	struct judged j = { .open.manager = sick_io_manager };
	struct fixture *f = map_of("txn 5 write 60000\n");
	blk64_t block;

	ck_assert_int_eq(e2lazy_physblk(f->journal, 500, &block), 0);
	sick_begin(block);
	ck_assert_str_eq(judge(&j, f, 0), "unreadable 1");
	ck_assert_uint_eq(j.first.logblk, 500);
	close_subject(&j);
	/* unless an older lap's chain passes over it */
	f = map_of(LAP);
	ck_assert_int_eq(e2lazy_physblk(f->journal, 500, &block), 0);
	sick_begin(block);
	ck_assert_int_eq(try_open(f, &j.open), 0);
	read_map(f, 0, 0);
	check_seen(PLAIN, LAP, "older, proven, by its chain");
}
END_TEST

START_TEST(a_quick_look_proves_nothing_of_a_large_ring)
{
	check_judged("-b 4096 -J size=64 -E lazy_journal_init=1",
		     "txn 5 write 60000\n", "end-not-proven 1");
	check_judged_whole("-b 4096 -J size=64 -E lazy_journal_init=1",
			   "txn 5 write 60000\n", "copy-of-free 1");
}
END_TEST

/*
 * Blocks of an older lap that are gone break its chain, but no transaction of
 * the log is among them.  The look at every block then shows that none is.
 */
START_TEST(a_hole_wider_than_the_reach_in_the_free_part_of_the_ring_is_silent)
{
	static const char *const forms[] = { NO_CSUM, PLAIN };
	static char spec[SPEC];
	struct seen seen;
	struct fixture *f;
	struct judged j = { .f = NULL };

	strcpy(spec, LAP);
	f = map_of_fs(forms[_i], zero(spec, HEAD + 2 * NEAR, 2 * NEAR));
	ck_assert_str_eq(see(&seen, f, NEAR), "older, proven, all");
	ck_assert_str_eq(judge(&j, f, 0), "");
	close_subject(&j);
}
END_TEST

TCase *end_proof_tests(void)
{
	TCase *tc = tcase_create("end_proof");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, an_older_lap_proves_the_end);
	tcase_add_test(tc, a_mount_that_left_numbers_out_breaks_no_chain);
	tcase_add_test(tc, a_chain_that_breaks_proves_nothing_by_itself);
	tcase_add_test(tc, behind_a_chain_that_breaks_what_is_newer_is_found);
	tcase_add_test(tc,
		       a_chain_has_to_end_at_the_tail_before_its_transaction);
	tcase_add_test(tc, no_hole_is_too_long_to_see_behind_it);
	tcase_add_test(tc, behind_a_long_hole_all_is_given_up);
	tcase_add_test(tc,
		       a_ring_that_was_never_written_is_looked_at_to_its_end);
	tcase_add_test(tc, holes_of_an_image_are_not_read);
	tcase_add_test(tc, a_descriptor_with_too_many_tags_hides_nothing);
	tcase_add_test(tc, what_an_earlier_file_system_left_is_no_damage);
	tcase_add_test(tc, what_may_be_this_file_systems_is_damage);
	tcase_add_loop_test(tc,
			    a_machine_without_a_clock_cannot_tell_them_apart,
			    0, 2);
	tcase_add_test(tc, its_chain_proves_nothing_either);
	tcase_add_test(tc,
		a_chain_of_lower_ids_with_good_checksums_is_the_journal_s_own);
	tcase_add_test(tc,
		       its_own_transactions_outside_of_the_log_are_strays);
	tcase_add_test(tc, a_block_that_cannot_be_read_may_hide_the_next);
	tcase_add_test(tc, a_quick_look_proves_nothing_of_a_large_ring);
	tcase_add_loop_test(tc,
		a_hole_wider_than_the_reach_in_the_free_part_of_the_ring_is_silent,
		0, 2);
	return tc;
}
