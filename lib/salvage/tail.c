/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tail.c - where a log begins whose superblock does not say it any more
 *
 * A mount begins with an empty log: the one before it was written back, by its
 * unmount or by a replay.  So the log begins no earlier than the last mount of
 * the ring's newest history, whose transactions have consecutive ids.  A tail
 * at that mount's first transaction is never too late; at worst copies that
 * were written back already are written back once more, in order, up to the
 * newest.  If damage has cut that history, it begins before the damage.
 *
 * The tail that the superblock's block names counts if a transaction of that
 * id begins there, and the newest one is behind it.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "log/lap.h"
#include "salvage.h"

struct tail {
	uint32_t	index;		/* of its first transaction */
	uint32_t	end;		/* after its last one */
	bool		named;		/* by the superblock's block */
};

/* The first transaction of the history's last mount. */
static uint32_t last_mount(const struct e2lazy_ring *ring,
			   const struct e2lazy_history *h)
{
	uint32_t index = h->first + h->count - 1;
	struct e2lazy_ring_txn txn, before;

	e2lazy_ring_txn(ring, index, &txn);
	while (index > h->first) {
		e2lazy_ring_txn(ring, index - 1, &before);
		if (before.txn.tid + 1 != txn.txn.tid)
			break;
		txn = before;
		index--;
	}
	return index;
}

/* Go back over histories that damage alone has parted. */
static uint32_t before_damage(const struct e2lazy_ring *ring, uint32_t number)
{
	struct e2lazy_history h, before;

	e2lazy_ring_history(ring, number, &h);
	while (number && h.begins == E2LAZY_EDGE_DAMAGE) {
		e2lazy_ring_history(ring, number - 1, &before);
		if (before.ends != E2LAZY_EDGE_DAMAGE ||
		    !e2lazy_tid_after(h.first_tid, before.last_tid))
			break;
		h = before;
		number--;
	}
	return last_mount(ring, &h);
}

static bool find_shown(const struct e2lazy_ring *ring, struct tail *out)
{
	const struct e2lazy_ring_counts *counts = e2lazy_ring_counts(ring);
	struct e2lazy_history h;

	if (!counts->histories)
		return false;
	e2lazy_ring_history(ring, counts->histories - 1, &h);
	*out = (struct tail){
		.index = before_damage(ring, counts->histories - 1),
		.end = h.first + h.count,
	};
	return true;
}

/* The transaction that begins at @logblk with that id. */
static bool find_at(const struct e2lazy_ring *ring, uint32_t logblk,
		    uint32_t tid, uint32_t *index)
{
	uint32_t count = e2lazy_ring_counts(ring)->txns;
	struct e2lazy_ring_txn txn;

	for (*index = 0; *index < count; ++*index) {
		e2lazy_ring_txn(ring, *index, &txn);
		if (txn.txn.start == logblk && txn.txn.tid == tid)
			return true;
	}
	return false;
}

static bool find_named(const struct e2lazy_ring *ring, uint32_t start,
		       uint32_t sequence, const struct tail *shown,
		       struct tail *out)
{
	uint32_t index;

	if (!start || !find_at(ring, start, sequence, &index) ||
	    index < shown->index || index >= shown->end)
		return false;
	*out = (struct tail){ .index = index, .end = shown->end,
			      .named = true };
	return true;
}

/* By hand: believed as it is, and at least a transaction must begin there. */
static bool find_given(const struct e2lazy_ring *ring,
		       const struct e2lazy_parts *p, const struct tail *shown,
		       struct tail *out)
{
	uint32_t count = e2lazy_ring_counts(ring)->txns;
	struct e2lazy_ring_txn txn;

	for (uint32_t i = count; i--; ) {
		e2lazy_ring_txn(ring, i, &txn);
		if ((p->has & 1U << E2LAZY_PART_START &&
		     txn.txn.start != p->start) ||
		    (p->has & 1U << E2LAZY_PART_SEQUENCE &&
		     txn.txn.tid != p->sequence))
			continue;
		*out = (struct tail){ .index = i, .end = shown->end };
		if (i >= shown->end)
			out->end = count;
		return true;
	}
	return false;
}

/* A UUID says 0 if it is the same. */
static bool says_the_same(const struct e2lazy_candidate *c)
{
	for (unsigned i = 0; i < E2LAZY_NR_PARTS; i++) {
		const struct e2lazy_fact *f = &c->facts[i];

		if (f->said && f->says != (i == E2LAZY_PART_UUID ? 0 :
					   f->value))
			return false;
	}
	return true;
}

/*
 * Do these transactions continue at the ring's first block from the end of
 * @lap?  The first of them that wraps decides: the log is read from its tail.
 */
static bool wraps_at(const struct e2lazy_ring *ring, const struct tail *tail,
		     struct lap lap)
{
	struct e2lazy_ring_txn txn;
	bool at_end = false;

	for (uint32_t i = tail->index; i < tail->end; i++) {
		e2lazy_ring_txn(ring, i, &txn);
		if (i == tail->index && txn.txn.start >= lap.end)
			return false;
		if (i != tail->index && txn.txn.start == lap.first)
			return at_end;
		if (txn.txn.end < txn.txn.start)
			return lap_distance(lap, txn.txn.start, txn.txn.end) +
			       1 == txn.range.blocks;
		at_end = txn.txn.end + 1 == lap.end;
	}
	return false;
}

