/* SPDX-License-Identifier: GPL-2.0-only */
/* An emptied log whose ring still holds newer copies. */

#include <stdio.h>
#include <string.h>

#include "judged.h"
#include "log/jbd2.h"
#include "log/log.h"
#include "verify/ring.h"

/* ------------------------------------------------------------ the ring */

/*
 * A ring of ten blocks from 1 on, as "DDC.D" and the like: descriptor, revoke,
 * commit, anything else; @tids has a digit for each.
 */
static const char *chain_of(const char *blocks, const char *tids,
			    uint32_t sequence)
{
	static char line[64];
	struct e2lazy_geometry geo = { .first = 1, .end = 11,
				       .sequence = sequence };
	struct ring ring = { .geo = &geo };
	struct chain chain;

	ck_assert_uint_eq(strlen(blocks), 10);
	for (uint32_t i = 0; i < 10; i++) {
		struct record r = { .logblk = i + 1, .tid = tids[i] - '0' };

		r.flags = blocks[i] == 'D' ? JBD2_DESCRIPTOR :
			  blocks[i] == 'R' ? JBD2_REVOKE : JBD2_COMMIT;
		if (blocks[i] != '.')
			ck_assert_int_eq(records_add(&ring.blocks, &r), 0);
	}
	snprintf(line, sizeof(line), "none");
	if (ring_last_chain(&ring, &chain))
		snprintf(line, sizeof(line), "%u at %u%s", chain.first_tid,
			 chain.start, chain.named ? ", named" : "");
	records_free(&ring.blocks);
	return line;
}

START_TEST(the_transaction_that_the_superblock_names_was_discarded)
{
	ck_assert_str_eq(chain_of("D.CD.C....", "3334440000", 3),
			 "3 at 1, named");
	ck_assert_str_eq(chain_of("D.CRD.C...", "3334444000", 4),
			 "4 at 4, named");
	/* round the end of the ring */
	ck_assert_str_eq(chain_of("D.CD.C..D.", "3334440033", 3),
			 "3 at 9, named");
	/* of nothing at all */
	ck_assert_str_eq(chain_of("CD.C......", "3444000000", 3),
			 "3 at 1, named");
}
END_TEST

START_TEST(below_the_number_in_the_superblock_the_newest_ones_count)
{
	ck_assert_str_eq(chain_of("D.CD.C....", "3334440000", 5), "3 at 1");
	ck_assert_str_eq(chain_of("D.CD.C....", "3334440000", 9), "3 at 1");
	/* an earlier mount ended at 2: numbers are left out between mounts */
	ck_assert_str_eq(chain_of("D.CD.C....", "2224440000", 5), "4 at 4");
	/* uncommitted ones do not count */
	ck_assert_str_eq(chain_of("D.CD......", "3334000000", 5), "3 at 1");
	/* a transaction may hold nothing */
	ck_assert_str_eq(chain_of("D.CCD.C...", "3334555000", 6), "3 at 1");
	ck_assert_str_eq(chain_of("D.CC......", "3334000000", 6), "3 at 1");
	ck_assert_str_eq(chain_of("..........", "0000000000", 5), "none");
}
END_TEST

START_TEST(a_transaction_that_was_written_over_does_not_count)
{
	/* 4 is the newest, and has eaten the begin of 2 */
	ck_assert_str_eq(chain_of("..CDCD.CD.", "4442233344", 5), "3 at 6");
	/* of 4 itself the begin may be missing: nothing ends before it */
	ck_assert_str_eq(chain_of(".DCDC.....", "0442200000", 5), "none");
	/* the newest one's blocks before its commit are gone */
	ck_assert_str_eq(chain_of(".C........", "0400000000", 5), "none");
}
END_TEST

START_TEST(of_two_that_have_the_same_number_neither_counts)
{
	ck_assert_str_eq(chain_of("D.CD.C....", "4444440000", 5), "none");
}
END_TEST

/* -------------------------------------------------------- made journals */

#define EARLIER "time 1600000000 "	/* than the file system was made */

START_TEST(a_log_that_was_discarded_is_found)
{
	check_judged_whole(PLAIN, "sequence 5\n"
			   "leftover 5 write 60000-60002\n"
			   "leftover 6 write 60003 60001\n",
			   "discarded-log 4");
}
END_TEST

START_TEST(what_was_revoked_in_it_does_not_count)
{
	check_judged_whole(PLAIN, "sequence 5\n"
			   "leftover 5 write 60000-60002\n"
			   "leftover 6 write 60003 revoke 60001\n",
			   "discarded-log 3");
}
END_TEST

START_TEST(a_difference_alone_proves_nothing)
{
	check_judged_whole(PLAIN, "sequence 7\n"
			   "leftover 5 write 60000-60002\n"
			   "leftover 6 write 60003 60001\n", "");
}
END_TEST

