/* SPDX-License-Identifier: GPL-2.0-only */
/* The live set against the obvious way to do it: a table with a row per block. */

#include <stdlib.h>
#include <string.h>

#include "log/revoke.h"
#include "map/live_set.h"
#include "fixture.h"

#define BLOCKS 5000

struct row {
	uint32_t	tid, logblk, copies;	/* copies 0: not live */
	uint32_t	revoke;			/* newest revoking tid, 0: none */
};

struct model {
	struct row	rows[BLOCKS];
	uint64_t	revoked;
};

/* Block numbers that differ in low, middle and high bits. */
static blk64_t fsblk_of(unsigned row)
{
	return (blk64_t)row % 50 | (blk64_t)(row / 50) << 29;
}

static void model_txn(struct model *m, uint32_t tid, const unsigned *rows,
		      unsigned nr_copies, unsigned nr, uint32_t logblk)
{
	for (unsigned i = 0; i < nr_copies; i++) {
		struct row *r = &m->rows[rows[i]];

		r->tid = tid;
		r->logblk = logblk + i;
		r->copies++;
	}
	for (unsigned i = nr_copies; i < nr; i++) {
		struct row *r = &m->rows[rows[i]];

		m->revoked += r->copies;
		r->copies = 0;
		r->revoke = tid;
	}
}

static void fold_txn(struct live_set *fold, struct revoke_table *table,
		     uint32_t tid, const unsigned *rows, unsigned nr_copies,
		     unsigned nr, uint32_t logblk, bool revokes_first)
{
	unsigned first = revokes_first ? nr_copies : 0;

	for (unsigned n = 0; n < nr; n++) {
		unsigned i = (first + n) % nr;
		struct record r = { .tid = tid };

		record_set_fsblk(&r, fsblk_of(rows[i]));
		r.flags = i < nr_copies ? 0 : RECORD_REVOKE;
		r.logblk = logblk + i;
		ck_assert_int_eq(live_set_add(fold, &r), 0);
		if (i >= nr_copies)
			ck_assert_int_eq(revoke_add(table, fsblk_of(rows[i]),
						    tid), 0);
	}
}

static void compare(const struct model *m, const struct live_set *fold,
		    const struct revoke_table *table)
{
	size_t live = 0;

	for (unsigned i = 0; i < BLOCKS; i++) {
		const struct row *r = &m->rows[i];
		const struct mapping *have = &fold->live[live];
		uint32_t revoke = 0;

		revoke_find(table, fsblk_of(i), &revoke);
		ck_assert_uint_eq(revoke, r->revoke);
		if (!r->copies)
			continue;
		ck_assert_uint_lt(live, fold->nr_live);
		ck_assert_uint_eq(mapping_fsblk(have), fsblk_of(i));
		ck_assert_uint_eq(have->tid, r->tid);
		ck_assert_uint_eq(have->logblk, r->logblk);
		ck_assert_uint_eq(have->copies, r->copies);
		live++;
	}
	ck_assert_uint_eq(live, fold->nr_live);
	ck_assert_uint_eq(fold->revoked, m->revoked);
}

/* Enough to merge several times; every fifth transaction is dropped. */
START_TEST(fold_and_table_agree_after_random_transactions)
{
	static struct model model;
	struct revoke_table table = { 0 };
	struct live_set fold = { 0 };
	uint32_t logblk = 1;
	unsigned rows[200];

	srand(4711 + _i);
	for (uint32_t tid = 1; tid < 3000; tid++) {
		unsigned nr = rand() % 200, nr_copies = nr ? rand() % nr : 0;

		for (unsigned i = 0; i < nr; i++) {	/* each block once */
			rows[i] = (rand() % 1000) * 5 + tid % 5;
			for (unsigned k = 0; k < i; k++)
				if (rows[k] == rows[i])
					i--, k = i;
		}
		fold_txn(&fold, &table, tid, rows, nr_copies, nr, logblk,
			 tid % 2);
		if (tid % 5 == 4) {
			live_set_drop(&fold);
			revoke_drop(&table);
			continue;
		}
		ck_assert_int_eq(live_set_commit(&fold), 0);
		ck_assert_int_eq(revoke_commit(&table), 0);
		model_txn(&model, tid, rows, nr_copies, nr, logblk);
		logblk += nr;
	}
	ck_assert_int_eq(live_set_finish(&fold), 0);
	ck_assert_int_eq(revoke_close(&table), 0);
	compare(&model, &fold, &table);
	live_set_free(&fold);
	revoke_free(&table);
}
END_TEST

/* ------------------------------------ a log that writes the same again */

static void add(struct live_set *set, uint32_t tid, blk64_t fsblk,
		unsigned flags)
{
	struct record r = { .tid = tid, .logblk = tid, .flags = flags };

	record_set_fsblk(&r, fsblk);
	ck_assert_int_eq(live_set_add(set, &r), 0);
}

/* Many transactions that write @nr blocks, so that the set expects more. */
static uint32_t repeat(struct live_set *set, const blk64_t *blocks, unsigned nr)
{
	uint32_t tid = 0;

	while (!set->absorbs) {
		ck_assert_uint_lt(++tid, 1000000);
		for (unsigned i = 0; i < nr; i++)
			add(set, tid, blocks[i], 0);
		ck_assert_int_eq(live_set_commit(set), 0);
	}
	return tid;
}

static void finish_with(struct live_set *set, size_t live, uint64_t revoked)
{
	ck_assert_int_eq(live_set_finish(set), 0);
	ck_assert_uint_eq(set->nr_live, live);
	ck_assert_uint_eq(set->revoked, revoked);
}

