/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the newest copy of a block is bad, an older one may stand in for it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "home.h"
#include "judged.h"
#include "owned.h"
#include "sick_io.h"

#define THREE "txn 5 write 60000-60003\n" \
	      "txn 6 write 60001 60002\n" \
	      "txn 7 write 60000\n" \
	      "txn 8 write 60001\n"

/* ------------------------------------------------------------ the search */

START_TEST(the_newest_good_copy_is_offered_with_its_place_and_age)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge(&j, map_of(THREE "damage flip 8.data 9\n"), 0),
			 "older-copy 1");
	ck_assert_uint_eq(j.first.fsblk, 60001);
	ck_assert_uint_eq(j.first.tid, 6);
	ck_assert_uint_eq(j.first.logblk, 8);
	ck_assert_int_ne(j.first.has & E2LAZY_AT_AGE, 0);
	ck_assert_uint_eq(j.first.age, 2);
	close_subject(&j);
}
END_TEST

START_TEST(an_older_copy_that_is_bad_itself_is_not_offered)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge(&j, map_of(THREE "damage flip 8.data 9\n"
					  "damage flip 6.data[0] 9\n"), 0),
			 "older-copy 1");
	ck_assert_uint_eq(j.first.tid, 5);
	ck_assert_uint_eq(j.first.age, 3);
	close_subject(&j);
}
END_TEST

START_TEST(without_a_good_one_it_is_data_csum)
{
	check_judged(PLAIN, THREE "damage flip 8.data 9\n"
		     "damage flip 6.data[0] 9\ndamage flip 5.data[1] 9\n",
		     "data-csum 1");
	check_judged(PLAIN, THREE "damage flip 5.data[3] 9\n", "data-csum 1");
}
END_TEST

START_TEST(a_revoked_copy_is_not_offered)
{
	/* Copies of 60001 make the search begin. */
	check_judged(PLAIN, "txn 5 write 60000 60001\n"
		     "txn 6 revoke 60000\ntxn 7 write 60000 60001\n"
		     "damage flip 7.data[0] 9\n", "data-csum 1");
}
END_TEST

START_TEST(one_behind_the_revoke_is)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge(&j, map_of("txn 5 write 60000\n"
					  "txn 6 revoke 60000\n"
					  "txn 7 write 60000\n"
					  "txn 8 write 60000\n"
					  "damage flip 8.data 9\n"), 0),
			 "older-copy 1");
	ck_assert_uint_eq(j.first.tid, 7);
	close_subject(&j);
}
END_TEST

/* jbd2 logs a block once: the first of two is of updates that were given up. */
START_TEST(a_copy_of_the_same_transaction_is_not_offered)
{
	check_judged(PLAIN, "txn 5 write 60000 write 60000\n"
		     "damage flip 5.data[1] 9\n", "data-csum 1 duplicate-tag 1");
}
END_TEST

START_TEST(nor_is_one_that_was_never_committed)
{
	check_judged(PLAIN, "txn 5 write 60000\ntxn 6 write 60000 nocommit\n"
		     "damage flip 5.data 9\n", "data-csum 1 uncommitted-tail 1");
}
END_TEST

START_TEST(sound_and_hopeless_blocks_are_told_apart)
{
	check_judged(PLAIN, THREE "damage flip 8.data 9\n"
		     "damage flip 7.data 9\ndamage flip 5.data[3] 9\n",
		     "older-copy 2 data-csum 1");
}
END_TEST

/* The superblock is merged from log and place, so no copy stands in. */
START_TEST(the_superblock_has_no_stand_in)
{
	struct judged j = { .f = NULL };

	j.no_view = E2LAZY_ET_DATA_CSUM;
	ck_assert_str_eq(judge(&j, map_of("txn 5 write 1 60000\n"
					  "txn 6 write 1\n"
					  "damage flip 6.data 9\n"), 0),
			 "data-csum 1");
	close_subject(&j);
}
END_TEST

/* Without checksums of copies, each readable copy counts. */
START_TEST(an_unreadable_copy_has_a_stand_in_in_every_format)
{
	static const char *const formats[] = { "none", "v2", "v3" };
	char spec[256];

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct judged j = { .f = NULL };
		struct fixture *f;
		struct e2lazy_copy copy;

		snprintf(spec, sizeof(spec), "journal csum %s\n" THREE,
			 formats[i]);
		f = map_of(spec);
		ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60001, &copy), 0);
		drop(f);
		sick_begin(copy.physblk);
		j.open.manager = sick_io_manager;
		ck_assert_str_eq(judge(&j, f, 0), "older-copy 1");
		ck_assert_uint_eq(j.first.tid, 6);
		close_subject(&j);
		sick_begin(0);
	}
}
END_TEST

