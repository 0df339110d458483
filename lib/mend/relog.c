/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * relog.c - log live copies of the oldest transactions again, at the head
 *
 * The new transactions take the numbers from E on, the number that is due at
 * the head.  Each goes to the disk like one of a kernel: descriptors and
 * copies, flush; commit block, flush.  Only then does the next one begin, and
 * at the end of a round the tail moves.  A power cut leaves
 *
 *  - a transaction without a commit block: the log ends before it, as after any
 *    crash, and is the old one;
 *  - new transactions and the old tail: each new copy holds the same bytes as
 *    the live copy that it follows, so the log says the same as before;
 *  - the new tail: what was live before it is live in the new transactions.
 *
 * No revoke record comes along.  One in a freed transaction voids copies of
 * that one and older ones only, and they are freed, too; one that stays is
 * older than E, and voids no copy that was live.
 *
 * The free part of the ring may hold blocks with the numbers of the new
 * transactions.  They are cleared before the first round (broken_off.c).  Fast
 * commits of a later number would come to count, so a log with them is no sound
 * one.
 *
 * Fast commits of an older transaction do not count, but e2fsck 1.47 fails at
 * them and drops the log.  So their first block is cleared before all else.  In
 * a log without a transaction that is all: there is no round.
 *
 * A copy that equals its static block may be dropped instead: the static block
 * is flushed first, and once the tail has moved no copy of that block is left.
 *
 * A log that begins to wrap beside a fast-commit area is refused, see jmap_wraps().
 *
 * What was written can be read back: the copies before their commit block is
 * written, so that bad ones never count, and the commit block before the tail
 * moves.
 */

#include <stdlib.h>
#include <string.h>

#include "keep_old.h"
#include "map/jmap.h"
#include "relog_txn.h"
#include "verify/verdict.h"

/* --------------------------------------------------------------- a round */

/* The oldest transaction that is left; all are gone: the first new one. */
static struct e2lazy_tail tail_after(const struct relog *r)
{
	const struct e2lazy_end *end = e2lazy_jmap_end(r->view->map);
	const struct rounds *rounds = &r->rounds;
	bool none_left = rounds->to == rounds->count;

	return (struct e2lazy_tail){
		.start = none_left ? end->head : rounds->txns[rounds->to].start,
		.tid = relog_journal(r)->geo.sequence + rounds->to,
		.txns = rounds->to,
	};
}

static errcode_t move_tail(struct relog *r)
{
	const struct e2lazy_tail tail = tail_after(r);
	struct steps steps = {
		.view = r->view, .tail = &tail, .relogged = true,
	};
	struct seal_table table = { .count = 1, .steps = {
		step_shorten(&steps),
	} };

	return seal_follow(&r->target, &table, r->where);
}

static errcode_t do_round(struct relog *r)
{
	errcode_t err = 0;

	r->left = r->rounds.live;
	r->slot = 0;
	if (!r->left && r->rounds.needed)
		err = relog_txn(r);
	while (!err && r->left)
		err = relog_txn(r);
	return err ? err : move_tail(r);
}

/*
 * A replay then needs the flag; copies that are dropped because their static
 * blocks equal them need these blocks on the disk.
 */
static errcode_t first_steps(struct steps *steps, struct relog *r,
			     struct seal_table *out)
{
	errcode_t err = steps_find_area(steps, r->verdict, true);

	*out = (struct seal_table){ .count = 4, .steps = {
		step_announce(steps),
		{ .skip = !r->rounds.home, .flush = true,
		  .outcome = SEAL_REDO },
		step_clear_area(steps),
		broken_off_step(&r->broken_off, &r->target, r->where),
	} };
	return err;
}

static errcode_t announce(struct relog *r)
{
	struct steps steps = { .view = r->view };
	struct seal_table table;
	errcode_t err = first_steps(&steps, r, &table);

	return err ? err : seal_follow(&r->target, &table, r->where);
}

static errcode_t do_rounds(struct relog *r)
{
	errcode_t err = announce(r);

	while (!err && rounds_next(&r->rounds)) {
		err = do_round(r);
		r->done->passes += !err;
	}
	r->done->begun = r->target.begun;
	r->verdict->used |= r->target.begun;
	r->done->sealed = !err;
	return err;
}

/* ------------------------------------------------------------ all of it */

