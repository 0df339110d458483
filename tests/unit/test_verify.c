/* SPDX-License-Identifier: GPL-2.0-only */
/* The findings in logs with one fault, and in sound logs. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"
#include "sick_io.h"

/* Text as copies: no checksum is in the way of copying one to another. */
#define NO_CSUM "journal csum none\n"

/* ---------------------------------------------------------- a sound log */

START_TEST(a_sound_log_has_no_findings)
{
	check_judged(PLAIN, "txn 5 write 60000-60004\n"
		     "txn 6 write 60001 60020 escape 60021 revoke 60010\n", "");
	check_judged(PLAIN, "", "");
	check_judged("-b 4096 -J size=4 -O ^metadata_csum",
		     "start end-3\ntxn 5 write 60000-60004\n", "");
}
END_TEST

START_TEST(nor_has_the_log_of_a_kernel)
{
	struct fixture *f = new_fixture();
	struct judged j = { .f = NULL };
	char line[1024];

	snprintf(line, sizeof(line), "xz -dc '%s/demo.img.xz' >'%s'",
		 getenv("FIXTURES"), f->image);
	shell(f, line);
	ck_assert_str_eq(judge(&j, f, E2LAZY_VERIFY_CONTENT), "");
	ck_assert_uint_gt(e2lazy_jmap_count(f->map), 100);
	close_subject(&j);
}
END_TEST

START_TEST(a_log_of_an_earlier_time_is_not_judged)
{
	struct judged j = { .f = NULL };
	struct e2lazy_verify_opts opts = { .flags = 0 };

	open_subject(&j, map_of("txn 5 write 60000\ntxn 6 write 60001\n"));
	read_map(j.f, E2LAZY_WALK_UNTIL, 5);
	j.subject.map = j.f->map;
	ck_assert_int_eq(e2lazy_verify(&j.subject, &opts, &j.verdict),
			 EXT2_ET_INVALID_ARGUMENT);
	close_subject(&j);
}
END_TEST

/* ------------------------------------------------- how the log breaks off */

#define THREE "txn 5 write 60000\ntxn 6 revoke 60009 write 60001\n" \
	      "txn 7 write 60002\n"

START_TEST(a_bad_descriptor_is_block_csum)
{
	check_judged(PLAIN, THREE "damage csum 6.desc\n",
		     "given-up 1 block-csum 1 later-transactions 1");
}
END_TEST

START_TEST(a_bad_commit_block_is_commit_csum)
{
	check_judged(PLAIN, THREE "damage csum 7.commit\n",
		     "given-up 1 commit-csum 1");
}
END_TEST

START_TEST(an_impossible_count_is_revoke_count)
{
	check_judged(PLAIN, THREE "damage count 6.revoke 5000\n",
		     "given-up 2 revoke-count 1 later-transactions 1");
}
END_TEST

START_TEST(an_unknown_type_is_block_type)
{
	check_judged(PLAIN, THREE "damage type 7.desc 9\n",
		     "block-type 1 later-transactions 1");
}
END_TEST

START_TEST(a_hole_is_later_transactions)
{
	check_judged(PLAIN, THREE "damage zero 6.desc\n",
		     "given-up 1 later-transactions 1");
}
END_TEST

START_TEST(a_transaction_begun_is_a_note)
{
	check_judged(PLAIN, THREE "txn 8 write 60001 nocommit\n",
		     "uncommitted-tail 1");
}
END_TEST

START_TEST(a_torn_commit_block_is_a_note)
{
	check_judged(PLAIN, THREE "damage torn 6.commit\n", "torn-commit 1");
}
END_TEST

START_TEST(a_ring_without_room_is_full)
{
	check_judged(PLAIN, "bulk 341 tags 1 from 60000 step 1\n", "full 1");
}
END_TEST

/* ------------------------------------------------------- what it says */

START_TEST(a_block_twice_in_a_transaction_is_duplicate_tag)
{
	check_judged(PLAIN, "txn 5 write 60000 60001 write 60000\n"
		     "txn 6 write 60001\n", "duplicate-tag 1");
}
END_TEST

START_TEST(what_was_not_committed_is_not_judged)
{
	check_judged(PLAIN, "txn 5 write 60000\n"
		     "txn 6 write 60001 write 60001 deleted 60002 nocommit\n",
		     "uncommitted-tail 1");
}
END_TEST