START_TEST(what_an_earlier_file_system_left_is_none_of_its)
{
	/* by its checksums */
	check_judged_whole(PLAIN, "sequence 5\nleftoveruuid "
			   "11111111-2222-3333-4444-555555555555\n"
			   "leftover 5 write 60000-60002\n", "");
	/* without any, by the time */
	check_judged_whole("-b 1024 -J size=1 -O ^metadata_csum",
			   "sequence 5\nleftover 5 " EARLIER
			   "write 60000-60002\n", "");
	/* nor with the same UUID */
	check_judged_whole(PLAIN, "sequence 5\nleftover 5 " EARLIER
			   "write 60000-60002\n", "");
}
END_TEST

START_TEST(it_takes_a_look_at_contents)
{
	check_judged(PLAIN, "sequence 5\n"
		     "leftover 5 write 60000-60002\n", "");
}
END_TEST

START_TEST(a_log_in_use_is_not_discarded)
{
	check_judged_whole(PLAIN, "txn 5 write 60000-60002\n",
			   "copy-of-free 3");
}
END_TEST

#define NO_CSUM		"-b 1024 -J size=1 -O ^metadata_csum"
#define ROOT_CTIME	(128 + 12 + 3)	/* high byte, inodes of 128 bytes */

/* A byte of the root's inode is inverted. */
struct spoilt {
	const char	*mke2fs;
	unsigned	both, one;	/* 0: none in both */
	bool		in_log;
};

/* The first block of the inode table, with the root's change time changed. */
static const char *judge_spoilt(struct judged *j, const struct spoilt *s)
{
	struct fixture *f = map_of_fs(s->mke2fs, NULL);
	blk64_t table;
	char spec[128];

	ck_assert_int_eq(try_open(f, NULL), 0);
	table = ext2fs_inode_table_loc(f->journal->fs, 0);
	snprintf(spec, sizeof(spec), "txn 4 write 60001\n"
		 "txn 5 write %llu 60000\n",
		 (unsigned long long)table);
	write_log(f, spec);
	if (s->both)
		flip_static(f, table, s->both);
	put_real(f, table);
	if (s->in_log)
		flip_copy(f, table, s->one);
	else
		flip_static(f, table, s->one);
	write_log(f, "sequence 6");
	return judge(j, f, E2LAZY_VERIFY_CONTENT);
}

static const char *judge_inodes(struct judged *j, bool in_log)
{
	const struct spoilt s = { NO_CSUM " -I 128", 0, ROOT_CTIME, in_log };

	return judge_spoilt(j, &s);
}

/* Inverted, a time of today is one of the last century. */
START_TEST(an_inode_that_was_changed_later_in_the_log_proves_it)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge_inodes(&j, false), "discarded-log 3");
	close_subject(&j);
}
END_TEST

START_TEST(one_that_was_changed_later_in_place_does_not)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge_inodes(&j, true), "");
	close_subject(&j);
}
END_TEST

#define LARGE		NO_CSUM " -I 256"
/* Of i_ctime_extra, whose two low bits are no nanoseconds. */
#define ROOT_NSEC(byte)	(256 + 0x84 + (byte))

START_TEST(within_a_second_nanoseconds_of_both_prove_it)
{
	static const struct {
		struct spoilt	s;
		const char	*found;
	} cases[] = {
		{ { LARGE, ROOT_NSEC(1), ROOT_NSEC(2), true },
		  "discarded-log 3" },
		{ { LARGE, ROOT_NSEC(1), ROOT_NSEC(2), false }, "" },
		/* A tool that writes none may have been the last one. */
		{ { LARGE, 0, ROOT_NSEC(2), true }, "" },
		/* More than a second is no time. */
		{ { LARGE, ROOT_NSEC(1), ROOT_NSEC(3), true }, "" },
	};
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge_spoilt(&j, &cases[_i].s), cases[_i].found);
	close_subject(&j);
}
END_TEST

TCase *discarded_tests(void)
{
	TCase *tc = tcase_create("discarded");

	tcase_add_test(tc,
		       the_transaction_that_the_superblock_names_was_discarded);
	tcase_add_test(tc,
		       below_the_number_in_the_superblock_the_newest_ones_count);
	tcase_add_test(tc, a_transaction_that_was_written_over_does_not_count);
	tcase_add_test(tc, of_two_that_have_the_same_number_neither_counts);
	tcase_add_test(tc, a_log_that_was_discarded_is_found);
	tcase_add_test(tc, what_was_revoked_in_it_does_not_count);
	tcase_add_test(tc, a_difference_alone_proves_nothing);
	tcase_add_test(tc, what_an_earlier_file_system_left_is_none_of_its);
	tcase_add_test(tc, it_takes_a_look_at_contents);
	tcase_add_test(tc, a_log_in_use_is_not_discarded);
	tcase_add_test(tc, an_inode_that_was_changed_later_in_the_log_proves_it);
	tcase_add_test(tc, one_that_was_changed_later_in_place_does_not);
	tcase_add_loop_test(tc, within_a_second_nanoseconds_of_both_prove_it, 0,
			    4);
	return tc;
}
