/* SPDX-License-Identifier: GPL-2.0-only */
/* stretch.c - --tail, --ring, --history: the options that select a stretch of
   the ring */
#include <stdlib.h>

#include "at_time.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

errcode_t opened_ring(struct opened *o, const struct limits *limits,
		      const struct e2lazy_watch *watch)
{
	const struct e2lazy_ring_opts opts = {
		.flags = limits->check_data ? E2LAZY_RING_DATA : 0,
		.watch = watch,
	};

	return o->ring ? 0 : e2lazy_ring_scan(o->journal, &opts, &o->ring,
					      NULL);
}

/* ------------------------------------------------------------- a history */

static bool choose_history(const struct opened *o, const struct limits *limits,
			   struct e2lazy_history *history, uint32_t *number)
{
	uint32_t nr = e2lazy_ring_counts(o->ring)->histories;

	*number = limits->ring ? nr : limits->history;
	if (!nr)
		complain(o->device, _("the ring holds no whole transaction"));
	else if (*number > nr)
		complain(o->device, P_("history %u: the ring has %u history",
				       "history %u: the ring has %u histories",
				       nr), *number, nr);
	else
		e2lazy_ring_history(o->ring, *number - 1, history);
	return nr && *number <= nr;
}

/* A mount leaves out an id, which no view can be of. */
static bool has_until(const struct opened *o, const struct limits *limits,
		      const struct e2lazy_history *h, uint32_t number)
{
	struct e2lazy_ring_txn txn;

	if (!limits->until_set)
		return true;
	for (uint32_t i = 0; i < h->count; i++) {
		e2lazy_ring_txn(o->ring, h->first + i, &txn);
		if (txn.txn.tid == limits->until)
			return true;
	}
	complain(o->device, _("transaction %u: history %u has transactions %u "
			      "to %u, but for those that a mount leaves out"),
		 limits->until, number, h->first_tid, h->last_tid);
	return false;
}

static bool take_history(struct opened *o, const struct limits *limits)
{
	struct e2lazy_history h;
	uint32_t number;

	if (!choose_history(o, limits, &h, &number) ||
	    !has_until(o, limits, &h, number))
		return false;
	o->ranges = e2lazy_ring_ranges(o->ring, h.first, h.count,
				       &o->nr_ranges);
	if (!o->ranges)
		device_complain(o->device, NULL, EXT2_ET_NO_MEMORY, 0);
	return o->ranges;
}

/* ----------------------------------------------------------------- a tail */

/* The transaction that begins there, if the user does not say. */
static bool find_tid(const struct opened *o, uint32_t logblk, uint32_t *tid)
{
	uint32_t count = e2lazy_ring_counts(o->ring)->txns;
	struct e2lazy_ring_txn txn;

	for (uint32_t i = 0; i < count; i++) {
		e2lazy_ring_txn(o->ring, i, &txn);
		if (txn.txn.start != logblk)
			continue;
		*tid = txn.txn.tid;
		return true;
	}
	complain(o->device, _("log block %u: no whole transaction begins "
			      "there; name it as LOGBLK:TID"), logblk);
	return false;
}

static bool take_tail(struct opened *o, const struct limits *limits)
{
	struct e2lazy_range range = { .start = limits->tail,
				      .tid = limits->tail_tid };

	if (range.start < o->geo->first || range.start >= last_end(o->geo)) {
		complain(o->device, _("log block %u: the ring has blocks %u to "
				      "%u"), range.start, o->geo->first,
			 last_end(o->geo) - 1);
		return false;
	}
	if (!limits->tail_tid_set && !find_tid(o, range.start, &range.tid))
		return false;
	o->ranges = malloc(sizeof(range));
	if (!o->ranges) {
		device_complain(o->device, NULL, EXT2_ET_NO_MEMORY, 0);
		return false;
	}
	o->ranges[o->nr_ranges++] = range;
	return true;
}

static bool scan_ring(struct opened *o, const struct limits *limits,
		      const struct e2lazy_watch *watch)
{
	errcode_t err = opened_ring(o, limits, watch);

	if (err && err != E2LAZY_ET_CANCELLED)
		device_complain(o->device, NULL, err, 0);
	return !err;
}

static bool take_stretch(struct opened *o, const struct limits *limits,
			 const struct e2lazy_watch *watch)
{
	if (!limits_stretch(limits))
		return true;
	return scan_ring(o, limits, watch) &&
	       (limits->tail_set ? take_tail(o, limits) :
				   take_history(o, limits));
}

/* -------------------------------------------------------------- and a time */

static bool find_span(const struct opened *o, const struct limits *limits,
		      struct txn_span *span)
{
	errcode_t err = opened_span(o, &limits->at, span);

	if (err)
		device_complain(o->device, NULL, err, 0);
	return !err;
}

/* The log comes first; without a transaction of that time, the ring counts. */
static bool take_time(struct opened *o, struct limits *limits,
		      const struct e2lazy_watch *watch)
{
	struct txn_span span;

	if (!find_span(o, limits, &span))
		return false;
	if (!span_has(&span, &limits->at) && !limits_stretch(limits) &&
	    (!scan_ring(o, limits, watch) || !find_history_at(o, limits) ||
	     !take_history(o, limits) || !find_span(o, limits, &span)))
		return false;
	if (!span_has(&span, &limits->at)) {
		span_complain(o, limits, &span);
		return false;
	}
	limits->until = span.at_tid;
	limits->until_set = true;
	return true;
}

bool opened_stretch(struct opened *o, struct limits *limits,
		    const struct e2lazy_watch *watch)
{
	return take_stretch(o, limits, watch) &&
	       (!limits->at_text || limits->until_set ||
		take_time(o, limits, watch));
}