START_TEST(many_bad_copies_all_find_their_own)
{
	char *spec = malloc(400000);
	size_t n = 0;
	struct judged j = { .f = NULL };

	n += sprintf(spec, "start end-77\n"
		     "bulk 5 tags 300 from 60000 mod 300 tid 5 whole\n");
	for (unsigned i = 0; i < 300; i++)
		for (unsigned tid = 9; tid > 9 - i % 4; tid--)
			n += sprintf(spec + n, "damage flip %u.data[%u] 9\n",
				     tid, i);
	ck_assert_str_eq(judge(&j, map_of_fs("-b 1024 -J size=4 -O "
					     "64bit,metadata_csum", spec), 0),
			 "older-copy 225");
	ck_assert_uint_eq(j.places, 225);
	close_subject(&j);
	free(spec);
}
END_TEST

/* A file's block, which looks like a node of an extent tree. */
#define NODE_FILE "mkdir d; { printf '\\012\\363\\001\\000\\124'; " \
		  "head -c 1019 /dev/zero; } >f2"

static blk64_t place_of(struct fixture *f, uint32_t logblk)
{
	blk64_t physblk;

	read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_physblk(f->journal, logblk, &physblk), 0);
	return physblk;
}

/* The live copy, log block 5, cannot be read, and nobody could judge it. */
START_TEST(metadata_does_not_stand_in_over_a_file)
{
	struct owned *o = new_owned("-O ^metadata_csum", NODE_FILE);
	blk64_t fsblk = block_of(o, "/f2", 0);
	struct judged j = { .f = NULL };
	const struct e2lazy_copy live = { .fsblk = fsblk };
	struct e2lazy_copy older;
	char spec[64], block[1024];

	snprintf(spec, sizeof(spec), "txn 5 write %llu\ntxn 6 write %llu\n",
		 (unsigned long long)fsblk, (unsigned long long)fsblk);
	write_log(o->f, spec);
	read_block(o, fsblk, block);
	write_block(o, place_of(o->f, 2), block);
	sick_begin(place_of(o->f, 5));
	j.open.manager = sick_io_manager;
	drop(o->f);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT),
			 "older-copy 1 copy-of-data 1");
	ck_assert(!e2lazy_verdict_stand_in(j.verdict, &live, &older));
	ck_assert(e2lazy_verdict_leaves_out(j.verdict, &live));
	ck_assert_int_eq(e2lazy_verdict_answer(j.verdict,
			 e2lazy_problem_find("copy-of-data"),
			 E2LAZY_OTHERWISE), 0);
	ck_assert(e2lazy_verdict_stand_in(j.verdict, &live, &older));
	ck_assert_uint_eq(older.logblk, 2);
	ck_assert_uint_eq(older.tid, 5);
	close_subject(&j);
	sick_begin(0);
	free_owned(o);
}
END_TEST

/* -------------------------------------------------------- what is written */

static void check_block(const struct home *h, blk64_t fsblk,
			const char *expect)
{
	char *block = calloc(1, h->size + 1);
	FILE *image = fopen(h->f->image, "r");

	ck_assert_int_eq(fseeko(image, (off_t)(fsblk * h->size), SEEK_SET), 0);
	ck_assert_uint_eq(fread(block, 1, h->size, image), h->size);
	ck_assert_msg(!strncmp(block, expect, strlen(expect)),
		      "block %llu holds \"%.30s\", not \"%s\"",
		      (unsigned long long)fsblk, block, expect);
	fclose(image);
	free(block);
}

static void answer(struct home *h, enum e2lazy_answer answer)
{
	ck_assert_int_eq(e2lazy_verdict_answer(h->verdict,
			 e2lazy_problem_find("older-copy"), answer), 0);
}

#define BAD THREE "damage flip 8.data 9\ndamage flip 7.data 9\n" \
		  "damage flip 5.data[3] 9\n"

static void check_all(struct home *h, const char *first, const char *second)
{
	ck_assert(h->done.sealed);
	check_block(h, 60000, first);
	check_block(h, 60001, second);
	check_block(h, 60002, "fsblk 60002 tid 6\n");
	check_block(h, 60003, "");
	home_check_empty(h);
}

/* Once with the copies in memory, once from the log. */
START_TEST(a_yes_writes_the_older_copy_home)
{
	struct home h;

	home_begin(&h, map_of(BAD));
	if (_i)
		ck_assert_int_eq(e2lazy_view_keep(h.view, 1 << 30, NULL),
				 0);
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_eq(h.done.skipped, 1);
	ck_assert_uint_eq(h.done.blocks_written, 3);
	check_all(&h, "fsblk 60000 tid 5\n", "fsblk 60001 tid 6\n");
	home_end(&h);
}
END_TEST

