/* SPDX-License-Identifier: GPL-2.0-only */
/* Static blocks that hold what was logged behind a damage, or went bad. */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judged.h"

#define SIZE 1024

static void put(struct fixture *f, blk64_t block, const void *bytes)
{
	int fd = open(f->image, O_WRONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, bytes, SIZE, (off_t)(block * SIZE)), SIZE);
	close(fd);
}

/* Write the copy at @logblk home, like a kernel. */
static void bring_home(struct fixture *f, blk64_t fsblk, uint32_t logblk,
		       unsigned flags)
{
	char block[SIZE];

	ck_assert_int_eq(e2lazy_read_copy(f->journal, logblk, flags, block), 0);
	put(f, fsblk, block);
}

static void put_in_log(struct fixture *f, uint32_t logblk, const void *bytes)
{
	blk64_t block;

	ck_assert_int_eq(e2lazy_physblk(f->journal, logblk, &block), 0);
	put(f, block, bytes);
}

static void check_found(struct fixture *f, const char *expect)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge(&j, f, 0), expect);
	close_subject(&j);
}

/* Its blocks in the log: 5 at 1 to 4, 6 at 5 to 7, 7 at 8 to 10, 8 at 11. */
#define FOUR "txn 5 write 60000-60001\ntxn 6 write 60000\n" \
	     "txn 7 write 60001\ntxn 8 write 60001 60002\n"
#define BROKEN FOUR "damage csum 6.desc\n"
#define BROKEN_OFF "block-csum 1 later-transactions 1"

START_TEST(a_newest_copy_that_is_home_is_not_given_up)
{
	struct fixture *f = map_of(BROKEN);

	check_found(f, "given-up 2 " BROKEN_OFF);
	bring_home(f, 60002, 13, 0);
	check_found(f, "given-up 1 " BROKEN_OFF);
	bring_home(f, 60001, 12, 0);
	check_found(f, BROKEN_OFF " newer-in-place 1");
}
END_TEST

START_TEST(one_that_is_home_from_between_is_given_up_and_not_undone)
{
	struct fixture *f = map_of(BROKEN);

	bring_home(f, 60001, 9, 0);
	check_found(f, "given-up 2 " BROKEN_OFF " newer-in-place 1");
}
END_TEST

START_TEST(a_block_as_an_older_copy_has_it_is_not_newer)
{
	struct fixture *f = map_of(BROKEN);

	bring_home(f, 60000, 2, 0);
	bring_home(f, 60001, 3, 0);
	check_found(f, "given-up 2 " BROKEN_OFF);
	/* nor does a copy of another block show anything */
	bring_home(f, 60000, 12, 0);
	check_found(f, "given-up 2 " BROKEN_OFF);
}
END_TEST

START_TEST(behind_a_bad_descriptor_a_copy_may_be_of_any_block)
{
	struct fixture *f = map_of(BROKEN);

	bring_home(f, 60000, 6, 0);
	check_found(f, "given-up 2 " BROKEN_OFF " newer-in-place 1");
}
END_TEST

START_TEST(behind_a_lost_descriptor_a_block_may_be_of_the_lap_before)
{
	struct fixture *f = map_of(BROKEN "damage zero 7.desc\n");

	bring_home(f, 60001, 9, 0);
	check_found(f, "given-up 2 " BROKEN_OFF);
}
END_TEST

START_TEST(a_block_of_one_value_is_found_in_too_many_places)
{
	struct fixture *f = map_of(BROKEN);
	char block[SIZE];

	memset(block, 0xff, sizeof(block));
	put_in_log(f, 6, block);
	put(f, 60000, block);
	check_found(f, "given-up 2 " BROKEN_OFF);
	block[SIZE - 1] = 0;
	put_in_log(f, 6, block);
	put(f, 60000, block);
	check_found(f, "given-up 2 " BROKEN_OFF " newer-in-place 1");
}
END_TEST

START_TEST(an_escaped_copy_is_known_by_what_it_was)
{
	struct fixture *f = map_of("txn 5 write 60000\ntxn 6 write 60001\n"
				   "txn 7 escape 60000\n"
				   "damage csum 6.desc\n");

	bring_home(f, 60000, 8, E2LAZY_COPY_ESCAPED);
	check_found(f, BROKEN_OFF " newer-in-place 1");
}
END_TEST

START_TEST(it_goes_round_the_end_of_the_ring)
{
	struct fixture *f = map_of("start end-5\n" BROKEN);

	bring_home(f, 60001, 7, 0);
	check_found(f, "given-up 1 " BROKEN_OFF " newer-in-place 1");
}
END_TEST

/* Of other damage other tools replay what stands before it, and so do we. */
START_TEST(a_log_that_others_replay_is_not_compared)
{
	struct fixture *f = map_of(FOUR "damage zero 6.desc\n");

	bring_home(f, 60001, 9, 0);
	check_found(f, "given-up 2 later-transactions 1");
	f = map_of(FOUR);
	bring_home(f, 60001, 12, 0);
	check_found(f, "");
}
END_TEST