START_TEST(a_tag_marked_deleted_is_deleted_tag)
{
	check_judged(PLAIN, "txn 5 deleted 60000-60001\n", "deleted-tag 2");
}
END_TEST

START_TEST(a_tag_beyond_the_file_system_is_tag_outside)
{
	check_judged(PLAIN, "txn 5 write 60000 70000\ntxn 6 write 70000\n",
		     "tag-outside 2");
}
END_TEST

START_TEST(beyond_it_but_on_its_device_too)
{
	struct fixture *f = new_fixture();
	struct judged j = { .f = NULL };

	make_image(f, "64M", PLAIN, NULL);
	shell(f, "truncate -s 80M %s");
	write_log(f, "txn 5 write 60000 70000 70001\n"
		  "txn 6 revoke 70001\n");
	ck_assert_str_eq(judge(&j, f, 0), "tag-outside 1");
	close_subject(&j);
}
END_TEST

START_TEST(a_tag_on_the_journal_is_tag_in_journal)
{
	check_judged(PLAIN, "txn 5 write 60000-60001\n"
		     "damage tag 5.desc 0 journal\n", "tag-in-journal 1");
}
END_TEST

START_TEST(a_tag_on_a_backup_is_a_note)
{
	check_judged(PLAIN, "txn 5 write 8193-8194\n", "tag-on-backup 2");
}
END_TEST

/* -------------------------------------------------------- single copies */

START_TEST(a_bad_live_copy_is_data_csum)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge(&j, map_of("txn 5 write 60000-60004\n"
					  "damage flip 5.data[2] 9\n"), 0),
			 "data-csum 1");
	ck_assert_uint_eq(j.first.has, E2LAZY_AT_FSBLK | E2LAZY_AT_LOGBLK |
				       E2LAZY_AT_TID);
	ck_assert_uint_eq(j.first.fsblk, 60002);
	ck_assert_uint_eq(j.first.tid, 5);
	ck_assert_int_eq(j.first.volume, E2LAZY_JOURNAL);
	ck_assert_uint_eq(j.places, 1);
	close_subject(&j);
}
END_TEST

START_TEST(a_bad_copy_that_is_superseded_is_none)
{
	check_judged(PLAIN, "txn 5 write 60000-60004\ntxn 6 write 60002\n"
		     "damage flip 5.data[2] 9\n", "");
}
END_TEST

/* Judge with a log block that cannot be read. */
static const char *judge_sick(struct judged *j, const char *spec,
			      uint32_t logblk)
{
	blk64_t block;

	j->open.manager = sick_io_manager;
	j->f = map_of(spec);
	ck_assert_int_eq(e2lazy_physblk(j->f->journal, logblk, &block), 0);
	sick_begin(block);
	return judge(j, j->f, 0);
}

START_TEST(a_live_copy_that_cannot_be_read_is_unreadable)
{
	struct judged j = { .f = NULL };

	/* the descriptor is log block 1 */
	ck_assert_str_eq(judge_sick(&j, "txn 5 write 60000-60004\n", 4),
			 "unreadable 1");
	ck_assert_uint_eq(j.first.fsblk, 60002);
	ck_assert_int_eq(j.error, EXT2_ET_SHORT_READ);
	close_subject(&j);
}
END_TEST

START_TEST(its_neighbours_are_judged_all_the_same)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge_sick(&j, "txn 5 write 60000-60004\n"
				    "damage flip 5.data[4] 9\n", 4),
			 "unreadable 1 data-csum 1");
	close_subject(&j);
}
END_TEST

START_TEST(so_is_a_block_of_the_log_itself)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge_sick(&j, "txn 5 write 60000\n"
				    "txn 6 write 60001\n", 4),
			 "unreadable 1 later-transactions 1");
	ck_assert_uint_eq(j.first.has, E2LAZY_AT_LOGBLK | E2LAZY_AT_TID);
	ck_assert_uint_eq(j.first.logblk, 4);
	close_subject(&j);
}
END_TEST

START_TEST(a_copy_forward_without_its_mark_is_lost_escape)
{
	check_judged(PLAIN, NO_CSUM "txn 5 escape 60000-60001\n"
		     "txn 6 write 60000-60001\n"
		     "damage copy 5.data[1] 6.data[1]\n", "lost-escape 1");
}
END_TEST

