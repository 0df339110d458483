/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tail.c - the oldest transactions of a log, to be freed alone
 *
 * The tail moves behind them: to the first block of the oldest transaction that
 * stays, C.  Why does a replay from there on leave the same blocks?
 *
 *  - A copy of C or later.  Only a revoke record of the same or a later
 *    transaction voids it, and each of those stays.  So it is live now if and
 *    only if it was before.
 *  - A copy older than C.  It is gone, with the revoke records that voided
 *    older copies still: nothing is left that they could hold back.  If it was
 *    live, no copy of its block stays, so the checkpoint has brought it home
 *    before the tail moves.  If it was not, a later copy stays or was brought
 *    home, or a revoke has left the static block alone, as it is still.
 *
 * The newest transaction always stays.  Then the log's end, the tid E that is
 * due there, and the time of the last commit, which tells leftovers from
 * damage, are what they were.
 */

#include <string.h>

#include "log/log.h"
#include "map/jmap.h"
#include "map/super.h"
#include "verify/verdict.h"
#include "view/view.h"
#include "mend.h"

/* The copy is older than the tail; true without a tail. */
static bool tail_frees(const struct e2lazy_tail *tail,
		       const struct e2lazy_copy *copy)
{
	return !tail || e2lazy_tid_after(tail->tid, copy->tid);
}

/* Ring blocks that hold no log if it begins @freed blocks later. */
static uint32_t free_blocks(const struct e2lazy_subject *s, uint32_t freed)
{
	uint32_t walked = e2lazy_jmap_end(s->map)->walked;

	return ring_size(&s->journal->geo) - (walked - freed);
}

static bool is_enough(const struct e2lazy_subject *s,
		      const struct e2lazy_tail_want *want,
		      const struct e2lazy_tail *tail)
{
	switch (want->by) {
	case E2LAZY_TAIL_TIDS:
		return tail->txns >= want->least;
	case E2LAZY_TAIL_BLOCKS:
		return tail->blocks >= want->least;
	case E2LAZY_TAIL_FREE:
		return (uint64_t)tail->free_blocks * 100 >=
		       ring_size(&s->journal->geo) * want->least;
	}
	return true;
}

/* The tail before the transaction @txn; the ones before it are in @tail. */
static void move_tail(const struct e2lazy_subject *s,
		      const struct e2lazy_txn *txn, struct e2lazy_tail *tail)
{
	const struct e2lazy_geometry *g = &s->journal->geo;

	tail->tid = txn->tid;
	tail->start = txn->start;
	tail->blocks = ring_distance(g, g->start, txn->start);
	tail->free_blocks = free_blocks(s, tail->blocks);
}

static void count_live(const struct e2lazy_subject *s,
		       struct e2lazy_tail *tail, uint64_t copies)
{
	struct e2lazy_copy copy;

	for (size_t i = 0; i < e2lazy_jmap_count(s->map); i++) {
		e2lazy_jmap_get(s->map, i, &copy);
		tail->live += tail_frees(tail, &copy);
	}
	tail->dropped = copies - tail->live;
}

errcode_t e2lazy_tail_find(const struct e2lazy_subject *subject,
			   const struct e2lazy_tail_want *want,
			   struct e2lazy_tail *out)
{
	uint64_t copies = 0, before = 0;
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	uint32_t txns = 0;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	err = e2lazy_walk_open(subject->journal, NULL, 0, 0, &walk);
	if (err)
		return err;
	out->free_before = free_blocks(subject, 0);
	out->free_blocks = out->free_before;
	out->tid = subject->journal->geo.sequence;
	out->start = subject->journal->geo.start;
	do {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind != E2LAZY_EV_COMMIT)
			continue;
		out->txns = txns++;
		before = copies;
		copies += ev.txn->copies;
		move_tail(subject, ev.txn, out);
		out->enough = is_enough(subject, want, out);
	} while (ev.kind != E2LAZY_EV_END && !out->enough);
	e2lazy_walk_close(walk);
	if (txns)
		count_live(subject, out, before);
	else
		out->enough = true;
	return txns ? 0 : E2LAZY_ET_EMPTY_LOG;
}

bool tail_frees_super(const struct e2lazy_view *v,
		      const struct e2lazy_tail *tail)
{
	struct e2lazy_copy copy;

	return !e2lazy_jmap_lookup(v->map, super_fsblk(v->journal), &copy) &&
	       tail_frees(tail, &copy);
}

bool part_skips(void *priv, uint32_t slot, const struct e2lazy_copy *copy)
{
	struct part *part = priv;
	bool out, same;

	if (!tail_frees(part->tail, copy))
		return true;
	out = e2lazy_verdict_leaves_out(part->verdict, copy);
	same = !out && part->home && part->home->in_place &&
	       part->home->in_place[slot];
	part->left_out += out;
	part->in_place += same;
	return out || same;
}

/* ------------------------------------------------------------ permitting */

/* The answer writes each copy, as a replay does. */
static bool is_as_replayed(const struct e2lazy_verdict *v, size_t problem)
{
	return v->answers[problem] == E2LAZY_OTHERWISE &&
	       problem_table[problem].otherwise == E2LAZY_EFFECT_WRITE;
}

/*
 * A log that keeps a part must be sound: the rest of it is replayed later,
 * and then nobody asks.  Lost fast commits are no part of it.
 */
bool tail_is_sound(const struct e2lazy_verdict *v)
{
	for (size_t i = 0; i < NR_PROBLEMS; i++)
		if (v->findings[i].count && i != PROBLEM_FAST_COMMITS_CUT &&
		    problem_table[i].consent != E2LAZY_GO &&
		    !is_as_replayed(v, i))
			return false;
	return true;
}

uint64_t e2lazy_verdict_void_fast(const struct e2lazy_verdict *v)
{
	return verdict_fast_is_void(v) ?
	       v->findings[PROBLEM_FAST_COMMITS_STALE].count +
	       v->findings[PROBLEM_FAST_COMMITS_UNFINISHED].count : 0;
}

/*
 * A transaction after the log's end would void the fast commits, which count on
 * the number that it gets.
 */
bool e2lazy_verdict_is_sound(const struct e2lazy_verdict *v)
{
	return tail_is_sound(v) && !verdict_fast_waits(v) &&
	       !v->findings[PROBLEM_FAST_COMMITS_CUT].count;
}

/* Never believe a caller where the log begins: find it once more. */
errcode_t tail_admits(const struct e2lazy_verdict *verdict,
		      const struct e2lazy_tail *tail)
{
	struct e2lazy_tail found;
	bool clears = verdict_fast_is_void(verdict);
	errcode_t err;

	if (!tail_is_sound(verdict))
		return E2LAZY_ET_UNSOUND;
	err = e2lazy_tail_find(&verdict->subject,
			       &(struct e2lazy_tail_want){
				       E2LAZY_TAIL_TIDS, tail->txns }, &found);
	if (err && (err != E2LAZY_ET_EMPTY_LOG || !clears))
		return err;
	return (tail->txns || clears) && found.txns == tail->txns &&
	       found.tid == tail->tid && found.start == tail->start ?
	       0 : EXT2_ET_INVALID_ARGUMENT;
}
