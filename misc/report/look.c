/* SPDX-License-Identifier: GPL-2.0-only */
/* look.c - fills all pictures, with one walk through the log */
#include "report.h"
#include "support/status.h"

/* Copies between two looks at the clock. */
#define TICK	16384

struct looking {
	struct report	*r;
	const struct e2lazy_jmap *map;
	uint64_t	live;		/* of the transaction that goes on */
	uint64_t	copies, total;	/* seen so far, and in the log */
};

static void take_tag(struct looking *l, const struct e2lazy_event *ev,
		     enum e2lazy_copy_state state)
{
	ring_cell_of(&l->r->ring, ev->logblk)->blocks[state]++;
	if (state == E2LAZY_UNCOMMITTED || state == E2LAZY_STALE)
		return;
	l->live += state == E2LAZY_LIVE;
	groups_add(&l->r->groups, l->r->fs, ev->fsblk, state == E2LAZY_LIVE);
}

static void take_commit(struct looking *l, const struct e2lazy_txn *txn)
{
	ring_cover(&l->r->ring, txn);
	txns_add(&l->r->txns, txn, l->live);
	l->live = 0;
}

/* The transaction that broke off has blocks, too. */
static void take_end(struct looking *l, const struct e2lazy_end *end)
{
	if (end->open.descriptors || end->open.revoke_blocks)
		ring_cover(&l->r->ring, &end->open);
}

/* An event of the walk, whoever walks. */
static void take(void *priv, const struct e2lazy_event *ev,
		 enum e2lazy_copy_state state)
{
	struct looking *l = priv;

	if (ev->kind == E2LAZY_EV_TAG && l->copies++ % TICK == 0)
		progress_tick(&l->r->s->print.progress, l->copies, l->total);
	switch (ev->kind) {
	case E2LAZY_EV_TAG:	take_tag(l, ev, state);		break;
	case E2LAZY_EV_COMMIT:	take_commit(l, ev->txn);	break;
	case E2LAZY_EV_END:	take_end(l, ev->end);		break;
	case E2LAZY_EV_REVOKE:					break;
	}
}

static errcode_t walk_alone(struct looking *l)
{
	struct e2lazy_walk *walk;
	enum e2lazy_copy_state state = E2LAZY_LIVE;
	struct e2lazy_event ev;
	errcode_t err = session_walk(l->r->s, &walk);

	if (err)
		return err;
	do {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_TAG)
			state = e2lazy_jmap_state(l->map, &ev);
		take(l, &ev, state);
	} while (ev.kind != E2LAZY_EV_END && !cancelled());
	e2lazy_walk_close(walk);
	return 0;
}

static void count_bands(void *priv, blk64_t block, uint32_t count)
{
	e2lazy_band_write(priv, block, count);
}

/* A plan walks through the log, too: one walk serves both. */
static errcode_t walk_with_plan(struct looking *l)
{
	struct report *r = l->r;
	const struct e2lazy_subject subject = opened_subject(r->s->log);
	const struct e2lazy_watch watch = { .stop = session_stop };
	const struct e2lazy_plan_opts opts = {
		.memory = r->memory, .watch = &watch,
		.throughput = r->throughput,
		.seek_us = PLAN_SEEK_US,
		.checkpoint = { count_bands, &r->checkpoint },
		.replay = { count_bands, &r->replay },
		.seen = take, .priv = l,
	};
	errcode_t err;

	r->checkpoint.model.band_bytes = r->info.band;
	r->checkpoint.blocksize = r->s->log->geo->blocksize;
	r->replay = r->checkpoint;
	err = e2lazy_plan(&subject, r->info.verdict, &opts, &r->plan);
	r->planned = !err;
	return err;
}

/* A view of an earlier time has no verdict, so no plan. */
static bool look_at_log(struct report *r)
{
	const uint64_t *states = r->s->log->stats->states;
	struct looking l = { .r = r, .map = r->s->log->map };
	errcode_t err;

	for (unsigned i = 0; i < E2LAZY_NR_STATES; i++)
		l.total += states[i];
	progress_begin(&r->s->print.progress, PHASE_COPIES);
	err = r->info.verdict && r->info.live ? walk_with_plan(&l) :
						walk_alone(&l);
	progress_end(&r->s->print.progress);
	if (err)
		session_fail(r->s, err, NULL);
	return !err && !cancelled();
}

/* Is the block in the stretch that the walk has gone through? */
static bool in_log(const struct session *s, uint32_t logblk)
{
	return s->log->end->reason != E2LAZY_END_EMPTY &&
	       session_position(s, logblk) < s->log->end->walked;
}

static bool look_at_rest(struct report *r)
{
	const struct e2lazy_ring *ring;
	struct e2lazy_ring_txn t;
	uint32_t count;

	if (r->quick || r->s->log->nr_ranges)
		return true;
	ring = session_ring(r->s);
	if (!ring)
		return false;
	count = e2lazy_ring_counts(ring)->txns;
	for (uint32_t i = 0; i < count; i++) {
		e2lazy_ring_txn(ring, i, &t);
		if (!in_log(r->s, t.txn.start))
			ring_cover_old(&r->ring, &t.txn);
	}
	return true;
}

bool report_look(struct report *r)
{
	const struct opened *log = r->s->log;
	bool ok;

	info_gather(&r->info);
	r->fs = log->layout ? e2lazy_layout_fs(log->layout) :
			      e2lazy_static_fs(log->journal);
	ring_begin(&r->ring, log->geo);
	groups_begin(&r->groups, r->fs);
	txns_begin(&r->txns, &log->times);
	ok = !cancelled() && look_at_log(r) && look_at_rest(r) &&
	     !cancelled();
	ring_end(&r->ring, r->quick || log->nr_ranges ? RING_UNREAD :
							RING_FREE);
	groups_end(&r->groups);
	txns_end(&r->txns);
	return ok;
}