START_TEST(the_other_answer_leaves_the_block_as_it_is_in_place)
{
	static const char zeros[4];
	struct home h;
	char block[4];
	FILE *image;

	home_begin(&h, map_of(BAD));
	answer(&h, E2LAZY_OTHERWISE);
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_eq(h.done.skipped, 3);
	check_all(&h, "", "");
	image = fopen(h.f->image, "r");
	ck_assert_int_eq(fseeko(image, (off_t)(60001 * h.size), SEEK_SET), 0);
	ck_assert_uint_eq(fread(block, 1, 4, image), 4);
	ck_assert_mem_eq(block, zeros, 4);
	fclose(image);
	home_end(&h);
}
END_TEST

START_TEST(a_no_writes_nothing)
{
	struct home h;

	home_begin(&h, map_of(BAD));
	answer(&h, E2LAZY_NO);
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_CONSENT);
	ck_assert_uint_eq(h.recording.nr, 0);
	home_end(&h);
}
END_TEST

START_TEST(an_escaped_one_is_unescaped)
{
	struct home h;

	home_begin(&h, map_of("txn 5 escape 60000\ntxn 6 write 60000\n"
			      "damage flip 6.data 9\n"));
	ck_assert_int_eq(home_write(&h), 0);
	check_block(&h, 60000, "\xc0\x3b\x39\x98" "k 60000 tid 5\n");
	home_end(&h);
}
END_TEST

/* It has gone bad since it was judged. */
START_TEST(a_stand_in_is_verified_as_it_is_written)
{
	struct home h;
	struct e2lazy_event ev;
	struct e2lazy_walk *walk;
	blk64_t physblk = 0;
	FILE *image;

	home_begin(&h, map_of(BAD));
	ck_assert_int_eq(e2lazy_walk_open(h.f->journal, NULL, 0, 0, &walk), 0);
	do {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_TAG && ev.fsblk == 60001 &&
		    ev.tid == 6)
			e2lazy_physblk(h.f->journal, ev.logblk, &physblk);
	} while (ev.kind != E2LAZY_EV_END);
	e2lazy_walk_close(walk);
	image = fopen(h.f->image, "r+");
	ck_assert_int_eq(fseeko(image, (off_t)(physblk * h.size + 9),
				SEEK_SET), 0);
	ck_assert_int_ne(fputc('!', image), EOF);
	fclose(image);
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_DATA_CSUM);
	ck_assert(!h.done.sealed);
	ck_assert_uint_eq(h.done.failed, 1);
	home_end(&h);
}
END_TEST

START_TEST(a_plan_reads_the_stand_ins_too)
{
	struct e2lazy_plan_opts opts = { .memory = 1 << 30 };
	struct e2lazy_plan plan;
	struct judged j = { .f = NULL };

	open_subject(&j, map_of(BAD));
	agree(&j);
	ck_assert_int_eq(e2lazy_plan(&j.subject, j.verdict, &opts, &plan), 0);
	ck_assert_uint_eq(plan.blocks, 3);
	ck_assert_uint_eq(plan.skipped, 1);
	/* Log blocks 2 to 9: 60000 of transaction 5 to 60002 of 6. */
	ck_assert_uint_eq(plan.read_bytes, 8 * 1024);
	close_subject(&j);
}
END_TEST

TCase *older_tests(void)
{
	TCase *tc = tcase_create("older");

	tcase_add_test(tc,
		the_newest_good_copy_is_offered_with_its_place_and_age);
	tcase_add_test(tc, an_older_copy_that_is_bad_itself_is_not_offered);
	tcase_add_test(tc, without_a_good_one_it_is_data_csum);
	tcase_add_test(tc, a_revoked_copy_is_not_offered);
	tcase_add_test(tc, one_behind_the_revoke_is);
	tcase_add_test(tc, a_copy_of_the_same_transaction_is_not_offered);
	tcase_add_test(tc, nor_is_one_that_was_never_committed);
	tcase_add_test(tc, sound_and_hopeless_blocks_are_told_apart);
	tcase_add_test(tc, the_superblock_has_no_stand_in);
	tcase_add_test(tc, an_unreadable_copy_has_a_stand_in_in_every_format);
	tcase_add_test(tc, many_bad_copies_all_find_their_own);
	tcase_add_test(tc, metadata_does_not_stand_in_over_a_file);
	tcase_add_loop_test(tc, a_yes_writes_the_older_copy_home, 0, 2);
	tcase_add_test(tc,
		       the_other_answer_leaves_the_block_as_it_is_in_place);
	tcase_add_test(tc, a_no_writes_nothing);
	tcase_add_test(tc, an_escaped_one_is_unescaped);
	tcase_add_test(tc, a_stand_in_is_verified_as_it_is_written);
	tcase_add_test(tc, a_plan_reads_the_stand_ins_too);
	return tc;
}
