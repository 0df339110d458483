/* SPDX-License-Identifier: GPL-2.0-only */
/* A tail at which nothing is committed: a crash, or a flipped bit. */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "judged.h"
#include "log/jbd2.h"

#define NO_CSUM "-b 1024 -J size=1 -O ^metadata_csum"
#define LOG "bulk 20 tags 5 from 60000 tid 30 whole\n"
#define LAP "lap\nbulk 200 tags 5 from 60000 mod 500 tid 1 whole\ntail 184\n"

/* A log of one transaction, behind an older lap that ends right before it. */
#define ONE "lap\nbulk 1300 tags 5 from 60000 mod 500 tid 1 whole\ntail 1300\n"
#define LARGE "-b 1024 -J size=8 -O ^metadata_csum"

/* A ring whose log, its last part, has a copy of every logged block. */
#define HOME "lap\nbulk 200 tags 5 from 60000 mod 80 tid 1 whole\ntail 184\n"

/* Of the journal superblock, which is in block @at. */
static void flip_bit(struct fixture *f, blk64_t at, unsigned field,
		     unsigned bit)
{
	off_t to = (off_t)at * 1024 + field + 3 - bit / 8;
	int fd = open(f->image, O_RDWR);
	uint8_t byte;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, &byte, 1, to), 1);
	byte ^= 1 << bit % 8;
	ck_assert_int_eq(pwrite(fd, &byte, 1, to), 1);
	close(fd);
}

/* Nothing of it may be written without a question. */
static void check_asks(struct fixture *f, unsigned field, unsigned bit)
{
	struct judged j = { .f = NULL };

	if (try_open(f, NULL))
		return;
	judge(&j, f, E2LAZY_VERIFY_CONTENT);
	ck_assert_msg(j.worst == E2LAZY_GRAVE, "field %u, bit %u: \"%s\"",
		      field, bit, j.line);
	close_subject(&j);
}

START_TEST(no_flipped_bit_of_the_tail_hides_the_log)
{
	static const char *const logs[] = {
		LOG, LAP, "start 500\n" LOG, "txn 5 write 60000\n" LOG,
		"journal csum v1\n" LOG, "journal csum none 64bit\n" LAP,
	};
	static const unsigned fields[] = { JSB_START, JSB_SEQUENCE };
	struct fixture *f = map_of_fs(NO_CSUM, logs[_i]);
	blk64_t at;

	ck_assert_int_eq(e2lazy_physblk(f->journal, 0, &at), 0);
	for (unsigned i = 0; i < 64; i++) {
		unsigned field = fields[i / 32], bit = i % 32;

		flip_bit(f, at, field, bit);
		check_asks(f, field, bit);
		flip_bit(f, at, field, bit);
	}
}
END_TEST

/* So large that an older lap's chain proves the end of a sound log. */
START_TEST(nor_does_one_hide_a_log_of_one_transaction)
{
	struct fixture *f = map_of_fs(LARGE, ONE);
	blk64_t at;

	ck_assert_int_eq(e2lazy_physblk(f->journal, 0, &at), 0);
	for (unsigned bit = 0; bit < 32; bit++) {
		flip_bit(f, at, JSB_SEQUENCE, bit);
		check_asks(f, JSB_SEQUENCE, bit);
		flip_bit(f, at, JSB_SEQUENCE, bit);
	}
}
END_TEST

/* e2fsck -E journal_only, a mount, and a crash in its first commit. */
static void replay(struct fixture *f)
{
	drop(f);
	shell(f, "e2fsck -y -E journal_only %s >/dev/null 2>&1 || "
		 "test $? -le 1");
}

static void check_crash(const char *log, const char *tail, const char *expect)
{
	struct fixture *f = map_of_fs(NO_CSUM, log);
	struct judged j = { .f = NULL };

	replay(f);
	write_log(f, tail);
	ck_assert_str_eq(judge(&j, f, E2LAZY_VERIFY_CONTENT), expect);
	close_subject(&j);
}

START_TEST(a_crash_in_the_first_commit_is_sound)
{
	check_crash(LOG, "start 1\nsequence 51\n", "");
	check_crash(LOG, "start 141\nsequence 51\n", "");
	check_crash(HOME, "start 1\nsequence 202\n", "");
	check_crash(HOME, "start 378\nsequence 202\n", "");
	/* idle */
	check_crash(LOG, "sequence 51\nneeds_recovery on\n",
		    "recovery-of-nothing 1");
}
END_TEST