/* The superblock, if it is announced; the journal superblock; the log. */
static errcode_t keep(struct relog *r, struct keep_old *old, uint32_t blocks)
{
	const struct e2lazy_geometry *g = &relog_journal(r)->geo;
	const struct e2lazy_tail tail = { .start = g->start };
	struct steps steps = {
		.view = r->view, .tail = &tail, .relogged = true,
	};
	struct seal_table table;
	errcode_t err = first_steps(&steps, r, &table);

	if (err)
		return err;
	table.steps[table.count++] = step_shorten(&steps);
	old->target = &r->target;
	old->table = &table;
	old->log_from = r->head;
	old->log_count = blocks < ring_size(g) ? blocks : ring_size(g);
	old->broken_off = &r->broken_off;
	return keep_old(old);
}

const struct e2lazy_finding *
e2lazy_verdict_bars_relog(const struct e2lazy_verdict *verdict)
{
	const struct e2lazy_finding *bad =
		&verdict->findings[PROBLEM_BAD_COPY_AT_HOME];

	return bad->count ? bad : NULL;
}

static errcode_t begin(struct relog *r, const struct e2lazy_plan_opts *opts,
		       uint32_t *blocks)
{
	const struct e2lazy_end *end = e2lazy_jmap_end(r->view->map);
	struct e2lazy_relog plan;
	errcode_t err;

	err = rounds_init(&r->rounds, &r->verdict->subject, opts);
	if (!err)
		err = relog_plan(&r->rounds, NULL, &plan);
	if (!err && !plan.fits)
		err = E2LAZY_ET_NO_ROOM;
	if (!err && plan.wraps)
		err = E2LAZY_ET_WOULD_WRAP;
	if (err)
		return err;
	err = relog_find_broken_off(&r->broken_off, &r->rounds, &plan,
				    opts->watch);
	if (err)
		return err;
	rounds_rewind(&r->rounds);
	*blocks = plan.blocks;
	r->to_log = plan.copies;
	r->head = end->head;
	r->tid = end->tid;
	return relog_txn_begin(r);
}

static errcode_t write_all(void *priv)
{
	struct relog *r = priv;
	const struct e2lazy_plan_opts opts = {
		.tail = r->opts->tail, .flags = r->opts->flags,
		.watch = r->opts->watch,
	};
	uint32_t blocks = 0;
	errcode_t err = begin(r, &opts, &blocks);

	if (!err && r->opts->keeper)
		err = keep(r, r->old, blocks);
	if (!err)
		err = do_rounds(r);
	relog_txn_end(r);
	broken_off_free(&r->broken_off);
	rounds_free(&r->rounds);
	return err;
}

static errcode_t write_to_target(struct relog *r)
{
	errcode_t err = target_open(&r->target, r->view, r->opts->manager,
				    r->where);

	if (err)
		return err;
	r->done->cached = r->target.cached;
	return target_write(&r->target, r->opts, write_all, r, r->where);
}

static errcode_t admit_copies(const struct relog *r)
{
	const struct e2lazy_finding *bar = e2lazy_verdict_bars_relog(r->verdict);

	if (!bar)
		return 0;
	*r->where = bar->first;
	return E2LAZY_ET_UNSOUND;
}

static errcode_t admit(const struct relog *r)
{
	const unsigned known = E2LAZY_CHECKPOINT_COMPARE |
			       E2LAZY_RELOG_DROP_HOME;
	errcode_t err = verdict_admits(r->verdict, r->view);

	if (!err && !e2lazy_verdict_is_sound(r->verdict))
		err = E2LAZY_ET_UNSOUND;
	if (!err)
		err = admit_copies(r);
	if (!err && !e2lazy_jmap_stats(r->view->map)->txns &&
	    !verdict_fast_is_void(r->verdict))
		err = E2LAZY_ET_EMPTY_LOG;
	if (!err && r->opts->tail)
		err = r->opts->tail->txns ?
		      tail_admits(r->verdict, r->opts->tail) :
		      EXT2_ET_INVALID_ARGUMENT;
	return !err && r->opts->flags & ~known ? EXT2_ET_INVALID_ARGUMENT : err;
}

errcode_t e2lazy_relog(struct e2lazy_view *view, struct e2lazy_verdict *verdict,
		       const struct e2lazy_checkpoint_opts *opts,
		       struct e2lazy_checkpoint_done *done,
		       struct e2lazy_where *where)
{
	static const struct e2lazy_checkpoint_opts plain;
	struct relog r = {
		.view = view, .verdict = verdict, .done = done, .where = where,
		.opts = opts ? opts : &plain,
	};
	struct keep_old old = {
		.keeper = r.opts->keeper, .where = where,
		.watch = r.opts->watch,
	};
	errcode_t err;

	r.old = &old;
	memset(done, 0, sizeof(*done));
	memset(where, 0, sizeof(*where));
	err = admit(&r);
	if (!err)
		err = keep_old_begin(&old, view);
	if (!err)
		err = write_to_target(&r);
	keep_old_free(&old);
	return err;
}