/* The block that is newer stays, and the others come home. */
START_TEST(a_checkpoint_does_not_undo_it)
{
	struct fixture *f = map_of(BROKEN);
	struct judged j = { .f = NULL };
	struct e2lazy_checkpoint_done done;
	struct e2lazy_copy copy;

	bring_home(f, 60001, 9, 0);
	open_subject(&j, f);
	agree(&j);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60001, &copy), 0);
	ck_assert(e2lazy_verdict_leaves_out(j.verdict, &copy));
	ck_assert_int_eq(e2lazy_checkpoint(j.subject.view, j.verdict, NULL,
					   &done, &f->where), 0);
	ck_assert_uint_eq(done.blocks_written, 1);
	ck_assert_uint_eq(done.skipped, 1);
	close_subject(&j);
}
END_TEST

#define GOOD "txn 5 write 60000\ntxn 6 write 60000 escape 60001\n"

START_TEST(a_bad_copy_is_known_in_place_by_its_checksum)
{
	struct fixture *f = map_of(GOOD);

	bring_home(f, 60000, 5, 0);
	bring_home(f, 60001, 6, E2LAZY_COPY_ESCAPED);
	write_log(f, GOOD "damage flip 6.data[0] 100\n"
		     "damage flip 6.data[1] 100\n");
	check_found(f, "bad-copy-at-home 2");
	/* that of an older one it is not */
	bring_home(f, 60000, 2, 0);
	check_found(f, "older-copy 1 bad-copy-at-home 1");
}
END_TEST

/* Nobody can log it again, and no kernel replays what is left. */
START_TEST(a_log_with_such_a_copy_is_not_logged_again)
{
	struct fixture *f = map_of(GOOD);
	struct judged j = { .f = NULL };
	struct e2lazy_checkpoint_done done;

	bring_home(f, 60000, 5, 0);
	write_log(f, GOOD "damage flip 6.data[0] 100\n");
	open_subject(&j, f);
	agree(&j);
	ck_assert_int_eq(e2lazy_relog(j.subject.view, j.verdict, NULL, &done,
				      &f->where), E2LAZY_ET_UNSOUND);
	ck_assert(!done.begun);
	ck_assert_uint_eq(f->where.fsblk, 60000);
	close_subject(&j);
}
END_TEST

START_TEST(sixteen_bits_of_a_checksum_are_too_few_for_that)
{
	struct fixture *f = map_of("journal csum v2\n" GOOD);

	bring_home(f, 60000, 5, 0);
	write_log(f, "journal csum v2\n" GOOD
		     "damage flip 6.data[0] 100\n");
	check_found(f, "older-copy 1");
}
END_TEST

/* Change an inode bitmap as a few new files do. */
START_TEST(the_first_four_bytes_count_too)
{
	struct fixture *f = map_of(BROKEN);

	bring_home(f, 60002, 13, 0);
	flip_static(f, 60002, 0);
	bring_home(f, 60000, 6, 0);
	flip_static(f, 60000, 3);
	check_found(f, "given-up 2 " BROKEN_OFF);
	f = map_of(GOOD);
	bring_home(f, 60001, 6, E2LAZY_COPY_ESCAPED);
	flip_static(f, 60001, 0);
	write_log(f, GOOD "damage flip 6.data[1] 100\n");
	check_found(f, "data-csum 1");
}
END_TEST

/* ------------------------------------------ a map that goes on behind --- */

/* "60000@2/5 60001@12/8": blocks, their copies, their transactions */
static const char *mapped(const char *spec, uint64_t uncommitted)
{
	static char line[512];
	const struct e2lazy_jmap_opts opts = {
		.flags = E2LAZY_JMAP_BEHIND | E2LAZY_JMAP_STATES,
	};
	struct fixture *f = map_of(spec);
	struct e2lazy_jmap *map;
	uint64_t copies = 0;
	size_t n = 0;

	ck_assert_int_eq(e2lazy_jmap_build(f->journal, &opts, &map), 0);
	line[0] = '\0';
	for (size_t i = 0; i < e2lazy_jmap_count(map); i++) {
		struct e2lazy_copy c;

		e2lazy_jmap_get(map, i, &c);
		copies += c.copies;
		n += snprintf(line + n, sizeof(line) - n, "%s%llu@%u/%u",
			      n ? " " : "", (unsigned long long)c.fsblk,
			      c.logblk, c.tid);
	}
	ck_assert_uint_eq(copies, e2lazy_jmap_count(map) +
			  e2lazy_jmap_stats(map)->states[E2LAZY_SUPERSEDED]);
	ck_assert_uint_eq(e2lazy_jmap_stats(map)->states[E2LAZY_UNCOMMITTED],
			  uncommitted);
	e2lazy_jmap_free(map);
	return line;
}

START_TEST(a_map_may_go_on_behind_a_bad_descriptor)
{
	ck_assert_str_eq(mapped(BROKEN, 0),
			 "60000@2/5 60001@12/8 60002@13/8");
	/* and takes what the damaged transaction still names */
	ck_assert_str_eq(mapped("txn 5 write 60000\n"
				"txn 6 perdesc 1 write 60001 60002 60003\n"
				"txn 7 write 60000\ndamage csum 6.desc[1]\n",
				0),
			 "60000@12/7 60001@5/6 60003@9/6");
}
END_TEST

