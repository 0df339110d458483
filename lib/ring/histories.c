/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * histories.c - transactions of the ring that follow each other without a gap
 *
 * A transaction follows another if it meets two conditions.
 *
 *  - Place: it stands right behind the other's commit block.  An id alone may
 *    be of an earlier count.
 *  - Id: it has the next id, or a later one that a mount may begin with
 *    (MOST_TIDS_LEFT_OUT).  The ring must have no trace of the ids left out.
 *
 * The time does not matter, as in recovery, because a clock may be set back.
 *
 * A kernel before 6.4 goes back to the first block when it mounts.  A new
 * history begins there, because a lost transaction would look the same.
 *
 * Transactions behind the log's last commit block are not part of its history.
 */

#include <stdlib.h>

#include "io/halve.h"
#include "ring.h"

#define NO_HISTORY UINT32_MAX

/* ------------------------------------------------------------------ places */

static bool is_adjacent(const struct e2lazy_geometry *g,
			const struct found *a, const struct found *b)
{
	return lap_follows(g, b->start, a->end);
}

/* The number of the transaction found behind number @i, around the ring. */
static size_t behind(const struct e2lazy_ring *ring, size_t i)
{
	return i + 1 == ring->nr_found ? 0 : i + 1;
}

static const struct found *ahead_of(const struct e2lazy_ring *ring, size_t i)
{
	return &ring->found[(i ? i : ring->nr_found) - 1];
}

/* Mark the whole transactions that recovery would replay. */
static void mark_log(struct e2lazy_ring *ring)
{
	const struct e2lazy_geometry *g = &ring->journal->geo;
	struct found *f = ring->found, *next;

	if (!g->start || !ring->nr_found || f->start != g->start ||
	    f->tid != g->sequence)
		return;
	for (size_t i = 0; i < ring->nr_found; i++, f = next) {
		next = &ring->found[i];
		if (next->other_lap ||
		    (i && (ring_next(g, f->end) != next->start ||
			   next->tid != f->tid + 1)))
			return;
		next->in_log = true;
	}
}

/* ------------------------------------------------------------------- traces */

