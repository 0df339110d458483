/* SPDX-License-Identifier: GPL-2.0-only */
/* What a verdict says of the fast-commit area behind the log. */

#include <stdio.h>
#include <string.h>

#include "area.h"
#include "io/bytes.h"
#include "judged.h"

#define FC_FS "-b 1024 -J size=4"
#define FC_LOG "journal fast_commit 256\n%stxn 5 write 60000-60003\n" \
	       "fc %d unlink 2 12 gone tail\n"

static void check_fast_commits(const char *start, int tid, const char *expect)
{
	char spec[256];

	snprintf(spec, sizeof(spec), FC_LOG, start, tid);
	check_judged(FC_FS, spec, expect);
}

START_TEST(valid_fast_commits_are_fast_commits_valid)
{
	check_fast_commits("", 6, "fast-commits-valid 3");
}
END_TEST

START_TEST(fast_commits_behind_damage_are_told)
{
	check_judged(FC_FS, "journal fast_commit 256\ntxn 5 write 60000\n"
		     "fc 6 unlink 2 12 a tail unlink 2 12 b tail badcrc\n",
		     "fast-commits-valid 3 fast-commits-cut 1");
	check_judged(FC_FS, "journal fast_commit 256\ntxn 5 write 60000\n"
		     "fc 6 nohead unlink 2 12 a tail\n",
		     "fast-commits-cut 1");
}
END_TEST

/* e2fsck drops the log at any HEAD of another transaction. */
START_TEST(those_of_an_earlier_transaction_are_fast_commits_stale)
{
	check_fast_commits("", 5, "fast-commits-stale 3");
	check_fast_commits("", 4, "fast-commits-stale 3");
	check_judged(FC_FS, "journal fast_commit 256\ntxn 5 write 60000\n"
		     "fc 5\n", "fast-commits-stale 1");
	check_judged(FC_FS, "journal fast_commit 256\ntxn 5 write 60000\n"
		     "fc 5 nohead unlink 2 12 a tail\n", "");
	check_judged(FC_FS, "journal fast_commit 256\n"
		     "fc 5 unlink 2 12 a tail\n", "");
}
END_TEST

/* That of 8 begins when 7 is on the disk, and the log ends with 5. */
START_TEST(those_of_a_later_transaction_are_fast_commits_later)
{
	check_fast_commits("", 7, "fast-commits-later 3");
	check_fast_commits("", 9, "fast-commits-later 3");
	check_judged(FC_FS, "journal fast_commit 256\n"
		     "txn 4294967294 write 60000\nfc 1 tail\n",
		     "fast-commits-later 2");
	check_judged(FC_FS, "journal fast_commit 256\n"
		     "fc 9 unlink 2 12 a tail\n", "");
}
END_TEST

/* A kernel and e2fsck ask for these before they compare the transaction. */
START_TEST(those_with_features_are_fast_commits_unknown)
{
	static const char *const heads[] = {
		"5 features 1", "6 features 0x80000000", "9 features 1",
	};
	char spec[256];

	snprintf(spec, sizeof(spec), "journal fast_commit 256\n"
		 "txn 5 write 60000\nfc %s unlink 2 12 a tail\n", heads[_i]);
	check_judged(FC_FS, spec, "fast-commits-unknown 3");
}
END_TEST

/* A kernel refuses to mount it. */
START_TEST(a_first_one_without_an_end_is_fast_commits_unfinished)
{
	check_judged(FC_FS, "journal fast_commit 256\ntxn 5 write 60000\n"
		     "fc 6\n", "fast-commits-unfinished 1");
	check_judged(FC_FS, "journal fast_commit 256\ntxn 5 write 60000\n"
		     "fc 6 unlink 2 12 a\n", "fast-commits-unfinished 2");
	check_judged(FC_FS, "journal fast_commit 256\ntxn 5 write 60000\n"
		     "fc 6 unlink 2 12 a tail badcrc\n",
		     "fast-commits-unfinished 3 fast-commits-cut 1");
}
END_TEST