/*
 * A kernel reads the log up to the end that the feature says.  If these
 * transactions used the other one, they were a log while the feature differed.
 */
static void set_lap(struct e2lazy_candidate *c, const struct e2lazy_ring *ring,
		    const struct tail *tail)
{
	struct e2lazy_geometry *g = &c->geometry;
	struct e2lazy_fact *fast = &c->facts[E2LAZY_PART_FAST];
	uint32_t end = g->end;

	if (!g->other_end || fast->origin == E2LAZY_FROM_CALLER ||
	    !wraps_at(ring, tail, lap_other(g)))
		return;
	g->end = g->other_end;
	g->other_end = end;
	g->incompat ^= E2LAZY_INCOMPAT_FAST_COMMIT;
	fast->value = g->maxlen - g->end;
	fast->origin = E2LAZY_FROM_RING;
	fast->proofs = tail->end - tail->index;
}

static void set_tail(struct e2lazy_candidate *c,
		     const struct e2lazy_ring *ring, const struct tail *tail,
		     const struct e2lazy_parts *p)
{
	struct e2lazy_fact *start = &c->facts[E2LAZY_PART_START];
	struct e2lazy_fact *sequence = &c->facts[E2LAZY_PART_SEQUENCE];
	struct e2lazy_ring_txn txn;
	struct e2lazy_history h;

	for (uint32_t i = tail->index; i < tail->end; i++) {
		e2lazy_ring_txn(ring, i, &txn);
		c->proven += txn.proof == E2LAZY_BY_CHECKSUM;
	}
	c->txns = tail->end - tail->index;
	c->last_tid = txn.txn.tid;
	c->last_sec = txn.txn.sec;
	e2lazy_ring_history(ring, txn.history, &h);
	c->reaches_now = h.reaches_now;
	e2lazy_ring_txn(ring, tail->index, &txn);
	c->first_tid = txn.txn.tid;
	c->first_sec = txn.txn.sec;
	c->geometry.start = txn.txn.start;
	c->geometry.sequence = txn.txn.tid;
	start->value = txn.txn.start;
	sequence->value = txn.txn.tid;
	start->origin = sequence->origin = tail->named ?
		E2LAZY_FROM_JOURNAL_SUPER : E2LAZY_FROM_RING;
	start->proofs = sequence->proofs = c->txns;
	if (p && p->has & 1U << E2LAZY_PART_START)
		start->origin = E2LAZY_FROM_CALLER;
	if (p && p->has & 1U << E2LAZY_PART_SEQUENCE)
		sequence->origin = E2LAZY_FROM_CALLER;
	set_lap(c, ring, tail);
	c->in_force = !c->super_error && !c->runs && says_the_same(c);
}

static errcode_t add(struct e2lazy_salvage *s,
		     const struct e2lazy_ring *ring, const struct tail *tail,
		     const struct e2lazy_parts *p,
		     const struct e2lazy_candidate *shape)
{
	struct e2lazy_candidate *at = grow(s->at, s->nr, &s->room,
					   sizeof(*at)), *c;

	if (!at)
		return EXT2_ET_NO_MEMORY;
	s->at = at;
	c = &at[s->nr];
	*c = *shape;
	c->ring = *e2lazy_ring_counts(ring);
	set_tail(c, ring, tail, p);
	if (shape->runs) {
		c->runs = calloc(shape->nr_runs, sizeof(*c->runs));
		if (!c->runs)
			return EXT2_ET_NO_MEMORY;
		memcpy(c->runs, shape->runs,
		       shape->nr_runs * sizeof(*c->runs));
	}
	s->nr++;
	return 0;
}

/* By hand: an emptied log, so that all of the ring is the past. */
static errcode_t add_empty(struct e2lazy_salvage *s,
			   const struct e2lazy_ring *ring,
			   const struct tail *shown,
			   const struct e2lazy_parts *p,
			   const struct e2lazy_candidate *shape)
{
	errcode_t err = add(s, ring, shown, p, shape);
	struct e2lazy_candidate *c;

	if (err)
		return err;
	c = &s->at[s->nr - 1];
	c->geometry.start = 0;
	c->geometry.sequence = c->last_tid + 1;
	c->facts[E2LAZY_PART_START].value = 0;
	c->facts[E2LAZY_PART_SEQUENCE].value = c->geometry.sequence;
	return 0;
}

errcode_t tail_find(struct e2lazy_salvage *s, const struct e2lazy_ring *ring,
		    const struct e2lazy_parts *p,
		    const struct e2lazy_candidate *shape)
{
	const unsigned tail_pieces = 1U << E2LAZY_PART_START |
				     1U << E2LAZY_PART_SEQUENCE;
	struct tail shown, other;
	errcode_t err = 0;

	if (!find_shown(ring, &shown))
		return 0;
	if (p && p->has & 1U << E2LAZY_PART_START && !p->start)
		return add_empty(s, ring, &shown, p, shape);
	if (p && p->has & tail_pieces)
		return find_given(ring, p, &shown, &other) ?
		       add(s, ring, &other, p, shape) : 0;
	if (find_named(ring, shape->geometry.start, shape->geometry.sequence,
		       &shown, &other)) {
		err = add(s, ring, &other, p, shape);
		if (err || other.index == shown.index)
			return err;
	}
	return add(s, ring, &shown, p, shape);
}