START_TEST(a_block_that_has_changed_is_none)
{
	check_judged(PLAIN, "txn 5 escape 60000 escape 60001\n"
		     "txn 6 write 60000\n", "");
	check_judged(PLAIN, NO_CSUM "txn 5 escape 60000\n"
		     "txn 6 write 60000\ndamage zero 6.data\n", "");
	check_judged(PLAIN, NO_CSUM "txn 5 escape 60000\n"
		     "txn 6 write 60000\ndamage copy 5.data 6.data\n"
		     "damage flip 6.data 0\n", "");
}
END_TEST

START_TEST(nor_is_a_copy_forward_with_its_mark)
{
	check_judged(PLAIN, NO_CSUM "txn 5 escape 60000\n"
		     "txn 6 escape 60000\ndamage copy 5.data 6.data\n", "");
}
END_TEST

START_TEST(a_superblock_in_place_that_is_newer_is_a_note)
{
	struct judged j = { .f = NULL };
	struct fixture *f = map_of_fs("-b 1024 -J size=1 -O ^metadata_csum",
				      "txn 5 write 1\n");

	put_real(f, 1);
	ck_assert_str_eq(judge(&j, f, 0), "");
	flip_static(f, 1, 0x274);	/* s_wtime_hi */
	ck_assert_str_eq(judge(&j, f, 0), "superblock-newer 1");
	close_subject(&j);
}
END_TEST

START_TEST(superblocks_that_contradict_each_other_are_asked_about)
{
	struct judged j = { .f = NULL };
	struct fixture *f = map_of_fs("-b 1024 -J size=1 -O ^metadata_csum",
				      "txn 5 write 1\n");

	put_real(f, 1);
	flip_static(f, 1, 0x274);	/* s_wtime_hi */
	flip_static(f, 1, 0x240);	/* s_usr_quota_inum */
	ck_assert_str_eq(judge(&j, f, 0), "super-contradicted 1");
	close_subject(&j);
}
END_TEST

START_TEST(a_superblock_that_is_none_is_super_foreign)
{
	struct judged j = { .no_view = EXT2_ET_CORRUPT_SUPERBLOCK };

	ck_assert_str_eq(judge(&j, map_of("txn 5 write 1 60000\n"),
			       E2LAZY_VERIFY_CONTENT), "super-foreign 1");
	close_subject(&j);
}
END_TEST

START_TEST(without_a_view_the_log_is_judged_all_the_same)
{
	struct judged j = { .no_view = E2LAZY_ET_DATA_CSUM };

	ck_assert_str_eq(judge(&j, map_of("txn 5 write 1 60000\n"
					  "damage flip 5.data 9\n"),
			       E2LAZY_VERIFY_CONTENT), "data-csum 1");
	ck_assert_uint_eq(j.first.fsblk, 1);
	close_subject(&j);
}
END_TEST

/* ---------------------------------------------------- state of the whole */

START_TEST(an_error_the_kernel_has_noted_is_errno)
{
	check_judged(PLAIN, "txn 5 write 60000\nsuper errno -5\n", "errno 1");
}
END_TEST

START_TEST(needs_recovery_without_a_log_is_a_note)
{
	check_judged(PLAIN, "needs_recovery on\n", "recovery-of-nothing 1");
}
END_TEST

/* s_last_orphan, and orphan_present of s_feature_ro_compat */
START_TEST(orphans_are_a_note)
{
	static const char *const commands[] = { "ssv last_orphan 12",
						"feature orphan_present" };

	no_orphan_file();	/* an empty one needs no note */
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands);
	     i++) {
		char line[128];
		struct judged j = { .f = NULL };
		struct fixture *f = map_of_fs("-b 1024 -J size=1 "
					      "-O ^metadata_csum",
					      "txn 5 write 60000\n");

		ck_assert_str_eq(judge(&j, f, 0), "");
		snprintf(line, sizeof(line), "debugfs -w -R '%s' %%s >/dev/null",
			 commands[i]);
		shell(f, line);
		ck_assert_str_eq(judge(&j, f, 0), "orphans 1");
		close_subject(&j);
	}
}
END_TEST