/* A kernel and e2fsck look for the tag of a HEAD alone; log block 3841. */
START_TEST(so_is_a_head_of_a_wrong_length)
{
	static const char *const damage[] = { "2", "3" };
	char spec[256];

	for (int tid = 5; tid <= 7; tid++) {
		snprintf(spec, sizeof(spec), "journal fast_commit 256\n"
			 "txn 5 write 60000\nfc %d unlink 2 12 a\n"
			 "damage flip @3841 %s\n", tid, damage[_i]);
		check_judged(FC_FS, spec, "fast-commits-unfinished 1");
	}
	/* A sound TAIL was promised. */
	snprintf(spec, sizeof(spec), FC_LOG "damage flip @3841 %s\n", "", 6,
		 damage[_i]);
	check_judged(FC_FS, spec,
		     "fast-commits-unfinished 1 fast-commits-cut 1");
}
END_TEST

START_TEST(a_log_that_wraps_before_such_an_area_is_told)
{
	check_fast_commits("start end-4\n", 5, "fast-commit-wrapped 1 "
			   "fast-commits-stale 3");
}
END_TEST

/* ------------------------------------------------ an earlier file system --- */

/* mke2fs ran at 1668464000: see MADE in fixture.c. */
#define BEFORE	1600000000
#define SINCE	1690000000

/* In an inode record: the file's change time, and its creation time. */
enum { CTIME = 0x0c, CRTIME = 0x90 };

/* Two fast commits, each with an inode that was changed and created at a time. */
static const char *judge_inodes(struct judged *j, const uint32_t *times)
{
	struct fixture *f = area_populated(FC_FS, NULL);
	struct area *a = area_begin(1024);

	for (unsigned i = 0; i < 2; i++, times += 2) {
		uint8_t *inode = area_inode(a, FILE_INO, 0100644, 1, 5000, 7);

		put_le32(inode + CTIME, times[0]);
		put_le32(inode + CRTIME, times[1]);
		area_tail(a);
	}
	area_write(f, a, NULL);
	return judge(j, f, 0);
}

static void check_inodes(bool foreign, const uint32_t *times)
{
	struct judged j = { .f = NULL };
	bool found = strstr(judge_inodes(&j, times), "commit-before-mkfs 1");

	ck_assert_msg(found == foreign, "%s", j.line);
	close_subject(&j);
}

#define CHECK_INODES(foreign, ...) \
	check_inodes(foreign, (const uint32_t[]){ __VA_ARGS__ })

START_TEST(fast_commits_of_inodes_changed_before_mkfs_are_asked_about)
{
	CHECK_INODES(true, BEFORE, BEFORE, BEFORE, BEFORE);
	CHECK_INODES(true, BEFORE, 0, 0, 0);
	CHECK_INODES(false, BEFORE, BEFORE, SINCE, BEFORE);
	CHECK_INODES(false, BEFORE, SINCE, BEFORE, BEFORE);
	/* no time proves nothing */
	CHECK_INODES(false, 0, 0, 0, 0);
}
END_TEST

TCase *verify_fast_tests(void)
{
	TCase *tc = tcase_create("verify_fast");

	tcase_add_test(tc, valid_fast_commits_are_fast_commits_valid);
	tcase_add_test(tc, fast_commits_behind_damage_are_told);
	tcase_add_test(tc,
		       those_of_an_earlier_transaction_are_fast_commits_stale);
	tcase_add_test(tc,
		       those_of_a_later_transaction_are_fast_commits_later);
	tcase_add_loop_test(tc, those_with_features_are_fast_commits_unknown, 0,
			    3);
	tcase_add_test(tc,
		       a_first_one_without_an_end_is_fast_commits_unfinished);
	tcase_add_loop_test(tc, so_is_a_head_of_a_wrong_length, 0, 2);
	tcase_add_test(tc, a_log_that_wraps_before_such_an_area_is_told);
	tcase_add_test(tc,
		fast_commits_of_inodes_changed_before_mkfs_are_asked_about);
	return tc;
}