START_TEST(copies_of_one_block_wait_in_one_place_and_are_all_counted)
{
	const blk64_t block = 77;
	struct live_set set = { 0 };
	uint32_t tid = repeat(&set, &block, 1), end = tid + 1000;

	while (tid < end) {
		add(&set, ++tid, block, E2LAZY_COPY_ESCAPED);
		ck_assert_int_eq(live_set_commit(&set), 0);
	}
	ck_assert_uint_lt(set.pending.nr, 10);
	finish_with(&set, 1, 0);
	ck_assert_uint_eq(set.live[0].tid, end);
	ck_assert_uint_eq(set.live[0].logblk, end);
	ck_assert_uint_eq(set.live[0].flags, E2LAZY_COPY_ESCAPED);
	ck_assert_uint_eq(set.live[0].copies, end);
	live_set_free(&set);
}
END_TEST

/* Either may come first in the log. */
START_TEST(a_copy_voided_in_its_transaction_is_none_of_a_later_copys)
{
	const blk64_t block = 77;
	struct live_set set = { 0 };
	uint32_t tid = repeat(&set, &block, 1);

	add(&set, ++tid, block, _i ? RECORD_REVOKE : 0);
	add(&set, tid, block, _i ? 0 : RECORD_REVOKE);
	ck_assert_int_eq(live_set_commit(&set), 0);
	add(&set, ++tid, block, 0);
	ck_assert_int_eq(live_set_commit(&set), 0);
	add(&set, ++tid, block, 0);
	ck_assert_int_eq(live_set_commit(&set), 0);
	finish_with(&set, 1, tid - 2);
	ck_assert_uint_eq(set.live[0].tid, tid);
	ck_assert_uint_eq(set.live[0].copies, 2);
	live_set_free(&set);
}
END_TEST

START_TEST(a_dropped_transaction_leaves_the_copies_that_wait)
{
	const blk64_t block = 77;
	struct live_set set = { 0 };
	uint32_t tid = repeat(&set, &block, 1);

	add(&set, ++tid, block, 0);
	ck_assert_int_eq(live_set_commit(&set), 0);
	add(&set, tid + 1, block, 0);
	live_set_drop(&set);
	finish_with(&set, 1, 0);
	ck_assert_uint_eq(set.live[0].tid, tid);
	ck_assert_uint_eq(set.live[0].copies, tid);
	live_set_free(&set);
}
END_TEST

/* The inverse of the hash's factor: all of these begin at one slot. */
START_TEST(blocks_that_meet_in_one_slot_are_all_in_the_map)
{
	enum { NR = 20000 };
	static blk64_t blocks[NR];
	struct live_set set = { 0 };
	uint32_t inverse = 1, tid;

	for (unsigned i = 0; i < 5; i++)
		inverse *= 2 - UINT32_C(2654435761) * inverse;
	for (uint32_t i = 0; i < NR; i++)
		blocks[i] = (uint32_t)(inverse * i);
	repeat(&set, blocks, NR);
	for (tid = 100; tid < 103; tid++) {
		for (unsigned i = 0; i < NR; i++)
			add(&set, tid, blocks[i], 0);
		ck_assert_int_eq(live_set_commit(&set), 0);
	}
	finish_with(&set, NR, 0);
	for (unsigned i = 0; i < NR; i++) {
		ck_assert_uint_eq(set.live[i].tid, 102);
		ck_assert_uint_eq(set.live[i].copies, set.live[0].copies);
	}
	live_set_free(&set);
}
END_TEST

START_TEST(sort_is_stable_and_by_all_48_bits)
{
	static const blk64_t blocks[] = { 0xffffffffffffULL, 1, 1ULL << 47,
					  1, 0xffffffff, 1ULL << 32, 0, 1 };
	static const uint32_t order[] = { 6, 1, 3, 7, 4, 5, 2, 0 };
	struct records list = { 0 };

	for (uint32_t i = 0; i < 8; i++) {
		struct record r = { .tid = i };

		record_set_fsblk(&r, blocks[i]);
		ck_assert_int_eq(records_add(&list, &r), 0);
	}
	ck_assert_int_eq(records_sort(&list), 0);
	for (unsigned i = 0; i < 8; i++)
		ck_assert_uint_eq(list.at[i].tid, order[i]);
	records_free(&list);
}
END_TEST

START_TEST(tids_are_compared_modulo_two_to_the_32)
{
	ck_assert(e2lazy_tid_after(1, 0xfffffffe));
	ck_assert(!e2lazy_tid_after(0xfffffffe, 1));
	ck_assert(!e2lazy_tid_after(7, 7));
	ck_assert(revoke_voids(7, 7));
	ck_assert(revoke_voids(1, 0xfffffffe));
	ck_assert(!revoke_voids(0xfffffffe, 1));
}
END_TEST

TCase *live_set_tests(void)
{
	TCase *tc = tcase_create("live_set");

	tcase_add_loop_test(tc, fold_and_table_agree_after_random_transactions,
			    0, 3);
	tcase_add_test(tc,
		copies_of_one_block_wait_in_one_place_and_are_all_counted);
	tcase_add_loop_test(tc,
		a_copy_voided_in_its_transaction_is_none_of_a_later_copys, 0, 2);
	tcase_add_test(tc, a_dropped_transaction_leaves_the_copies_that_wait);
	tcase_add_test(tc, blocks_that_meet_in_one_slot_are_all_in_the_map);
	tcase_add_test(tc, sort_is_stable_and_by_all_48_bits);
	tcase_add_test(tc, tids_are_compared_modulo_two_to_the_32);
	return tc;
}
