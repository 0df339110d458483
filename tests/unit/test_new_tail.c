/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the tail of a log may move to, and what keeps it where it is. */

#include <stdio.h>

#include "home.h"
#include "judged.h"
#include "owned.h"
#include "scarce.h"

static const struct {
	enum e2lazy_tail_by by;
	uint64_t	least;
	uint32_t	txns, blocks;
	bool		enough;
} wanted[] = {
	{ E2LAZY_TAIL_TIDS, 0, 0, 0, true },
	{ E2LAZY_TAIL_TIDS, 1, 1, 8, true },
	{ E2LAZY_TAIL_TIDS, 4, 4, 23, true },
	{ E2LAZY_TAIL_TIDS, 5, 4, 23, false },
	{ E2LAZY_TAIL_BLOCKS, 8, 1, 8, true },
	{ E2LAZY_TAIL_BLOCKS, 9, 2, 14, true },
	{ E2LAZY_TAIL_BLOCKS, 1000, 4, 23, false },
	{ E2LAZY_TAIL_FREE, 97, 0, 0, true },
	{ E2LAZY_TAIL_FREE, 98, 1, 8, true },
	{ E2LAZY_TAIL_FREE, 100, 4, 23, false },
};

/* The ring has 1023 blocks, the log 27 of them. */
START_TEST(the_new_tail_is_the_first_that_frees_enough)
{
	const uint32_t tids[] = { 5, 6, 7, 8, 9 };
	struct e2lazy_tail tail;
	struct home h;

	home_begin(&h, map_of(FIVE));
	tail = home_tail(&h, wanted[_i].by, wanted[_i].least);
	ck_assert_uint_eq(tail.txns, wanted[_i].txns);
	ck_assert_uint_eq(tail.blocks, wanted[_i].blocks);
	ck_assert_int_eq(tail.enough, wanted[_i].enough);
	ck_assert_uint_eq(tail.tid, tids[tail.txns]);
	ck_assert_uint_eq(tail.free_before, 1023 - 27);
	ck_assert_uint_eq(tail.free_blocks, 1023 - 27 + tail.blocks);
	home_end(&h);
}
END_TEST

START_TEST(copies_that_go_home_and_copies_that_are_dropped_are_counted)
{
	struct e2lazy_tail tail;
	struct home h;

	home_begin(&h, map_of(FIVE));
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 2);
	ck_assert_uint_eq(tail.live, 5);	/* 60000-2, 60020-1 */
	ck_assert_uint_eq(tail.dropped, 4);
	home_end(&h);
}
END_TEST

/* Of 2,004 copies that are live, four go home: no memory for all the others. */
START_TEST(only_copies_that_go_home_take_memory)
{
	struct e2lazy_tail tail;
	struct home h;

	home_begin(&h, map_of_fs("-b 4096 -J size=16",
				 "txn 5 write 60000-60003\n"
				 "txn 6 write 60100-62099\n"));
	ck_assert_uint_eq(h.live, 2004);
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 1);
	h.opts.tail = &tail;
	h.opts.memory = 1 << 20;
	scarce_most_bytes();
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_eq(h.done.blocks_written, 4);
	ck_assert_uint_le(scarce_most_bytes(), 2004 * 4096 / 2);
	home_end(&h);
}
END_TEST

START_TEST(an_empty_log_has_no_transaction_to_free)
{
	struct e2lazy_tail tail;
	struct e2lazy_subject subject;
	struct home h;

	home_begin(&h, map_of(""));
	subject = (struct e2lazy_subject){ h.f->journal, h.f->map, h.layout,
					    h.view };
	ck_assert_int_eq(e2lazy_tail_find(&subject,
			 &(struct e2lazy_tail_want){ E2LAZY_TAIL_TIDS, 1 },
			 &tail), E2LAZY_ET_EMPTY_LOG);
	home_end(&h);
}
END_TEST

/* ---------------------------------------------------------- refusals --- */

static errcode_t try_tail(struct home *h, const struct e2lazy_tail *tail)
{
	errcode_t err;

	h->opts.tail = tail;
	err = home_write(h);
	ck_assert_uint_eq(h->recording.nr, 0);
	ck_assert(!h->done.begun);
	return err;
}

