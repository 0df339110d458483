/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * at_time.c - --at: the last transaction that was committed by a time
 *
 * The commit time decides.  A clock that went back makes the times of a stretch
 * descend; the last transaction in its order counts then.
 */
#include <string.h>

#include "at_time.h"
#include "support/nls.h"
#include "support/status.h"

/* 0 is no time. */
static void take_time(struct txn_span *span, struct instant when)
{
	if (!when.sec)
		return;
	if (!span->earliest.sec || instant_before(when, span->earliest))
		span->earliest = when;
	if (instant_before(span->latest, when))
		span->latest = when;
}

errcode_t opened_span(const struct opened *o, const struct when *at,
		      struct txn_span *span)
{
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	errcode_t err = e2lazy_walk_ranges(o->journal, o->ranges,
					   o->nr_ranges ? o->nr_ranges : 1, 0,
					   0, &walk);

	memset(span, 0, sizeof(*span));
	if (err)
		return err;
	do {
		struct instant when;

		e2lazy_walk_next(walk, &ev);
		if (ev.kind != E2LAZY_EV_COMMIT)
			continue;
		when = (struct instant){ ev.txn->sec, ev.txn->nsec };
		if (!span->txns++)
			span->first_tid = ev.tid;
		span->last_tid = ev.tid;
		take_time(span, when);
		if (at && when.sec && !instant_before(at->last, when))
			span->at_tid = ev.tid;
	} while (ev.kind != E2LAZY_EV_END && !cancelled());
	e2lazy_walk_close(walk);
	return 0;
}

bool span_has(const struct txn_span *span, const struct when *at)
{
	return span->earliest.sec && !instant_before(at->last, span->earliest) &&
	       !instant_before(span->latest, at->first);
}

void span_complain(const struct opened *o, const struct limits *limits,
		   const struct txn_span *span)
{
	char earliest[INSTANT_TEXT], latest[INSTANT_TEXT];

	instant_text(earliest, span->earliest);
	instant_text(latest, span->latest);
	if (!span->txns)
		complain(o->device, _("time %s: no transaction is there"),
			 limits->at_text);
	else if (!span->earliest.sec)
		complain(o->device, _("time %s: transactions %u to %u have no "
				      "commit times"), limits->at_text,
			 span->first_tid, span->last_tid);
	else
		complain(o->device, _("time %s: transactions %u to %u are from "
				      "%s to %s"), limits->at_text,
			 span->first_tid, span->last_tid, earliest, latest);
}

/* --------------------------------------------- any history of the ring */

static void history_span(const struct opened *o, uint32_t number,
			 struct txn_span *span)
{
	struct e2lazy_history h;

	e2lazy_ring_history(o->ring, number, &h);
	memset(span, 0, sizeof(*span));
	span->first_tid = h.first_tid;
	span->last_tid = h.last_tid;
	for (uint32_t i = 0; i < h.count; i++) {
		struct e2lazy_ring_txn txn;
		struct instant when;

		e2lazy_ring_txn(o->ring, h.first + i, &txn);
		when = (struct instant){ txn.txn.sec, txn.txn.nsec };
		span->txns++;
		take_time(span, when);
	}
}

static void join(struct txn_span *all, const struct txn_span *one)
{
	if (!all->earliest.sec ||
	    (one->earliest.sec &&
	     instant_before(one->earliest, all->earliest))) {
		all->earliest = one->earliest;
		all->first_tid = one->first_tid;
	}
	if (!all->latest.sec || instant_before(all->latest, one->latest)) {
		all->latest = one->latest;
		all->last_tid = one->last_tid;
	}
	all->txns += one->txns;
}

bool find_history_at(const struct opened *o, struct limits *limits)
{
	uint32_t count = e2lazy_ring_counts(o->ring)->histories, found = 0;
	struct txn_span all = { .txns = 0 }, one;

	for (uint32_t i = 0; i < count; i++) {
		history_span(o, i, &one);
		join(&all, &one);
		if (!span_has(&one, &limits->at))
			continue;
		if (found) {
			complain(o->device, _("time %s: histories %u and %u "
					      "have transactions of that time; "
					      "choose one by --history"),
				 limits->at_text, found, i + 1);
			return false;
		}
		found = i + 1;
	}
	if (!found)
		span_complain(o, limits, &all);
	limits->history = found;
	limits->history_meant = found != 0;
	return found;
}
