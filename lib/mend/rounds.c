/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rounds.c - which copies are logged again, in which rounds
 *
 * A round takes as many of the oldest transactions as have live copies that fit
 * the free part of the ring, logs these copies again at the head, and frees the
 * transactions; the next round has their room.  One block of the ring always
 * stays free, so that head and tail differ.  A copy that equals its static block
 * can be dropped instead.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/watch.h"
#include "map/jmap.h"
#include "rounds.h"
#include "view/compare_in_place.h"
#include "view/view.h"

/* jbd2 itself commits no larger transaction than a quarter of the ring. */
#define RING_PART	4

static errcode_t add_txn(struct rounds *r, const struct e2lazy_txn *txn,
			 size_t *room)
{
	const struct e2lazy_geometry *g = &r->subject->journal->geo;
	struct old_txn *at = grow(r->txns, r->count, room, sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	r->txns = at;
	at[r->count++] = (struct old_txn){
		.start = txn->start,
		.blocks = ring_distance(g, txn->start, txn->end) + 1,
		.control = txn->descriptors + txn->revoke_blocks + 1,
	};
	return 0;
}

static errcode_t list_txns(struct rounds *r)
{
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	size_t room = 0;
	errcode_t err;

	err = e2lazy_walk_open(r->subject->journal, NULL, 0, 0, &walk);
	if (err)
		return err;
	do {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT)
			err = add_txn(r, ev.txn, &room);
	} while (!err && ev.kind != E2LAZY_EV_END);
	e2lazy_walk_close(walk);
	return err;
}

static void count_live(struct rounds *r)
{
	const struct e2lazy_jmap *map = r->subject->map;
	struct e2lazy_copy copy;

	for (size_t i = 0; i < e2lazy_jmap_count(map); i++) {
		uint32_t number;

		e2lazy_jmap_get(map, i, &copy);
		number = rounds_number(r, &copy);
		if (number >= r->count)
			continue;
		if (!r->home || !r->home[i])
			r->txns[number].live++;
		else
			r->dropped += number < r->end;
	}
}

static void note_home(void *priv, size_t index)
{
	((bool *)priv)[index] = true;
}

static errcode_t find_home(struct rounds *r, const struct e2lazy_watch *watch)
{
	const struct e2lazy_subject *s = r->subject;
	struct in_place what = {
		.journal = s->journal, .map = s->map,
		.kept = s->view ? s->view->kept : NULL,
		.same = note_home,
		.watch = watch, .phase = E2LAZY_PHASE_HOME,
	};

	what.priv = r->home = calloc(e2lazy_jmap_count(s->map) + 1,
				     sizeof(*r->home));
	return r->home ? compare_in_place(&what) : EXT2_ET_NO_MEMORY;
}

uint32_t rounds_most_copies(const struct e2lazy_journal *j)
{
	uint32_t blocks = ring_size(&j->geo) / RING_PART, n = blocks;

	while (n > 1 && encode_blocks(&j->format, n, 0) > blocks)
		n--;
	return n;
}

errcode_t rounds_init(struct rounds *r, const struct e2lazy_subject *subject,
		      const struct e2lazy_plan_opts *opts)
{
	errcode_t err;

	memset(r, 0, sizeof(*r));
	r->subject = subject;
	err = list_txns(r);
	if (!err && opts && opts->tail && opts->tail->txns > r->count)
		err = EXT2_ET_INVALID_ARGUMENT;
	if (!err && opts && opts->flags & E2LAZY_RELOG_DROP_HOME)
		err = find_home(r, opts->watch);
	if (err)
		return err;
	r->end = opts && opts->tail ? opts->tail->txns : r->count;
	count_live(r);
	r->most = rounds_most_copies(subject->journal);
	rounds_rewind(r);
	return 0;
}

void rounds_rewind(struct rounds *r)
{
	r->from = r->to = 0;
	r->live = r->needed = r->numbers = 0;
	r->free = ring_size(&r->subject->journal->geo) -
		  e2lazy_jmap_end(r->subject->map)->walked;
}

void rounds_free(struct rounds *r)
{
	free(r->txns);
	free(r->home);
	r->txns = NULL;
	r->home = NULL;
}

uint32_t rounds_blocks(const struct rounds *r, uint64_t copies)
{
	return (uint32_t)encode_blocks(&r->subject->journal->format, copies, 0);
}

uint32_t rounds_txns(const struct rounds *r, uint64_t live)
{
	return (uint32_t)((live + r->most - 1) / r->most);
}

/* Log blocks of the transactions for @live copies. */
static uint64_t blocks_for(const struct rounds *r, uint64_t live)
{
	uint64_t whole = live / r->most, rest = live % r->most;

	return whole * rounds_blocks(r, r->most) +
	       (rest ? rounds_blocks(r, rest) : 0);
}

/*
 * A log that loses all of its transactions needs one to begin with, if an
 * empty one.
 */
static uint64_t blocks_needed(const struct rounds *r, uint32_t to,
			      uint64_t live)
{
	uint64_t blocks = blocks_for(r, live);

	return blocks || to < r->count ? blocks : 1;
}

bool rounds_next(struct rounds *r)
{
	uint64_t live = 0, needed = 0;
	uint32_t freed = 0;

	for (uint32_t i = r->from; i < r->to; i++)
		freed += r->txns[i].blocks;
	r->free += freed - r->needed;
	r->from = r->to;
	r->live = r->needed = 0;
	for (; r->to < r->end; r->to++) {
		live += r->txns[r->to].live;
		needed = blocks_needed(r, r->to + 1, live);
		if (needed + 1 > r->free)
			break;
		r->live = live;
		r->needed = (uint32_t)needed;
	}
	/* An empty transaction has a number, too. */
	r->numbers += r->live ? rounds_txns(r, r->live) : r->needed;
	if (r->to == r->from && !rounds_done(r))
		r->needed = needed < UINT32_MAX ? (uint32_t)needed : UINT32_MAX;
	return r->to > r->from;
}

bool rounds_done(const struct rounds *r)
{
	return r->to == r->end;
}

bool rounds_has(const struct rounds *r, size_t slot,
		const struct e2lazy_copy *copy)
{
	uint32_t number = rounds_number(r, copy);

	return number >= r->from && number < r->to &&
	       (!r->home || !r->home[slot]);
}
