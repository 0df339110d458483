/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A log in use without a committed transaction, as an idle mount leaves it: it
 * has no copy to free or to log, but fast commits below it may not count.
 */

#include "home.h"

#define FAST "-b 1024 -J size=4 -O fast_commit"
#define BARE "journal fast_commit 256\nstart 9\nsequence 6\n"

static const char *const void_logs[] = {
	BARE "fc 5 creat 2 12 name tail\n",
	BARE "fc 6 creat 2 12 name\n",
	BARE "fc 5 tail\ndamage flip @3905 2\n",
};

static errcode_t find(const struct home *h, struct e2lazy_tail *tail)
{
	const struct e2lazy_subject subject = {
		h->f->journal, h->f->map, h->layout, h->view,
	};

	return e2lazy_tail_find(&subject, &(struct e2lazy_tail_want){
				E2LAZY_TAIL_TIDS, 3 }, tail);
}

/* The area's block is the only one written; the log is where it was. */
static void check_cleared(struct home *h)
{
	const struct e2lazy_geometry *g;

	ck_assert(h->done.sealed);
	ck_assert_uint_eq(h->done.blocks_written, 0);
	for (size_t i = 0; i < h->recording.nr; i++)
		ck_assert_int_eq(h->recording.ops[i].bytes != NULL, i == 0);
	home_look(h);
	ck_assert_uint_eq(e2lazy_verdict_void_fast(h->verdict), 0);
	g = e2lazy_geometry(h->f->journal);
	ck_assert_uint_eq(g->start, 9);
	ck_assert_uint_eq(g->sequence, 6);
	ck_assert(g->needs_recovery);
	home_replay(h);
	home_end(h);
}

START_TEST(it_is_its_own_tail_and_that_is_enough)
{
	struct e2lazy_tail tail;
	struct home h;

	home_begin(&h, map_of("start 9\nsequence 6\n"));
	ck_assert_int_eq(find(&h, &tail), E2LAZY_ET_EMPTY_LOG);
	ck_assert_uint_eq(tail.tid, 6);
	ck_assert_uint_eq(tail.start, 9);
	ck_assert_uint_eq(tail.txns, 0);
	ck_assert_uint_eq(tail.blocks, 0);
	ck_assert_uint_eq(tail.free_before, 1023);
	ck_assert_uint_eq(tail.free_blocks, 1023);
	ck_assert(tail.enough);
	home_end(&h);
}
END_TEST

START_TEST(fast_commits_that_do_not_count_are_cleared)
{
	struct e2lazy_tail tail;
	struct home h;

	home_begin(&h, map_of_fs(FAST, void_logs[_i]));
	ck_assert_uint_ne(e2lazy_verdict_void_fast(h.verdict), 0);
	ck_assert_int_eq(find(&h, &tail), E2LAZY_ET_EMPTY_LOG);
	h.opts.tail = &tail;
	ck_assert_int_eq(home_write(&h), 0);
	check_cleared(&h);
}
END_TEST

START_TEST(also_by_a_run_that_logs_copies_again)
{
	struct home h;

	home_begin(&h, map_of_fs(FAST, void_logs[_i]));
	ck_assert_int_eq(e2lazy_relog(h.view, h.verdict, &h.opts, &h.done,
				      &h.f->where), 0);
	ck_assert_uint_eq(h.done.passes, 0);
	check_cleared(&h);
}
END_TEST

START_TEST(no_other_tail_is_of_it)
{
	struct e2lazy_tail tail;
	struct home h;

	home_begin(&h, map_of_fs(FAST, void_logs[0]));
	find(&h, &tail);
	tail.txns = 3;
	h.opts.tail = &tail;
	ck_assert_int_eq(home_write(&h), EXT2_ET_INVALID_ARGUMENT);
	ck_assert_uint_eq(h.recording.nr, 0);
	home_end(&h);
}
END_TEST

START_TEST(where_nothing_is_to_be_cleared_nothing_is_written)
{
	struct e2lazy_tail tail;
	struct home h;

	home_begin(&h, map_of("start 9\nsequence 6\n"));
	ck_assert_int_eq(e2lazy_relog(h.view, h.verdict, &h.opts, &h.done,
				      &h.f->where), E2LAZY_ET_EMPTY_LOG);
	find(&h, &tail);
	h.opts.tail = &tail;
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_EMPTY_LOG);
	ck_assert_uint_eq(h.recording.nr, 0);
	home_end(&h);
}
END_TEST

TCase *bare_log_tests(void)
{
	const int logs = sizeof(void_logs) / sizeof(void_logs[0]);
	TCase *tc = tcase_create("bare_log");

	tcase_add_test(tc, it_is_its_own_tail_and_that_is_enough);
	tcase_add_loop_test(tc, fast_commits_that_do_not_count_are_cleared, 0,
			    logs);
	tcase_add_loop_test(tc, also_by_a_run_that_logs_copies_again, 0, logs);
	tcase_add_test(tc, no_other_tail_is_of_it);
	tcase_add_test(tc, where_nothing_is_to_be_cleared_nothing_is_written);
	return tc;
}
