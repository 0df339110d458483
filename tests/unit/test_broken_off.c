/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * New transactions at the head run into no remains of one that broke off: these
 * are cleared first, and a power cut at any moment leaves a log that says the
 * same.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "home.h"
#include "log/log.h"

/* The live copies of FIVE need 12 log blocks. */
#define NEEDED	12

/* Number 10 is due behind FIVE. */
static const char *const remains[] = {
	/* A descriptor before each third block, and no commit block. */
	"txn 10 perdesc 2 write 60100-60129 nocommit\n",
	/* Of an older journal, so with other checksums. */
	"leftoveruuid 11111111-2222-3333-4444-555555555555\n"
	"leftover 10 perdesc 1 write 60100-60105 time 1600000000\n"
	"leftover 11 perdesc 1 write 60106-60109 time 1600000000\n",
	/* Far behind the new transaction. */
	"txn 10 write 60100-60399 revoke 60000-60399 nocommit\n",
};
#define NR_REMAINS (sizeof(remains) / sizeof(remains[0]))

static struct fixture *broken_off(unsigned kind, const char *head)
{
	char spec[1024];

	snprintf(spec, sizeof(spec), "%s" FIVE "%s", head, remains[kind]);
	return map_of(spec);
}

static errcode_t try_relog(struct home *h)
{
	return e2lazy_relog(h->view, h->verdict, &h->opts, &h->done,
			    &h->f->where);
}

static struct e2lazy_relog plan(const struct home *h)
{
	const struct e2lazy_plan_opts opts = { .memory = 0 };
	struct e2lazy_relog relog;

	ck_assert_int_eq(e2lazy_relog_plan(&(struct e2lazy_subject){
		h->f->journal, h->f->map, h->layout, h->view }, &opts,
		&relog), 0);
	return relog;
}

/* Magic and a number from @tid on, in the free part. */
static uint32_t in_the_way(struct home *h, uint32_t tid)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(h->f->journal);
	const struct e2lazy_end *end = e2lazy_jmap_end(h->f->map);
	uint32_t left = ring_size(g) - end->walked, at = end->head, n = 0;
	uint8_t *block = malloc(h->size);
	struct jbd2_header header;

	for (; left--; at = ring_next(g, at)) {
		ck_assert_int_eq(e2lazy_read_log(h->f->journal, at, 1, block),
				 0);
		n += jbd2_get_header(block, &header) && header.tid >= tid;
	}
	free(block);
	return n;
}

/* The next run finds a sound log, with the same copies. */
static void check_sound(struct home *h)
{
	char *block = malloc(h->size);
	struct e2lazy_copy copy;

	home_look(h);
	ck_assert(e2lazy_verdict_is_sound(h->verdict));
	ck_assert_uint_eq(e2lazy_verdict_open(h->verdict), 0);
	ck_assert_uint_eq(e2lazy_jmap_stats(h->f->map)->nr_damage, 0);
	ck_assert_uint_eq(e2lazy_jmap_count(h->f->map), h->live);
	for (size_t i = 0; i < h->live; i++) {
		e2lazy_jmap_get(h->f->map, i, &copy);
		ck_assert_uint_eq(copy.fsblk, h->fsblks[i]);
		ck_assert_int_eq(e2lazy_read_copy(h->f->journal, copy.logblk,
						  copy.flags, block), 0);
		ck_assert(!memcmp(block, h->contents[i], h->size));
	}
	free(block);
}

START_TEST(the_next_run_finds_a_sound_log)
{
	struct e2lazy_relog relog;
	uint32_t before;
	struct home h;

	home_begin(&h, broken_off(_i, ""));
	before = in_the_way(&h, 10);
	ck_assert_uint_gt(before, 0);
	relog = plan(&h);
	ck_assert_uint_eq(relog.blocks, NEEDED);
	ck_assert_uint_eq(relog.cleared, before);
	ck_assert_int_eq(try_relog(&h), 0);
	ck_assert(h.done.sealed);
	check_sound(&h);
	ck_assert_uint_eq(e2lazy_jmap_end(h.f->map)->tid, 11);
	ck_assert_int_eq(e2lazy_jmap_end(h.f->map)->reason,
			 E2LAZY_END_NOT_JOURNAL);
	ck_assert_uint_eq(in_the_way(&h, 10), 0);
	home_end(&h);
}
END_TEST

START_TEST(a_cleared_block_is_no_block_of_the_log)
{
	struct e2lazy_relog relog;
	struct home h;

	home_begin(&h, broken_off(_i, ""));
	relog = plan(&h);
	ck_assert_uint_gt(relog.cleared, 0);
	ck_assert_uint_eq(relog.write_bytes,
			  (relog.blocks + relog.cleared + 1) * h.size);
	ck_assert_int_eq(try_relog(&h), 0);
	ck_assert_uint_eq(h.done.blocks_written, NEEDED);
	home_end(&h);
}
END_TEST

