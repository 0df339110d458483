/* SPDX-License-Identifier: GPL-2.0-only */
/* Live copies that equal one which a revoke had made void. */

#include <stdio.h>
#include <stdlib.h>

#include "judged.h"
#include "owned.h"

/* Copies that are copied onto others have no checksum that fits. */
#define NO_CSUM "journal csum none\n"
#define FEATURES "-O metadata_csum,64bit"
#define TARGET "a-target-too-long-for-the-inode-so-that-it-has-a-block-of-its-own"

static void check_free(const char *spec, const char *expect)
{
	check_judged_whole(FEATURES, spec, expect);
}

START_TEST(a_void_copy_of_a_free_block_logged_again_is_relogged)
{
	struct judged j = { .f = NULL };
	struct fixture *f = map_of_fs(FEATURES, NO_CSUM
				      "txn 5 write 60000-60002\n"
				      "txn 6 revoke 60000-60002\n"
				      "txn 7 write 60000-60002\n"
				      "damage copy 5.data[1] 7.data[1]\n");

	ck_assert_str_eq(judge(&j, f, E2LAZY_VERIFY_CONTENT),
			 "relogged-after-revoke 1 copy-of-free 3");
	ck_assert_int_eq(j.worst, E2LAZY_WARNING);
	ck_assert_uint_eq(j.first.fsblk, 60001);
	ck_assert_uint_eq(j.first.tid, 7);
	ck_assert_uint_eq(j.places, j.in_findings);
	close_subject(&j);
}
END_TEST

START_TEST(so_it_is_where_a_block_was_freed_as_it_was_logged)
{
	check_free(NO_CSUM "txn 5 revoke 60000 write 60000\n"
		   "txn 6 write 60000\ndamage copy 5.data 6.data\n",
		   "relogged-after-revoke 1 copy-of-free 1");
}
END_TEST

START_TEST(and_however_often_it_was_copied_forward)
{
	check_free(NO_CSUM "txn 5 write 60000\ntxn 6 revoke 60000\n"
		   "txn 7 write 60000\ntxn 8 write 60000\n"
		   "damage copy 5.data 7.data\ndamage copy 5.data 8.data\n",
		   "relogged-after-revoke 1 copy-of-free 1");
}
END_TEST

/* A later copy replaces it, so its damage raises no question. */
START_TEST(and_if_it_has_lost_its_escape)
{
	check_free(NO_CSUM "txn 5 escape 60000\ntxn 6 revoke 60000\n"
		   "txn 7 write 60000\ndamage copy 5.data 7.data\n",
		   "relogged-after-revoke 1 copy-of-free 1");
}
END_TEST

START_TEST(a_block_in_use_again_with_other_contents_is_not)
{
	check_free("txn 5 write 60000\ntxn 6 revoke 60000\n"
		   "txn 7 write 60000\n", "copy-of-free 1");
	check_free(NO_CSUM "txn 5 write 60000\ntxn 6 revoke 60000\n"
		   "txn 7 write 60000\ndamage copy 5.data 7.data\n"
		   "damage flip 7.data 4095\n", "copy-of-free 1");
}
END_TEST

START_TEST(nor_is_a_copy_of_one_that_was_never_void)
{
	check_free(NO_CSUM "txn 5 write 60000\ntxn 6 revoke 60001\n"
		   "txn 7 write 60000 60001\ndamage copy 5.data 7.data[0]\n",
		   "copy-of-free 2");
	/* some copy is void, this one is of a later life */
	check_free(NO_CSUM "txn 5 write 60000\ntxn 6 revoke 60000\n"
		   "txn 7 write 60000\ntxn 8 write 60000\n"
		   "damage copy 7.data 8.data\n", "copy-of-free 1");
}
END_TEST

START_TEST(only_the_last_void_copy_can_come_back)
{
#define TWO_LIVES NO_CSUM "txn 5 write 60000\ntxn 6 revoke 60000\n" \
	"txn 7 write 60000\ntxn 8 revoke 60000\ntxn 9 write 60000\n"
	check_free(TWO_LIVES "damage copy 7.data 9.data\n",
		   "relogged-after-revoke 1 copy-of-free 1");
	check_free(TWO_LIVES "damage copy 5.data 9.data\n",
		   "copy-of-free 1");
}
END_TEST