static int compare_tids(const void *left, const void *right)
{
	const struct trace *a = left, *b = right;

	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

/* Is there a trace of that transaction, of one of these kinds? */
static bool has_trace(const struct e2lazy_ring *ring, uint32_t tid,
		      unsigned kinds)
{
	struct halving h = { .high = ring->nr_traces };

	while (halve(&h))
		halved(&h, ring->traces[h.mid].tid < tid);
	for (size_t i = h.low; i < ring->nr_traces &&
	     ring->traces[i].tid == tid; i++)
		if (kinds & 1U << ring->traces[i].kind)
			return true;
	return false;
}

#define KIND(name)	(1U << TRACE_##name)
#define LEFTOVER	(KIND(CUT) | KIND(PART))
#define DAMAGED		(KIND(BROKEN) | KIND(BAD))
#define ANY_KIND	(LEFTOVER | DAMAGED)

/* ------------------------------------------------------- successors */

static bool has_found(const struct e2lazy_ring *ring, uint32_t tid)
{
	return has_number(ring->tids, ring->nr_found, tid);
}

/* The ring has no trace of the ids between two ids. */
static bool are_left_out(const struct e2lazy_ring *ring, uint32_t tid,
			 uint32_t next)
{
	if (!tid_follows_mount(next, tid))
		return false;
	while (++tid != next)
		if (has_found(ring, tid) || has_trace(ring, tid, ANY_KIND))
			return false;
	return true;
}

static bool follows(const struct e2lazy_ring *ring, const struct found *a,
		    const struct found *b)
{
	if (!is_adjacent(&ring->journal->geo, a, b) || a == b)
		return false;
	if (a->in_log)
		return b->in_log && b->tid == a->tid + 1;
	return are_left_out(ring, a->tid, b->tid);
}

/* -------------------------------------------------------------------- edges */

static enum e2lazy_edge unknown_edge(const struct e2lazy_ring *ring)
{
	return ring->counts.foreign ? E2LAZY_EDGE_FOREIGN : E2LAZY_EDGE_GAP;
}

/* Is there a trace of an id that usually stands in front of it? */
static bool has_trace_before(const struct e2lazy_ring *ring, uint32_t tid,
			     unsigned kinds)
{
	for (uint32_t n = 1; n <= MOST_TIDS_LEFT_OUT + 1; n++)
		if (has_trace(ring, tid - n, kinds))
			return true;
	return false;
}

/*
 * @ahead: the whole transaction in front of it in the ring, near or far;
 * @before: the same, if it ends right in front of it, or NULL.
 */
static enum e2lazy_edge begin_of(const struct e2lazy_ring *ring,
				 const struct found *f,
				 const struct found *ahead,
				 const struct found *before)
{
	bool newer = ahead == f ||
		     is_earlier(found_when(f), found_when(ahead)) ||
		     e2lazy_tid_after(ahead->tid, f->tid);

	if (has_trace_before(ring, f->tid, DAMAGED) ||
	    (has_trace_before(ring, f->tid, LEFTOVER) && !newer))
		return E2LAZY_EDGE_DAMAGE;
	if (has_trace_before(ring, f->tid, LEFTOVER) ||
	    (before && is_earlier(found_when(f), found_when(before))))
		return E2LAZY_EDGE_OVERWRITTEN;
	if (f->start == ring->journal->geo.first)
		return E2LAZY_EDGE_FIRST;
	return before ? E2LAZY_EDGE_RESTART : unknown_edge(ring);
}

/* @after: the transaction that begins right behind it, or NULL. */
static enum e2lazy_edge end_of(const struct e2lazy_ring *ring,
			       const struct found *f,
			       const struct found *after)
{
	if (has_trace(ring, f->tid + 1, DAMAGED | LEFTOVER))
		return E2LAZY_EDGE_DAMAGE;
	if (!after || is_earlier(found_when(after), found_when(f)))
		return unknown_edge(ring);
	return e2lazy_tid_after(after->tid, f->tid) ?
	       E2LAZY_EDGE_OVERWRITTEN : E2LAZY_EDGE_RESTART;
}

/* By its id; what an earlier count left behind is older by its time. */
static bool is_later(const struct e2lazy_ring *ring,
		     const struct e2lazy_history *last, uint32_t tid,
		     uint64_t when)
{
	return tid_follows(&ring->journal->geo, tid, last->last_tid, 1) &&
	       !is_earlier(when, last_when(last));
}

/* The id of a transaction that was begun right behind another. */
static uint32_t begun_behind(const struct e2lazy_ring *ring,
			     const struct found *f)
{
	const struct e2lazy_geometry *g = &ring->journal->geo;
	uint32_t tid = f->tid + 1;

	/* Two blocks may follow it: see lap.h.  @traces ascend by id. */
	for (size_t i = 0; i < ring->nr_traces; i++)
		if (lap_follows(g, ring->traces[i].start, f->end))
			tid = ring->traces[i].tid;
	return tid;
}

/*
 * Is there a trace of a transaction after the last one of @last?  A transaction
 * that was begun right behind it and never committed does not count: it changed
 * nothing.
 */
static bool has_later(const struct e2lazy_ring *ring,
		      const struct e2lazy_history *last)
{
	uint32_t begun = begun_behind(ring, &ring->found[last->first +
							 last->count - 1]);

	for (uint32_t n = 0; n < ring->nr_histories; n++) {
		const struct e2lazy_history *h = &ring->histories[n];

		if (h != last && is_later(ring, last, h->last_tid,
					  last_when(h)))
			return true;
	}
	for (size_t i = 0; i < ring->nr_traces; i++) {
		const struct trace *t = &ring->traces[i];
		bool dated = t->committed && t->kind != TRACE_BAD;

		if (t->kind != TRACE_FOREIGN &&
		    (t->tid != begun || t->committed) &&
		    is_later(ring, last, t->tid, dated ? t->when : UINT64_MAX))
			return true;
	}
	return false;
}

/* ---------------------------------------------------------------- histories */

/* Does number @i of @found begin a history?  Then it follows nothing. */
static bool begins(const struct e2lazy_ring *ring, size_t i)
{
	return !follows(ring, ahead_of(ring, i), &ring->found[i]);
}

/* @a if it ends right before @b, else NULL. */
static const struct found *beside(const struct e2lazy_ring *ring,
				  const struct found *a, const struct found *b)
{
	return is_adjacent(&ring->journal->geo, a, b) ? a : NULL;
}

/* The first and the last of the times that are known. */
static void take_time(struct e2lazy_ring *ring, struct e2lazy_history *h,
		      const struct found *f)
{
	if (!f->sec) {
		ring->counts.undated++;
		return;
	}
	if (!h->first_sec) {
		h->first_sec = f->sec;
		h->first_nsec = f->nsec;
	}
	h->last_sec = f->sec;
	h->last_nsec = f->nsec;
}

/* Make a history of number @i and all that follow it, around the ring. */
static void collect(struct e2lazy_ring *ring, struct e2lazy_history *h,
		    size_t i)
{
	const struct found *f = &ring->found[i], *next;

	*h = (struct e2lazy_history){
		.first = (uint32_t)i, .first_tid = f->tid, .pieces = 1,
		.begins = begin_of(ring, f, ahead_of(ring, i),
				   beside(ring, ahead_of(ring, i), f)),
	};
	for (;; f = next) {
		ring->found[i].history = 0;
		h->count++;
		h->is_log |= f->in_log;
		take_time(ring, h, f);
		i = behind(ring, i);
		next = &ring->found[i];
		if (next->history != NO_HISTORY || !follows(ring, f, next))
			break;
		h->pieces += next->tid != f->tid + 1;
	}
	h->last_tid = f->tid;
	h->ends = end_of(ring, f, beside(ring, f, next) ? next : NULL);
}

/* Take histories with a begin first, then any closed ring without one. */
static uint32_t collect_all(struct e2lazy_ring *ring)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < ring->nr_found; i++)
		ring->found[i].history = NO_HISTORY;
	for (int any = 0; any < 2; any++)
		for (size_t i = 0; i < ring->nr_found; i++)
			if (ring->found[i].history == NO_HISTORY &&
			    (any || begins(ring, i)))
				collect(ring, &ring->histories[nr++], i);
	return nr;
}