START_TEST(a_log_without_remains_is_written_without_clearing)
{
	struct e2lazy_relog relog;
	struct home h;

	home_begin(&h, map_of(FIVE "leftover 4 perdesc 1 write 60100-60120\n"));
	relog = plan(&h);
	ck_assert_uint_eq(relog.cleared, 0);
	ck_assert_uint_eq(relog.cleared_behind, 0);
	ck_assert_int_eq(try_relog(&h), 0);
	check_sound(&h);
	/* 16 of its 22 control blocks, and those of FIVE. */
	ck_assert_uint_eq(in_the_way(&h, 4), 16 + 12);
	home_end(&h);
}
END_TEST

/* --------------------------------------------------------------- order --- */

/* Of the blocks that are cleared, all are before the first flush. */
START_TEST(they_are_cleared_for_good_before_a_new_block_is_written)
{
	struct e2lazy_relog relog;
	struct home h;
	size_t at = 0;

	home_begin(&h, broken_off(_i, ""));
	relog = plan(&h);
	ck_assert_int_eq(try_relog(&h), 0);
	for (; h.recording.ops[at].bytes; at++) {
		const struct recorded *op = &h.recording.ops[at];

		ck_assert_uint_eq(op->count, h.size);
		for (size_t i = 0; i < op->count; i++)
			ck_assert(!((char *)op->bytes)[i]);
	}
	ck_assert_uint_eq(at, relog.cleared);
	home_end(&h);
}
END_TEST

/* ---------------------------------------------------------------- keeper --- */

struct kept {
	struct home	*home;
	uint64_t	blocks;
	unsigned	calls;
};

static errcode_t keep(void *priv, const struct e2lazy_kept_run *run)
{
	struct kept *k = priv;

	ck_assert_uint_eq(k->home->recording.nr, 0);
	k->blocks += run->count;
	return 0;
}

static errcode_t note_kept(void *priv, const struct e2lazy_super_states *states)
{
	(void)states;
	((struct kept *)priv)->calls++;
	return 0;
}

START_TEST(a_keeper_gets_the_cleared_blocks_behind_the_new_ones)
{
	struct kept kept = { .calls = 0 };
	const struct e2lazy_keeper keeper = { .keep = keep, .kept = note_kept,
					      .priv = &kept };
	struct e2lazy_relog relog;
	struct home h;

	home_begin(&h, broken_off(_i, ""));
	kept.home = &h;
	relog = plan(&h);
	ck_assert_uint_lt(relog.cleared_behind, relog.cleared);
	h.opts.keeper = &keeper;
	ck_assert_int_eq(try_relog(&h), 0);
	ck_assert_uint_eq(kept.calls, 1);
	/* And the journal superblock. */
	ck_assert_uint_eq(kept.blocks, NEEDED + relog.cleared_behind + 1);
	home_end(&h);
}
END_TEST

/* -------------------------------------------------------------- crashes --- */

static void recover(void *priv, size_t end, const bool *keep_write)
{
	struct home *h = priv;

	home_crash(h, end, keep_write);
	check_sound(h);
	h->opts.manager = NULL;
	ck_assert_int_eq(try_relog(h), 0);
	check_sound(h);

	home_crash(h, end, keep_write);
	drop(h->f);
	home_replay(h);
	home_check(h);
}

/* Where the new transactions wrap, too. */
START_TEST(a_crash_at_any_write_leaves_a_sound_log)
{
	struct home h;

	home_begin(&h, broken_off(_i / 2, _i % 2 ? "start end-31\n" : ""));
	home_save(&h);
	ck_assert_int_eq(try_relog(&h), 0);
	record_crashes(&h.recording, recover, &h);
	home_forget(&h);
	home_end(&h);
}
END_TEST

TCase *broken_off_tests(void)
{
	TCase *tc = tcase_create("broken_off");

	tcase_add_loop_test(tc, the_next_run_finds_a_sound_log, 0, NR_REMAINS);
	tcase_add_loop_test(tc, a_cleared_block_is_no_block_of_the_log, 0,
			    NR_REMAINS);
	tcase_add_test(tc, a_log_without_remains_is_written_without_clearing);
	tcase_add_loop_test(tc,
		they_are_cleared_for_good_before_a_new_block_is_written, 0,
		NR_REMAINS);
	tcase_add_loop_test(tc,
		a_keeper_gets_the_cleared_blocks_behind_the_new_ones, 0,
		NR_REMAINS);
	tcase_add_loop_test(tc, a_crash_at_any_write_leaves_a_sound_log, 0,
			    2 * NR_REMAINS);
	return tc;
}