START_TEST(without_owners_it_is_not_looked_for)
{
	check_judged(FEATURES, NO_CSUM "txn 5 write 60000\n"
		     "txn 6 revoke 60000\ntxn 7 write 60000\n"
		     "damage copy 5.data 7.data\n", "end-not-proven 1");
}
END_TEST

/* ------------------------------------------------- blocks that are in use */

/* @change NULL: the file system stays as it is. */
static void check_owned(const char *path, const char *change, bool same,
			const char *expect)
{
	struct owned *o = new_owned(FEATURES, "echo text >f1; ln -s " TARGET
				    " link");
	struct judged j = { .f = NULL };
	unsigned long long fsblk = block_of(o, path, 0);
	char spec[256];

	if (change)
		alter(o, change);
	snprintf(spec, sizeof(spec), NO_CSUM "txn 5 write %llu\n"
		 "txn 6 revoke %llu\ntxn 7 write %llu\n%s", fsblk, fsblk,
		 fsblk, same ? "damage copy 5.data 7.data\n" : "");
	write_log(o->f, spec);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT), expect);
	close_subject(&j);
	free_owned(o);
}

START_TEST(over_a_file_it_is_copy_of_data_whatever_it_looks_like)
{
	check_owned("/f1", NULL, true,
		    "copy-of-data 1 relogged-after-revoke 1");
}
END_TEST

START_TEST(other_contents_over_a_file_are_not)
{
	check_owned("/f1", NULL, false, "tag-not-proven 1");
}
END_TEST

START_TEST(a_journaled_file_may_be_written_the_same_again)
{
	check_owned("/f1", "sif /f1 flags 0x84000\n", true, "");
}
END_TEST

/* 7.data is in log block 7, and the void copy in block 2. */
START_TEST(metadata_may_be_made_the_same_again)
{
	struct owned *o = new_owned(FEATURES, "ln -s " TARGET " link");
	unsigned long long fsblk = block_of(o, "/link", 0);
	struct judged j = { .f = NULL };
	char spec[128], target[1024];
	blk64_t at;

	read_block(o, fsblk, target);
	snprintf(spec, sizeof(spec), NO_CSUM "txn 5 write %llu\n"
		 "txn 6 revoke %llu\ntxn 7 write %llu\n", fsblk, fsblk, fsblk);
	write_log(o->f, spec);
	ck_assert_int_eq(try_open(o->f, NULL), 0);
	for (uint32_t logblk = 2; logblk <= 7; logblk += 5) {
		ck_assert_int_eq(e2lazy_physblk(o->f->journal, logblk, &at), 0);
		write_block(o, at, target);
	}
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT), "");
	close_subject(&j);
	free_owned(o);
}
END_TEST

TCase *relogged_tests(void)
{
	TCase *tc = tcase_create("relogged");

	tcase_add_test(tc,
		       a_void_copy_of_a_free_block_logged_again_is_relogged);
	tcase_add_test(tc, so_it_is_where_a_block_was_freed_as_it_was_logged);
	tcase_add_test(tc, and_however_often_it_was_copied_forward);
	tcase_add_test(tc, and_if_it_has_lost_its_escape);
	tcase_add_test(tc, a_block_in_use_again_with_other_contents_is_not);
	tcase_add_test(tc, nor_is_a_copy_of_one_that_was_never_void);
	tcase_add_test(tc, only_the_last_void_copy_can_come_back);
	tcase_add_test(tc, without_owners_it_is_not_looked_for);
	tcase_add_test(tc,
		       over_a_file_it_is_copy_of_data_whatever_it_looks_like);
	tcase_add_test(tc, other_contents_over_a_file_are_not);
	tcase_add_test(tc, a_journaled_file_may_be_written_the_same_again);
	tcase_add_test(tc, metadata_may_be_made_the_same_again);
	return tc;
}