/* Sort @found by history; a history then has indices into it. */
static errcode_t sort_found(struct e2lazy_ring *ring)
{
	struct found *sorted = calloc(ring->nr_found + 1, sizeof(*sorted));
	uint32_t to = 0;

	if (!sorted)
		return EXT2_ET_NO_MEMORY;
	for (uint32_t n = 0; n < ring->nr_histories; n++) {
		struct e2lazy_history *h = &ring->histories[n];
		size_t from = h->first;

		h->first = to;
		for (uint32_t i = 0; i < h->count; i++) {
			sorted[to] = ring->found[from];
			sorted[to++].history = n;
			from = behind(ring, from);
		}
	}
	free(ring->found);
	ring->found = sorted;
	ring->room = ring->nr_found + 1;
	return 0;
}

/* The longest range that a single walk passes. */
static struct e2lazy_range first_piece(const struct e2lazy_ring *ring,
				       uint32_t first, uint32_t count,
				       uint32_t *taken)
{
	const struct e2lazy_geometry *g = &ring->journal->geo;
	const struct found *f = &ring->found[first];
	struct e2lazy_range range = { .start = f->start, .tid = f->tid };

	*taken = 0;
	do {
		range.blocks += found_blocks(g, f++);
		++*taken;
	} while (*taken < count && f->tid == f[-1].tid + 1);
	return range;
}

/* The log may be in use without a committed transaction. */
static bool has_log(const struct e2lazy_ring *ring)
{
	for (uint32_t n = 0; n < ring->nr_histories; n++)
		if (ring->histories[n].is_log)
			return true;
	return false;
}

static void finish(struct e2lazy_ring *ring)
{
	bool log = has_log(ring);

	for (uint32_t n = 0; n < ring->nr_histories; n++) {
		struct e2lazy_history *h = &ring->histories[n];
		uint32_t taken;

		h->reaches_now = n + 1 == ring->nr_histories &&
				 h->is_log == log &&
				 !has_later(ring, h);
		h->range = first_piece(ring, h->first, h->count, &taken);
		if (h->reaches_now)
			h->ends = E2LAZY_EDGE_NEWEST;
	}
}

errcode_t make_histories(struct e2lazy_ring *ring)
{
	errcode_t err;

	mark_log(ring);
	err = drop_strangers(ring);
	if (err)
		return err;
	ring->histories = calloc(ring->nr_found + 1, sizeof(*ring->histories));
	if (!ring->histories)
		return EXT2_ET_NO_MEMORY;
	if (ring->nr_traces)
		qsort(ring->traces, ring->nr_traces, sizeof(*ring->traces),
		      compare_tids);
	ring->tids = calloc(ring->nr_found + 1, sizeof(*ring->tids));
	if (!ring->tids)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < ring->nr_found; i++)
		ring->tids[i] = ring->found[i].tid;
	qsort(ring->tids, ring->nr_found, sizeof(*ring->tids),
	      compare_numbers);
	ring->nr_histories = collect_all(ring);
	err = order_histories(ring);
	if (!err)
		err = sort_found(ring);
	if (!err)
		finish(ring);
	return err;
}

struct e2lazy_range *e2lazy_ring_ranges(const struct e2lazy_ring *ring,
					uint32_t first, uint32_t count,
					uint32_t *nr_ranges)
{
	struct e2lazy_range *ranges;
	uint32_t most = 1, taken;

	*nr_ranges = 0;
	for (uint32_t i = 1; i < count; i++)
		most += ring->found[first + i].tid !=
			ring->found[first + i - 1].tid + 1;
	ranges = calloc(most, sizeof(*ranges));
	while (ranges && count) {
		ranges[(*nr_ranges)++] = first_piece(ring, first, count,
						     &taken);
		first += taken;
		count -= taken;
	}
	return ranges;
}