START_TEST(a_revoke_there_voids_what_stands_before_the_damage)
{
	ck_assert_str_eq(mapped("txn 5 write 60000-60001\ntxn 6 write 60003\n"
				"txn 7 revoke 60000 write 60002\n"
				"damage csum 6.desc\n", 0),
			 "60001@3/5 60002@10/7");
}
END_TEST

START_TEST(only_sound_and_committed_copies_are_taken_there)
{
	ck_assert_str_eq(mapped(FOUR "txn 9 write 60000 nocommit\n"
				"damage csum 6.desc\n"
				"damage flip 8.data[0] 9\n", 0),
			 "60000@2/5 60001@9/7 60002@13/8");
}
END_TEST

/* Even if all that is left of the newer one is its commit block. */
START_TEST(an_older_block_behind_a_newer_one_was_copied_there)
{
	ck_assert_str_eq(mapped("txn 5 write 60000\ntxn 6 write 60001\n"
				"txn 7 revoke 60005\n"
				"leftover 6 write 60002\n"
				"damage csum 6.desc\ndamage csum 7.revoke\n",
				0), "60000@2/5");
	ck_assert_str_eq(mapped("txn 5 write 60000\ntxn 6 write 60001\n"
				"txn 7 write 60003\n"
				"leftover 6 write 60002\n"
				"damage csum 6.desc\n", 0),
			 "60000@2/5 60003@8/7");
}
END_TEST

START_TEST(of_other_damage_a_map_ends_there)
{
	ck_assert_str_eq(mapped(FOUR "damage zero 6.desc\n", 0),
			 "60000@2/5 60001@3/5");
	ck_assert_str_eq(mapped(FOUR "damage csum 6.commit\n", 1),
			 "60000@2/5 60001@3/5");
}
END_TEST

START_TEST(a_copy_from_behind_is_newer_than_any_before_it)
{
	struct judged j = { .map_flags = E2LAZY_JMAP_BEHIND };
	struct fixture *f = map_of(BROKEN);

	bring_home(f, 60001, 9, 0);
	ck_assert_str_eq(judge(&j, f, 0), BROKEN_OFF " behind-damage 2");
	bring_home(f, 60001, 12, 0);
	ck_assert_str_eq(judge(&j, f, 0), BROKEN_OFF " behind-damage 2");
	close_subject(&j);
}
END_TEST

/* Written by -y: all that is sound. */
START_TEST(the_verdict_tells_what_comes_from_behind)
{
	struct judged j = { .map_flags = E2LAZY_JMAP_BEHIND };
	struct e2lazy_checkpoint_done done;
	struct fixture *f = map_of(BROKEN);

	ck_assert_str_eq(judge(&j, f, 0), BROKEN_OFF " behind-damage 2");
	agree(&j);
	ck_assert_int_eq(e2lazy_checkpoint(j.subject.view, j.verdict, NULL,
					   &done, &f->where), 0);
	ck_assert_uint_eq(done.blocks_written, 3);
	close_subject(&j);
}
END_TEST

TCase *later_tests(void)
{
	TCase *tc = tcase_create("later");

	tcase_add_test(tc, a_newest_copy_that_is_home_is_not_given_up);
	tcase_add_test(tc,
		one_that_is_home_from_between_is_given_up_and_not_undone);
	tcase_add_test(tc, a_block_as_an_older_copy_has_it_is_not_newer);
	tcase_add_test(tc, behind_a_bad_descriptor_a_copy_may_be_of_any_block);
	tcase_add_test(tc,
		behind_a_lost_descriptor_a_block_may_be_of_the_lap_before);
	tcase_add_test(tc, a_block_of_one_value_is_found_in_too_many_places);
	tcase_add_test(tc, an_escaped_copy_is_known_by_what_it_was);
	tcase_add_test(tc, it_goes_round_the_end_of_the_ring);
	tcase_add_test(tc, a_log_that_others_replay_is_not_compared);
	tcase_add_test(tc, a_checkpoint_does_not_undo_it);
	tcase_add_test(tc, a_bad_copy_is_known_in_place_by_its_checksum);
	tcase_add_test(tc, a_log_with_such_a_copy_is_not_logged_again);
	tcase_add_test(tc, sixteen_bits_of_a_checksum_are_too_few_for_that);
	tcase_add_test(tc, the_first_four_bytes_count_too);
	tcase_add_test(tc, a_map_may_go_on_behind_a_bad_descriptor);
	tcase_add_test(tc, a_revoke_there_voids_what_stands_before_the_damage);
	tcase_add_test(tc, only_sound_and_committed_copies_are_taken_there);
	tcase_add_test(tc, an_older_block_behind_a_newer_one_was_copied_there);
	tcase_add_test(tc, of_other_damage_a_map_ends_there);
	tcase_add_test(tc, a_copy_from_behind_is_newer_than_any_before_it);
	tcase_add_test(tc, the_verdict_tells_what_comes_from_behind);
	return tc;
}