START_TEST(orphans_of_the_log_are_those_that_count)
{
	struct judged j = { .f = NULL };
	struct fixture *f = map_of_fs("-b 1024 -J size=1 -O ^metadata_csum",
				      "txn 5 write 1\n");

	put_real(f, 1);
	flip_static(f, 1, 0xe8);
	ck_assert_str_eq(judge(&j, f, 0), "");
	close_subject(&j);
}
END_TEST

START_TEST(places_are_counted_for_who_does_not_ask_for_them)
{
	struct judged j = { .no_places = true };

	ck_assert_str_eq(judge(&j, map_of("txn 5 write 8193-8194\n"
					  "txn 6 deleted 60000-60002\n"), 0),
			 "deleted-tag 3 tag-on-backup 2");
	ck_assert_uint_eq(j.first.fsblk, 60000);
	close_subject(&j);
}
END_TEST

/* Write a live copy home, like the kernel's cleaner. */
static void write_home(struct fixture *f, blk64_t fsblk)
{
	struct e2lazy_copy copy;
	char line[1024];

	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, fsblk, &copy), 0);
	snprintf(line, sizeof(line), "dd if=%s of=%s bs=1024 count=1 "
		 "conv=notrunc skip=%llu seek=%llu", f->image, f->image,
		 (unsigned long long)copy.physblk, (unsigned long long)fsblk);
	shell(f, line);
}

START_TEST(what_a_mount_would_lose_is_wiped_on_mount)
{
	struct judged j = { .f = NULL };
	struct fixture *f = map_of("needs_recovery off\n"
				   "txn 5 write 60000-60004 60010\n");

	ck_assert_str_eq(judge(&j, f, 0), "wiped-on-mount 6");
	ck_assert_uint_eq(j.first.fsblk, 60000);
	write_home(f, 60000);
	write_home(f, 60003);
	ck_assert_str_eq(judge(&j, f, 0), "wiped-on-mount 4");
	ck_assert_uint_eq(j.first.fsblk, 60001);
	close_subject(&j);
}
END_TEST

/* It is in both places, and in place it always differs a little. */
START_TEST(of_the_superblock_it_is_not_said)
{
	struct judged j = { .f = NULL };
	struct fixture *f = map_of_fs("-b 1024 -J size=1 -O ^metadata_csum",
				      "needs_recovery off\n"
				      "txn 5 write 1 60000\n");

	put_real(f, 1);
	flip_copy(f, 1, 0x78);	/* s_volume_name */
	ck_assert_str_eq(judge(&j, f, 0), "wiped-on-mount 1");
	ck_assert_uint_eq(j.first.fsblk, 60000);
	close_subject(&j);
}
END_TEST

START_TEST(nor_of_a_copy_that_cannot_be_had)
{
	struct judged j = { .f = NULL };
	struct fixture *f = map_of("needs_recovery off\n"
				   "txn 5 write 60000-60001\n"
				   "damage flip 5.data[1] 9\n");

	flip_static(f, 60001, 9);
	ck_assert_str_eq(judge(&j, f, 0), "wiped-on-mount 1 data-csum 1");
	close_subject(&j);
}
END_TEST

START_TEST(a_backup_superblock_does_not_say_so)
{
	struct judged j = { .f = NULL };

	j.open.superblock = 8193;
	j.open.blocksize = 1024;
	ck_assert_str_eq(judge(&j, map_of("txn 5 write 60000\n"), 0), "");
	ck_assert(!e2lazy_geometry(j.f->journal)->needs_recovery);
	close_subject(&j);
}
END_TEST

START_TEST(a_journal_found_by_its_backup_alone_is_journal_inode_lost)
{
	check_judged(PLAIN, "txn 5 write 60000\ndamage inode8 clear\n",
		     "journal-inode-lost 1");
	/* nothing is lost with an empty one, but no kernel mounts it */
	check_judged(PLAIN, "damage inode8 clear\n", "journal-inode-lost 1");
}
END_TEST

START_TEST(an_image_that_was_cut_off_is_device_short)
{
	struct judged j = { .f = NULL };
	struct fixture *f = map_of("txn 5 write 60000\n");

	shell(f, "truncate -s 63M %s");
	ck_assert_str_eq(judge(&j, f, 0), "device-short 1");
	close_subject(&j);
}
END_TEST

/* ------------------------------------------------------------- progress */

static errcode_t stop(void *priv, enum e2lazy_phase phase, uint64_t done,
		      uint64_t total)
{
	unsigned *calls = priv;

	(void)phase;
	ck_assert_uint_le(done, total);
	++*calls;
	return E2LAZY_ET_CANCELLED;
}

