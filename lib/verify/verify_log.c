/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_log.c - the structure of the log: its end, tags and times
 *
 * This step walks once more through the control blocks of all committed
 * transactions.  What their commit times say is in times.c.
 */

#include <stdlib.h>

#include "map/jmap.h"
#include "times.h"
#include "verify.h"

/* ------------------------------------------------------------- its end */

static void find_at(struct verify *v, enum problem problem, uint32_t logblk,
		    uint32_t tid, errcode_t error)
{
	struct spot spot = { .has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID,
			     .logblk = logblk, .tid = tid };

	verify_found(v, problem, &spot, error);
}

/* An unreadable block may hide a later transaction. */
static void find_unreadable(struct verify *v)
{
	const struct look *look = &v->proof.look;
	struct e2lazy_where where = { .volume = E2LAZY_JOURNAL,
				      .has = E2LAZY_AT_LOGBLK,
				      .logblk = look->first_unreadable };

	if (!look->unreadable)
		return;
	verify_found_where(v, PROBLEM_UNREADABLE, look->unreadable, &where,
			   look->why_unreadable);
}

/* The blocks past the end tell an end from a hole. */
static errcode_t look_beyond(struct verify *v)
{
	const struct e2lazy_end *end = v->end;
	const struct end_proof *proof = &v->proof;
	const struct end_proof_opts opts = {
		.quick = !(v->opts->flags & E2LAZY_VERIFY_CONTENT),
		.watch = v->opts->watch,
	};
	errcode_t err;

	/* See verify_discarded.c and verify_dropped.c. */
	if (end->reason == E2LAZY_END_EMPTY || end->reason == E2LAZY_END_UNTIL)
		return 0;
	err = end_proof_look(&v->proof, v->journal, end, &opts);
	if (err)
		return err;
	find_unreadable(v);
	if (proof->strays)
		find_at(v, PROBLEM_TAIL_CONTRADICTED,
			proof->first_stray->logblk, proof->first_stray->tid, 0);
	/* Whoever only glances shows how far the look went. */
	if (!proof->proven && !(v->opts->flags & E2LAZY_VERIFY_GLANCE))
		find_at(v, PROBLEM_END_NOT_PROVEN, end->head, end->tid, 0);
	if (proof->verdict == E2LAZY_BEYOND_DAMAGE)
		find_at(v, PROBLEM_LATER_TRANSACTIONS, proof->first->logblk,
			proof->first->tid, 0);
	else if (proof->verdict == E2LAZY_BEYOND_UNCOMMITTED && !end->error)
		find_at(v, PROBLEM_UNCOMMITTED_TAIL, end->head, end->tid, 0);
	if (proof->verdict == E2LAZY_BEYOND_DAMAGE || end->error)
		return verify_lost_to_damage(v);
	return 0;
}

static errcode_t verify_end(struct verify *v)
{
	const struct e2lazy_end *end = v->end;
	enum problem problem = problem_of(end->error);

	if (problem != NR_PROBLEMS)
		find_at(v, problem, end->stop, end->tid, 0);
	else if (end->error)
		find_at(v, PROBLEM_UNREADABLE, end->stop, end->tid, end->error);
	if (end->walked == ring_size(&v->journal->geo))
		verify_found(v, PROBLEM_FULL, NULL, 0);
	return look_beyond(v);
}

/* -------------------------------------------------------- transactions */

struct saying {
	struct verify	*verify;
	struct records	tags;		/* of the current transaction */
	size_t		near;		/* for relogged_note() */
	struct times	times;
};

static errcode_t remember(struct records *list, const struct e2lazy_event *ev)
{
	struct record r = { .flags = (uint16_t)ev->flags,
			    .logblk = ev->logblk, .tid = ev->tid };

	record_set_fsblk(&r, ev->fsblk);
	return records_add(list, &r);
}

/*
 * For verify_escapes(): a cleaner may have copied this one without its flag.  A
 * revoked copy is a matter of verify_relogged.c.
 */
