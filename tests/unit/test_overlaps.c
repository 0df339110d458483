/* SPDX-License-Identifier: GPL-2.0-only */
/* Lives that had the same blocks: the later one has overwritten them. */

#include <stdlib.h>

#include "fixture.h"
#include "undelete/overlaps.h"

#define BLOCKS		40
#define LIVES		12
#define MOST_STATES	(LIVES * BLOCKS)

struct overlapping {
	struct e2lazy_undelete u;
	struct life	lives[LIVES];
	struct record	pieces[LIVES];	/* one each */
	uint8_t		states[MOST_STATES];
};

/* The stop that nobody asks for. */
static const struct e2lazy_undelete_opts opts;

static void add(struct overlapping *o, uint32_t chosen, blk64_t fsblk,
		uint32_t count, uint16_t flags)
{
	struct record *piece = &o->pieces[o->u.lives.nr];

	o->u.opts = &opts;
	o->u.lives.at = o->lives;
	*piece = (struct record){ .logblk = count, .flags = flags,
				  .tid = o->u.lives.nr };
	record_set_fsblk(piece, fsblk);
	o->lives[o->u.lives.nr++].chosen = chosen;
}

static void mark(struct overlapping *o)
{
	ck_assert_int_eq(overlaps_mark(&o->u, o->pieces,
				       o->pieces + o->u.lives.nr, o->states),
			 0);
}

static bool has(const struct record *piece, blk64_t fsblk)
{
	return fsblk >= record_fsblk(piece) && fsblk < end_of(piece);
}

/* Does another life that is not older have the block, and not in common? */
static bool is_overwritten(const struct overlapping *o, uint32_t mine,
			   blk64_t fsblk)
{
	const struct record *piece = o->pieces;

	for (uint32_t n = 0; n < o->u.lives.nr; n++)
		if (n != mine && has(&piece[n], fsblk) &&
		    o->lives[n].chosen >= o->lives[mine].chosen &&
		    !(piece[n].flags & piece[mine].flags & SHARED))
			return true;
	return false;
}

static void check(const struct overlapping *o)
{
	const uint8_t *state = o->states;

	for (uint32_t n = 0; n < o->u.lives.nr; n++) {
		blk64_t at = record_fsblk(&o->pieces[n]);

		for (; at < end_of(&o->pieces[n]); at++, state++)
			ck_assert_uint_eq(*state, is_overwritten(o, n, at) ?
					  E2LAZY_GRADE_BETWEEN : 0);
	}
}

START_TEST(the_later_of_two_lives_has_the_block)
{
	struct overlapping o = { .states = { 0 } };

	add(&o, 7, 100, 4, 0);
	add(&o, 5, 102, 4, 0);
	mark(&o);
	ck_assert_mem_eq(o.states, ((uint8_t[]){
		0, 0, 0, 0,
		E2LAZY_GRADE_BETWEEN, E2LAZY_GRADE_BETWEEN, 0, 0 }), 8);
}
END_TEST

START_TEST(lives_of_one_moment_have_overwritten_each_other)
{
	struct overlapping o = { .states = { 0 } };

	add(&o, 0, 100, 1, 0);
	add(&o, 0, 100, 1, 0);
	mark(&o);
	ck_assert_uint_eq(o.states[0], E2LAZY_GRADE_BETWEEN);
	ck_assert_uint_eq(o.states[1], E2LAZY_GRADE_BETWEEN);
}
END_TEST

/* Attributes may be those of several files, but their block may be another's. */
START_TEST(a_block_in_common_is_overwritten_by_a_map_alone)
{
	struct overlapping o = { .states = { 0 } };

	add(&o, 5, 100, 1, SHARED);
	add(&o, 7, 100, 1, SHARED);
	add(&o, 6, 100, 1, 0);
	mark(&o);
	ck_assert_uint_eq(o.states[0], E2LAZY_GRADE_BETWEEN);
	ck_assert_uint_eq(o.states[1], 0);
	ck_assert_uint_eq(o.states[2], E2LAZY_GRADE_BETWEEN);
}
END_TEST

static uint32_t any(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 16) % below;
}

START_TEST(a_block_is_overwritten_if_any_other_life_says_so)
{
	for (uint32_t i = 0; i < 500; i++) {
		struct overlapping o = { .states = { 0 } };
		uint32_t seed = i;
		blk64_t at = 100;

		for (uint32_t n = 0; n < LIVES; n++) {
			at += any(&seed, 2 + i % 7);
			add(&o, any(&seed, 5), at, 1 + any(&seed, BLOCKS / 4),
			    any(&seed, 3) ? 0 : SHARED);
		}
		mark(&o);
		check(&o);
	}
}
END_TEST

START_TEST(blocks_of_one_life_are_not_compared)
{
	struct overlapping o = { .states = { 0 } };

	add(&o, 7, 100, BLOCKS, 0);
	add(&o, 5, 100 + BLOCKS, BLOCKS, 0);
	mark(&o);
	ck_assert_uint_eq(o.u.compared, 0);
}
END_TEST

TCase *overlaps_tests(void)
{
	TCase *tc = tcase_create("overlaps");

	tcase_add_test(tc, the_later_of_two_lives_has_the_block);
	tcase_add_test(tc, lives_of_one_moment_have_overwritten_each_other);
	tcase_add_test(tc, a_block_in_common_is_overwritten_by_a_map_alone);
	tcase_add_test(tc, a_block_is_overwritten_if_any_other_life_says_so);
	tcase_add_test(tc, blocks_of_one_life_are_not_compared);
	return tc;
}