START_TEST(who_is_told_of_progress_can_end_it)
{
	struct judged j = { .f = NULL };
	unsigned calls = 0;
	const struct e2lazy_watch watch = { .progress = stop, .priv = &calls };
	struct e2lazy_verify_opts opts = { .watch = &watch };

	open_subject(&j, map_of_fs("-b 1024 -J size=4",
				   "txn 5 write 60000-62000 write 60000\n"));
	ck_assert_int_eq(e2lazy_verify(&j.subject, &opts, &j.verdict),
			 E2LAZY_ET_CANCELLED);
	ck_assert_uint_eq(calls, 1);
	ck_assert_ptr_null(j.verdict);
	close_subject(&j);
}
END_TEST

TCase *verify_tests(void)
{
	TCase *tc = tcase_create("verify");

	tcase_add_test(tc, a_sound_log_has_no_findings);
	tcase_add_test(tc, nor_has_the_log_of_a_kernel);
	tcase_add_test(tc, a_log_of_an_earlier_time_is_not_judged);
	tcase_add_test(tc, a_bad_descriptor_is_block_csum);
	tcase_add_test(tc, a_bad_commit_block_is_commit_csum);
	tcase_add_test(tc, an_impossible_count_is_revoke_count);
	tcase_add_test(tc, an_unknown_type_is_block_type);
	tcase_add_test(tc, a_hole_is_later_transactions);
	tcase_add_test(tc, a_transaction_begun_is_a_note);
	tcase_add_test(tc, a_torn_commit_block_is_a_note);
	tcase_add_test(tc, a_ring_without_room_is_full);
	tcase_add_test(tc, a_block_twice_in_a_transaction_is_duplicate_tag);
	tcase_add_test(tc, what_was_not_committed_is_not_judged);
	tcase_add_test(tc, a_tag_marked_deleted_is_deleted_tag);
	tcase_add_test(tc, a_tag_beyond_the_file_system_is_tag_outside);
	tcase_add_test(tc, beyond_it_but_on_its_device_too);
	tcase_add_test(tc, a_tag_on_the_journal_is_tag_in_journal);
	tcase_add_test(tc, a_tag_on_a_backup_is_a_note);
	tcase_add_test(tc, a_bad_live_copy_is_data_csum);
	tcase_add_test(tc, a_bad_copy_that_is_superseded_is_none);
	tcase_add_test(tc, a_live_copy_that_cannot_be_read_is_unreadable);
	tcase_add_test(tc, its_neighbours_are_judged_all_the_same);
	tcase_add_test(tc, so_is_a_block_of_the_log_itself);
	tcase_add_test(tc, a_copy_forward_without_its_mark_is_lost_escape);
	tcase_add_test(tc, a_block_that_has_changed_is_none);
	tcase_add_test(tc, nor_is_a_copy_forward_with_its_mark);
	tcase_add_test(tc, a_superblock_in_place_that_is_newer_is_a_note);
	tcase_add_test(tc, superblocks_that_contradict_each_other_are_asked_about);
	tcase_add_test(tc, a_superblock_that_is_none_is_super_foreign);
	tcase_add_test(tc, without_a_view_the_log_is_judged_all_the_same);
	tcase_add_test(tc, an_error_the_kernel_has_noted_is_errno);
	tcase_add_test(tc, needs_recovery_without_a_log_is_a_note);
	tcase_add_test(tc, orphans_are_a_note);
	tcase_add_test(tc, orphans_of_the_log_are_those_that_count);
	tcase_add_test(tc,
		       places_are_counted_for_who_does_not_ask_for_them);
	tcase_add_test(tc, what_a_mount_would_lose_is_wiped_on_mount);
	tcase_add_test(tc, of_the_superblock_it_is_not_said);
	tcase_add_test(tc, nor_of_a_copy_that_cannot_be_had);
	tcase_add_test(tc, a_backup_superblock_does_not_say_so);
	tcase_add_test(tc,
		       a_journal_found_by_its_backup_alone_is_journal_inode_lost);
	tcase_add_test(tc, an_image_that_was_cut_off_is_device_short);
	tcase_add_test(tc, who_is_told_of_progress_can_end_it);
	return tc;
}