static errcode_t take_escaped(struct verify *v, const struct e2lazy_event *ev)
{
	struct e2lazy_copy live;

	if (e2lazy_jmap_lookup(v->map, ev->fsblk, &live) ||
	    live.flags & E2LAZY_COPY_ESCAPED ||
	    e2lazy_jmap_state(v->map, ev) != E2LAZY_SUPERSEDED)
		return 0;
	return remember(&v->escaped, ev);
}

/* A copy past the file system, but on its device, may have been revoked. */
static void take_refused(struct verify *v, const struct e2lazy_event *ev,
			 const struct e2lazy_copy *copy)
{
	if (e2lazy_jmap_state(v->map, ev) == E2LAZY_REFUSED)
		verify_found_copy(v, ev->flags & E2LAZY_COPY_IN_JOURNAL ?
			      PROBLEM_TAG_IN_JOURNAL : PROBLEM_TAG_OUTSIDE,
			   copy, 0);
}

static errcode_t take_tag(struct saying *s, const struct e2lazy_event *ev)
{
	struct verify *v = s->verify;
	struct e2lazy_copy copy = { .fsblk = ev->fsblk, .logblk = ev->logblk,
				    .tid = ev->tid };
	errcode_t err = 0;

	if (ev->flags & E2LAZY_COPY_DELETED)
		verify_found_copy(v, PROBLEM_DELETED_TAG, &copy, 0);
	if (ev->flags & E2LAZY_COPY_IN_JOURNAL ||
	    jmap_is_outside(v->map, ev->fsblk)) {
		take_refused(v, ev, &copy);
		return 0;
	}
	if (ev->flags & E2LAZY_COPY_ESCAPED)
		err = take_escaped(v, ev);
	if (!err)
		err = relogged_note(v, ev, &s->near);
	return err ? err : remember(&s->tags, ev);
}

/* jbd2 logs a block at most once in a transaction. */
static errcode_t take_commit(struct saying *s, const struct e2lazy_event *ev)
{
	const struct record *r = s->tags.at;
	errcode_t err;

	if (ev->txn->csum == E2LAZY_UNCHECKED)
		s->verify->unproven = true;
	if (ev->txn->torn)
		find_at(s->verify, PROBLEM_TORN_COMMIT, ev->logblk, ev->tid, 0);
	err = times_take(&s->times, ev);
	if (!err)
		err = records_sort(&s->tags);
	for (size_t i = 1; !err && i < s->tags.nr; i++) {
		struct e2lazy_copy copy;

		r = &s->tags.at[i];
		if (record_fsblk(r) != record_fsblk(r - 1))
			continue;
		copy.fsblk = record_fsblk(r);
		copy.logblk = r->logblk;
		copy.tid = r->tid;
		verify_found_copy(s->verify, PROBLEM_DUPLICATE_TAG, &copy, 0);
	}
	s->tags.nr = 0;
	return err;
}

static errcode_t take_event(void *priv, const struct e2lazy_event *ev)
{
	if (ev->kind == E2LAZY_EV_TAG)
		return take_tag(priv, ev);
	return ev->kind == E2LAZY_EV_COMMIT ? take_commit(priv, ev) : 0;
}

static errcode_t tick(void *priv, uint32_t tid)
{
	struct verify *v = ((struct saying *)priv)->verify;
	uint32_t first = v->journal->geo.sequence;

	return verify_tick(v, E2LAZY_PHASE_TXNS, tid - first,
			   v->end->tid - first);
}

errcode_t verify_log(struct verify *v)
{
	struct saying saying = { .verify = v };
	errcode_t err = verify_end(v);

	times_init(&saying.times, v);

	if (!err)
		err = verify_walk(v, take_event, tick, &saying);
	if (!err)
		err = times_judge(&saying.times);
	records_free(&saying.tags);
	times_free(&saying.times);
	return err;
}