START_TEST(a_tail_that_is_none_of_this_log_is_refused)
{
	struct e2lazy_tail tail, wrong;
	struct home h;

	home_begin(&h, map_of(FIVE));
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 2);
	wrong = tail;
	wrong.start++;
	ck_assert_int_eq(try_tail(&h, &wrong), EXT2_ET_INVALID_ARGUMENT);
	wrong = tail;
	wrong.tid++;
	ck_assert_int_eq(try_tail(&h, &wrong), EXT2_ET_INVALID_ARGUMENT);
	wrong = tail;
	wrong.txns = 5;
	ck_assert_int_eq(try_tail(&h, &wrong), EXT2_ET_INVALID_ARGUMENT);
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 0);
	ck_assert_int_eq(try_tail(&h, &tail), EXT2_ET_INVALID_ARGUMENT);
	home_end(&h);
}
END_TEST

/* The verdict has a yes to its question, which is good for a checkpoint. */
START_TEST(a_log_with_a_question_keeps_its_tail)
{
	struct e2lazy_tail tail;
	struct home h;

	home_begin(&h, map_of(FIVE "damage flip 8.data[1] 9\n"));
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 2);
	ck_assert(!e2lazy_verdict_is_sound(h.verdict));
	ck_assert_int_eq(try_tail(&h, &tail), E2LAZY_ET_UNSOUND);
	home_end(&h);
}
END_TEST

/* A file's block that looks like an extent node, and is in the log. */
#define NODE_FILE "{ printf '\\012\\363\\001\\000\\124'; " \
		  "head -c 1019 /dev/zero; } >file"

/* A yes leaves the copy out, and a later replay of the rest writes it. */
START_TEST(the_second_answer_is_what_a_later_replay_does)
{
	struct owned *o = new_owned("-O ^metadata_csum", NODE_FILE);
	blk64_t fsblk = block_of(o, "/file", 0);
	struct e2lazy_tail tail;
	char spec[128];
	struct home h;

	snprintf(spec, sizeof(spec), "txn 5 write %llu\ntxn 6 write 60000\n",
		 (unsigned long long)fsblk);
	write_log(o->f, spec);
	put_real(o->f, fsblk);
	home_begin(&h, o->f);
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 1);
	ck_assert_int_eq(try_tail(&h, &tail), E2LAZY_ET_UNSOUND);
	ck_assert_int_eq(e2lazy_verdict_answer(h.verdict,
			 e2lazy_problem_find("copy-of-data"),
			 E2LAZY_OTHERWISE), 0);
	ck_assert(e2lazy_verdict_is_sound(h.verdict));
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_eq(h.done.blocks_written, 1);
	ck_assert_uint_eq(h.done.skipped, 0);
	home_end(&h);
	free_owned(o);
}
END_TEST

/* The verdict refuses them today, and the tail does not count on that. */
START_TEST(a_log_with_valid_fast_commits_keeps_its_tail)
{
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=4 -O fast_commit",
				 "journal fast_commit 256\n" FIVE
				 "fc 10 creat 2 12 file tail\n"));
	ck_assert(!e2lazy_verdict_is_sound(h.verdict));
	home_end(&h);
}
END_TEST

TCase *new_tail_tests(void)
{
	TCase *tc = tcase_create("new_tail");

	tcase_add_loop_test(tc, the_new_tail_is_the_first_that_frees_enough, 0,
			    sizeof(wanted) / sizeof(wanted[0]));
	tcase_add_test(tc,
		copies_that_go_home_and_copies_that_are_dropped_are_counted);
	tcase_add_test(tc, only_copies_that_go_home_take_memory);
	tcase_add_test(tc, an_empty_log_has_no_transaction_to_free);
	tcase_add_test(tc, a_tail_that_is_none_of_this_log_is_refused);
	tcase_add_test(tc, a_log_with_a_question_keeps_its_tail);
	tcase_add_test(tc, the_second_answer_is_what_a_later_replay_does);
	tcase_add_test(tc, a_log_with_valid_fast_commits_keeps_its_tail);
	return tc;
}