/*
 * A kernel before 6.4 begins each mount at block 1.  A crash in the first
 * commit has overwritten the log of the mount before, but not all of the longer
 * one before that: its copies are outdated.
 */
START_TEST(a_first_commit_that_was_begun_at_the_tail_is_sound)
{
	struct fixture *f = map_of_fs(NO_CSUM, "bulk 20 tags 5 from 60000 "
				      "mod 25 tid 2 whole\n");
	struct judged j = { .f = NULL };

	replay(f);
	write_log(f, "txn 24 write 60000-60004\n");
	replay(f);
	write_log(f, "txn 26 write 61000-61020 nocommit\n");
	ck_assert_str_eq(judge(&j, f, E2LAZY_VERIFY_CONTENT),
			 "uncommitted-tail 1");
	close_subject(&j);
}
END_TEST

/* An idle mount's superblock, for the write of the first commit's was lost. */
START_TEST(an_empty_log_before_later_transactions_asks)
{
	static const char *const made[] = { NO_CSUM, PLAIN };
	struct fixture *f = map_of_fs(made[_i % 2], LOG);
	struct judged j = { .f = NULL };

	drop(f);
	write_log(f, _i / 2 ? "sequence 30\nneeds_recovery on\n" :
			      "sequence 29\nneeds_recovery on\n");
	ck_assert_str_eq(judge(&j, f, E2LAZY_VERIFY_CONTENT),
			 "tail-contradicted 100 recovery-of-nothing 1");
	close_subject(&j);
}
END_TEST

/* A superblock with a good checksum is meant as it stands. */
START_TEST(a_ring_that_is_not_the_journal_s_is_asked_about)
{
	const char *large = "-b 1024 -J size=2";

	check_judged(large, "journal csum none\n" "txn 5 write 60000\n"
		     "damage super maxlen 1500\n", "ring-contradicted 1");
	check_judged(large, "journal csum none\n" "start 500\ntxn 5 write 60000\n"
		     "damage super first 2\n", "ring-contradicted 1");
	check_judged(large, "txn 5 write 60000\ndamage super maxlen 1500\n",
		     "");
	check_judged(large, "journal csum none\n" "txn 5 write 60000\n", "");
}
END_TEST

/* An earlier file system's transaction may follow with the right number. */
START_TEST(what_was_committed_before_mkfs_is_asked_about)
{
	static const char next[] = "txn 5 write 60000\n"
				   "txn 6 write 60001 time 1500000000\n"
				   "txn 7 write 60002 time 1500000001\n";

	check_judged(NO_CSUM, next, "commit-before-mkfs 2");
	/* good checksums prove nothing: it may have had the same UUID */
	check_judged(PLAIN, next, "commit-before-mkfs 2");
	/* a clock that was wrong from the start proves nothing */
	check_judged(_i ? PLAIN : NO_CSUM,
		     "txn 5 write 60000 time 1500000000\n"
		     "txn 6 write 60001 time 1500000001\n", "");
	/* nor does one that was put right in the middle of the log */
	check_judged(_i ? PLAIN : NO_CSUM,
		     "txn 5 write 60000 time 1500000000\n"
		     "txn 6 write 60001 time 1700000000\n", "");
	/* nor one that goes back a little */
	check_judged(_i ? PLAIN : NO_CSUM,
		     "txn 5 write 60000 time 1700000100\n"
		     "txn 6 write 60001 time 1700000000\n",
		     "times-go-back 1");
}
END_TEST

TCase *tail_tests(void)
{
	TCase *tc = tcase_create("tail");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, no_flipped_bit_of_the_tail_hides_the_log, 0, 6);
	tcase_add_test(tc, nor_does_one_hide_a_log_of_one_transaction);
	tcase_add_test(tc, a_crash_in_the_first_commit_is_sound);
	tcase_add_test(tc, a_first_commit_that_was_begun_at_the_tail_is_sound);
	tcase_add_loop_test(tc, an_empty_log_before_later_transactions_asks, 0,
			    4);
	tcase_add_test(tc, a_ring_that_is_not_the_journal_s_is_asked_about);
	tcase_add_loop_test(tc, what_was_committed_before_mkfs_is_asked_about,
			    0, 2);
	return tc;
}
