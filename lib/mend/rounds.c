/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rounds.c - which copies are logged again, in which rounds
 *
 * A round takes as many of the oldest transactions as have live copies that fit
 * the free part of the ring, logs these copies again at the head, and frees the
 * transactions; the next round has their room.  One block of the ring always
 * stays free, so that head and tail differ.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "log/encode.h"
#include "map/jmap.h"
#include "relog.h"

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
	return err || r->count ? err : E2LAZY_ET_EMPTY_LOG;
}

/* Transactions of a log have consecutive numbers. */
static uint32_t number_of(const struct rounds *r, const struct e2lazy_copy *copy)
{
	return copy->tid - r->subject->journal->geo.sequence;
}

static void count_live(struct rounds *r)
{
	const struct e2lazy_jmap *map = r->subject->map;
	struct e2lazy_copy copy;

	for (size_t i = 0; i < e2lazy_jmap_count(map); i++) {
		e2lazy_jmap_get(map, i, &copy);
		if (number_of(r, &copy) < r->count)
			r->txns[number_of(r, &copy)].live++;
	}
}

static uint32_t most_copies(const struct e2lazy_journal *j)
{
	uint32_t blocks = ring_size(&j->geo) / RING_PART, n = blocks;

	while (n > 1 && encode_blocks(&j->format, n, 0) > blocks)
		n--;
	return n;
}

errcode_t rounds_init(struct rounds *r, const struct e2lazy_subject *subject,
		      const struct e2lazy_tail *tail)
{
	errcode_t err;

	memset(r, 0, sizeof(*r));
	r->subject = subject;
	err = list_txns(r);
	if (err)
		return err;
	count_live(r);
	r->end = tail ? tail->txns : r->count;
	r->most = most_copies(subject->journal);
	r->free = ring_size(&subject->journal->geo) -
		  e2lazy_jmap_end(subject->map)->walked;
	return 0;
}

void rounds_free(struct rounds *r)
{
	free(r->txns);
	r->txns = NULL;
}

/* Log blocks of the transactions for @live copies. */
static uint64_t blocks_for(const struct rounds *r, uint64_t live)
{
	const struct jbd2_format *f = &r->subject->journal->format;
	uint64_t whole = live / r->most, rest = live % r->most;

	return whole * encode_blocks(f, r->most, 0) +
	       (rest ? encode_blocks(f, rest, 0) : 0);
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
	if (r->to == r->from && !rounds_done(r))
		r->needed = needed < UINT32_MAX ? (uint32_t)needed : UINT32_MAX;
	return r->to > r->from;
}

bool rounds_done(const struct rounds *r)
{
	return r->to == r->end;
}

bool rounds_has(const struct rounds *r, const struct e2lazy_copy *copy)
{
	uint32_t number = number_of(r, copy);

	return number >= r->from && number < r->to;
}

/* --------------------------------------------------------------- a plan --- */

errcode_t e2lazy_relog_plan(const struct e2lazy_subject *subject,
			    const struct e2lazy_tail *tail,
			    struct e2lazy_relog *out)
{
	struct rounds r;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	err = rounds_init(&r, subject, tail);
	for (uint32_t i = 0; !err && i < r.count; i++) {
		out->control_before += r.txns[i].control;
		out->control_after += i < r.end ? 0 : r.txns[i].control;
	}
	out->free_before = r.free;
	while (!err && rounds_next(&r)) {
		out->rounds++;
		out->copies += r.live;
		out->blocks += r.needed;
		out->txns += (uint32_t)((r.live + r.most - 1) / r.most);
		out->control_after += r.needed - r.live;
	}
	out->fits = !err && rounds_done(&r);
	out->needed = out->fits ? 0 : r.needed;
	out->room = r.free ? r.free - 1 : 0;
	out->free_after = r.free;
	rounds_free(&r);
	return err;
}
