/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_as_lazy.c - the requests of a lazy journal, derived from a trace's
 *
 * Blocks of 1 KiB: an inode table at 9 to 520, the journal at 5000 to 5099, log
 * blocks 0 to 99.  Transaction 1 logs 10, 700 and 11, transaction 2 logs 10.
 */
#include "fixture.h"

#include "trace/as_lazy.h"

static uint64_t logged[] = { 10, 700, 11,   10 };
static struct e2lazy_trace_txn txns[] = {
	{ .tid = 1, .start = 96, .commit = 1, .tags = 3, .first = 0 },
	{ .tid = 2, .start = 2, .commit = 4, .tags = 1, .first = 3 },
};
static struct e2lazy_trace_piece pieces[] = {
	{ 9, 512, E2LAZY_TYPE_INODE_TABLE }, { 5000, 100, E2LAZY_TYPE_JOURNAL },
};
static struct e2lazy_trace_run runs[] = { { 0, 100, 5000 } };
static const struct e2lazy_trace_fs fs = {
	.blocksize = 1024, .blocks = 8192, .log_first = 1, .log_end = 100,
	.pieces = pieces, .nr_pieces = 2, .runs = runs, .nr_runs = 1,
	.txns = txns, .nr_txns = 2, .logged = logged, .nr_logged = 4,
};

struct got {
	unsigned	count;
	struct e2lazy_request r[8];
};

static errcode_t keep(void *priv, const struct e2lazy_request *r)
{
	struct got *got = priv;

	ck_assert_uint_lt(got->count, 8);
	got->r[got->count++] = *r;
	return 0;
}

static struct got put(struct log_state *log, enum e2lazy_op op, unsigned flags,
		      uint64_t block, uint64_t count)
{
	struct e2lazy_request r = { .t = 7, .op = op, .flags = flags,
				    .offset = block << 10,
				    .length = count << 10 };
	struct got got = { 0 };

	ck_assert_int_eq(as_lazy(log, &r, keep, &got), 0);
	return got;
}

#define READ(block, count) \
	put(&log, E2LAZY_OP_READ, E2LAZY_REQ_META, block, count)
#define WRITE(block, count, flags) \
	put(&log, E2LAZY_OP_WRITE, flags, block, count)

static void is(const struct got *got, unsigned i, uint64_t block,
	       uint64_t count)
{
	ck_assert_uint_lt(i, got->count);
	ck_assert_uint_eq(got->r[i].offset >> 10, block);
	ck_assert_uint_eq(got->r[i].length >> 10, count);
	ck_assert_uint_eq(got->r[i].t, 7);
}

START_TEST(home_writes_are_dropped_and_all_else_stays)
{
	struct log_state log;
	struct got got;

	ck_assert(log_begin(&log, &fs));
	/* Data, then two blocks of the table. */
	got = WRITE(5, 6, 0);
	ck_assert_uint_eq(got.count, 1);
	is(&got, 0, 5, 4);
	got = WRITE(700, 1, E2LAZY_REQ_META);
	ck_assert_uint_eq(got.count, 0);
	got = WRITE(5096, 4, E2LAZY_REQ_META);
	ck_assert_uint_eq(got.count, 1);
	is(&got, 0, 5096, 4);
	got = put(&log, E2LAZY_OP_FLUSH, 0, 0, 0);
	ck_assert_uint_eq(got.count, 1);
	got = put(&log, E2LAZY_OP_DISCARD, 0, 9, 512);
	ck_assert_uint_eq(got.count, 1);
	log_end(&log);
}
END_TEST

START_TEST(reads_go_to_the_newest_committed_copy)
{
	struct log_state log;
	struct got got;

	ck_assert(log_begin(&log, &fs));
	/* Nothing has committed. */
	got = READ(9, 4);
	ck_assert_uint_eq(got.count, 1);
	is(&got, 0, 9, 4);
	/* The first: a descriptor in 96, copies in 97 to 99, commit in 1. */
	WRITE(5096, 4, E2LAZY_REQ_META);
	got = READ(10, 1);
	is(&got, 0, 10, 1);
	WRITE(5001, 1, E2LAZY_REQ_META);
	got = READ(9, 4);		/* 9, 12 are not in the log */
	ck_assert_uint_eq(got.count, 4);
	is(&got, 0, 9, 1);
	is(&got, 1, 5097, 1);
	is(&got, 2, 5099, 1);
	is(&got, 3, 12, 1);
	got = READ(700, 1);
	is(&got, 0, 5098, 1);
	/* The second has a newer copy of 10. */
	WRITE(5002, 3, E2LAZY_REQ_META);
	got = READ(10, 2);
	ck_assert_uint_eq(got.count, 2);
	is(&got, 0, 5003, 1);
	is(&got, 1, 5099, 1);
	/* Data is where it was, whatever the log held of its block. */
	got = put(&log, E2LAZY_OP_READ, 0, 700, 1);
	is(&got, 0, 700, 1);
	log_end(&log);
}
END_TEST

START_TEST(copies_in_a_row_are_one_read)
{
	struct log_state log;
	struct got got;

	ck_assert(log_begin(&log, &fs));
	WRITE(5096, 4, E2LAZY_REQ_META);
	WRITE(5001, 1, E2LAZY_REQ_META);
	got = READ(10, 2);
	ck_assert_uint_eq(got.count, 2);
	logged[1] = 11;
	logged[2] = 700;
	log_end(&log);
	ck_assert(log_begin(&log, &fs));
	WRITE(5001, 1, E2LAZY_REQ_META);
	got = READ(10, 2);
	ck_assert_uint_eq(got.count, 1);
	is(&got, 0, 5097, 2);
	log_end(&log);
}
END_TEST

START_TEST(home_writes_in_vain_are_counted)
{
	struct log_state log;

	ck_assert(log_begin(&log, &fs));
	WRITE(10, 2, E2LAZY_REQ_META);
	ck_assert_uint_eq(log.home, 0);		/* not committed */
	WRITE(5001, 1, E2LAZY_REQ_META);
	WRITE(10, 2, E2LAZY_REQ_META);
	ck_assert_uint_eq(log.home, 2);
	ck_assert_uint_eq(log.superseded, 1);	/* 10, by the second */
	ck_assert_uint_eq(log.distinct, 3);
	log_end(&log);
}
END_TEST

TCase *as_lazy_tests(void)
{
	TCase *tc = tcase_create("as_lazy");

	tcase_add_test(tc, home_writes_are_dropped_and_all_else_stays);
	tcase_add_test(tc, reads_go_to_the_newest_committed_copy);
	tcase_add_test(tc, copies_in_a_row_are_one_read);
	tcase_add_test(tc, home_writes_in_vain_are_counted);
	return tc;
}
