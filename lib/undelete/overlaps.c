/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * overlaps.c - the blocks of a life that maps of other files name
 *
 * If two lives had a block, the later one has overwritten it.  Lives of an enemy
 * all have the same blocks, so no two lives are compared with each other.
 * Instead, each block keeps the newest life that had it.  The pieces pass once in
 * their order and once against it, and each meets the newest of all others.
 */

#include <stdlib.h>
#include <string.h>

#include "io/halve.h"
#include "overlaps.h"

/* The newest copies of lives that had a block, + 1; or 0. */
struct newest {
	uint32_t	of_all;
	uint32_t	unshared;	/* of pieces that are not SHARED */
};

/* Neighbours of which each overlaps one before it. */
struct chain {
	const struct record *from, *to;
	blk64_t		first, end;	/* blocks of all of them */
	uint8_t		*states;	/* of the blocks of @from on, */
	uint8_t		*behind;	/* and of those of @to on */
};

/* -------------------------------------------------------- other lives */

static uint32_t later_of(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* A map that names a block twice is damaged there: equal lives are later. */
static void meet(struct e2lazy_undelete *u, const struct record *e,
		 struct newest *at, uint8_t *state)
{
	uint32_t mine = life_get(u, life_of(e))->chosen + 1;
	bool shared = e->flags & SHARED;

	for (uint32_t i = 0; i < count_of(e); i++, at++) {
		if (mine <= (shared ? at->unshared : at->of_all))
			state_set_grade(state + i, E2LAZY_GRADE_BETWEEN);
		at->of_all = later_of(at->of_all, mine);
		if (!shared)
			at->unshared = later_of(at->unshared, mine);
	}
	u->compared += count_of(e);
}

static errcode_t pass_on(struct e2lazy_undelete *u, const struct chain *c,
			 struct newest *blocks)
{
	uint8_t *state = c->states;
	errcode_t err = 0;

	for (const struct record *e = c->from; !err && e < c->to; e++) {
		err = watch_stop(u->opts->watch);
		meet(u, e, blocks + (record_fsblk(e) - c->first), state);
		state += count_of(e);
	}
	return err;
}

static errcode_t pass_back(struct e2lazy_undelete *u, const struct chain *c,
			   struct newest *blocks)
{
	uint8_t *state = c->behind;
	errcode_t err = 0;

	for (const struct record *e = c->to; !err && e-- > c->from;) {
		err = watch_stop(u->opts->watch);
		state -= count_of(e);
		meet(u, e, blocks + (record_fsblk(e) - c->first), state);
	}
	return err;
}

static errcode_t mark_chain(struct e2lazy_undelete *u, const struct chain *c)
{
	size_t count = (size_t)(c->end - c->first);
	struct newest *blocks;
	errcode_t err;

	if (c->to - c->from < 2)
		return 0;
	blocks = calloc(count, sizeof(*blocks));
	if (!blocks)
		return EXT2_ET_NO_MEMORY;
	err = pass_on(u, c, blocks);
	memset(blocks, 0, count * sizeof(*blocks));
	if (!err)
		err = pass_back(u, c, blocks);
	free(blocks);
	return err;
}

/* ------------------------------------------------------ fast commits */

/* The first range of a fast commit that ends behind @fsblk. */
static size_t first_range(const struct records *ranges, blk64_t fsblk)
{
	struct halving h = { .high = ranges->nr };

	while (halve(&h))
		halved(&h, end_of(&ranges->at[h.mid]) <= fsblk);
	return h.low;
}

/* A file that a fast commit deleted may have had ranges of its own before. */
static void mark_ranges(const struct e2lazy_undelete *u,
			const struct record *e, uint8_t *states)
{
	const struct records *ranges = &u->ranges;
	const struct life *life = life_get(u, life_of(e));
	size_t i = first_range(ranges, record_fsblk(e));

	for (; i < ranges->nr && record_fsblk(&ranges->at[i]) < end_of(e);
	     i++) {
		const struct record *r = &ranges->at[i];
		blk64_t at = record_fsblk(r) > record_fsblk(e) ?
			     record_fsblk(r) : record_fsblk(e);

		if (life->fast && r->tid == life->ino)
			continue;
		for (; at < end_of(r) && at < end_of(e); at++)
			state_set_grade(states + (at - record_fsblk(e)),
					E2LAZY_GRADE_BETWEEN);
	}
}

/* ---------------------------------------------------------------- all */

/* Make @c the next chain, and mark the ranges in it. */
static errcode_t next_chain(const struct e2lazy_undelete *u,
			    struct chain *c, const struct record *to)
{
	errcode_t err = 0;

	c->from = c->to;
	c->states = c->behind;
	c->first = c->end = record_fsblk(c->from);
	do {
		err = watch_stop(u->opts->watch);
		mark_ranges(u, c->to, c->behind);
		if (end_of(c->to) > c->end)
			c->end = end_of(c->to);
		c->behind += count_of(c->to++);
	} while (!err && c->to < to && record_fsblk(c->to) < c->end);
	return err;
}

errcode_t overlaps_mark(struct e2lazy_undelete *u, const struct record *from,
			const struct record *to, uint8_t *states)
{
	struct chain c = { .to = from, .behind = states };
	errcode_t err = 0;

	while (!err && c.to < to) {
		err = next_chain(u, &c, to);
		if (!err)
			err = mark_chain(u, &c);
	}
	return err;
}
