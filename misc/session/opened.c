/* SPDX-License-Identifier: GPL-2.0-only */
/* opened.c - an open device, its log and its map */
#include <stdlib.h>
#include <sys/stat.h>

#include "at_time.h"
#include "io/grow.h"
#include "io/unread_io.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

/* The candidate that the user means, or NULL after a complaint. */
static const struct e2lazy_candidate *
choose(const struct opened *o, const struct e2lazy_salvage *found,
       const struct geometry *geometry)
{
	unsigned nr = (unsigned)e2lazy_salvage_count(found);
	unsigned number = geometry->number;

	if (!nr)
		complain(o->device, "%s", geometry_none(geometry));
	else if (number > nr)
		complain(o->device, P_("candidate %u: the log has %u candidate",
				       "candidate %u: the log has %u "
				       "candidates", nr), number, nr);
	return nr && number <= nr ?
	       e2lazy_salvage_candidate(found, number ? number - 1 : 0) : NULL;
}

/* Open by a candidate, which @opts borrows from @found. */
static bool salvage(struct opened *o, const struct geometry *geometry,
		    const struct e2lazy_watch *watch,
		    struct e2lazy_open_opts *opts)
{
	struct finding *why = &o->unopened;
	const struct e2lazy_candidate *c;

	why->error = geometry_find(o->device, opts, geometry, watch, &o->found,
				   &why->where);
	if (why->error) {
		why->count = 1;
		device_complain(opened_device(o, &why->where), &why->where,
				why->error, 0);
		return false;
	}
	c = choose(o, o->found, geometry);
	if (!c)
		return false;
	o->candidate = c;
	o->in_force = c->in_force;
	o->super_error = c->super_error;
	opts->geometry = &c->geometry;
	opts->runs = c->runs;
	opts->nr_runs = c->nr_runs;
	return true;
}

/* A file with no room for a superblock, which device_resolve() has told. */
static bool is_cut(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

bool opened_begin(struct opened *o, const char *name,
		  const struct e2lazy_open_opts *wanted,
		  const struct geometry *geometry, bool writes,
		  const struct e2lazy_watch *watch)
{
	struct e2lazy_open_opts opts = *wanted;
	struct finding *why = &o->unopened;

	o->device = device_resolve(name, opts.offset, writes);
	if (!o->device)
		return false;
	if (opts.journal) {
		o->journal_device = device_resolve(opts.journal, 0, writes);
		if (!o->journal_device) {
			why->error = is_cut(opts.journal) ?
				     E2LAZY_ET_DEVICE_SHORT : 0;
			return false;
		}
		opts.journal = o->journal_device;
	}
	if (opts.manager == unread_io_manager)
		unread_io_device(o->device);
	opts.journal_name = o->unopened_on;
	if (geometry && geometry->text && !salvage(o, geometry, watch, &opts))
		return false;
	why->error = device_open(o->device, &opts, &o->journal, &why->where);
	why->count = why->error != 0;
	if (!why->error)
		o->geo = e2lazy_geometry(o->journal);
	return !why->error;
}

static errcode_t note_time(void *priv, const struct e2lazy_txn *txn)
{
	struct commit_times *times = priv;
	struct instant *at;
	bool there;

	if (!times->count)
		times->first = txn->tid;
	do {	/* a mount leaves out an id */
		at = grow(times->at, times->count, &times->room, sizeof(*at));
		if (!at)
			return EXT2_ET_NO_MEMORY;
		times->at = at;
		there = times->first + (uint32_t)times->count == txn->tid;
		at[times->count++] = there ? (struct instant){
			txn->sec, txn->nsec } : (struct instant){ 0 };
	} while (!there);
	times->unknown += !txn->sec;
	return 0;
}

errcode_t opened_build(struct opened *o, const struct limits *limits,
		       unsigned flags, bool times,
		       const struct e2lazy_watch *watch)
{
	struct e2lazy_jmap_opts opts = {
		.flags = limits_flags(limits) | (flags & ~OPENED_RECOVER) |
			 (limits->behind ? E2LAZY_JMAP_BEHIND : 0),
		.until = limits->until,
		.commit = times ? note_time : NULL,
		.priv = &o->times,
		.range = o->ranges,
		.nr_ranges = o->nr_ranges,
		.watch = watch,
	};
	errcode_t err = e2lazy_jmap_build(o->journal, &opts, &o->map);

	if (!err && (limits->behind || flags & OPENED_RECOVER))
		err = e2lazy_jmap_recover(o->journal, &opts, &o->map);
	if (err)
		return err;
	o->limits = *limits;
	o->stats = e2lazy_jmap_stats(o->map);
	o->end = e2lazy_jmap_end(o->map);
	return 0;
}

static void tell_outside(const struct opened *o, uint32_t until)
{
	struct txn_span span;

	if (opened_span(o, NULL, &span) || !span.txns)
		complain(o->device, _("transaction %u: the log has no whole "
				      "transaction"), until);
	else
		complain(o->device, _("transaction %u: the log has "
				      "transactions %u to %u"), until,
			 span.first_tid, span.last_tid);
}

bool opened_reaches_until(const struct opened *o)
{
	const struct e2lazy_end *end = o->end;
	uint32_t until = o->limits.until;

	if (!o->limits.until_set)
		return true;
	if (end->reason == E2LAZY_END_EMPTY)
		complain(o->device, _("transaction %u: the log is empty"),
			 until);
	else if (end->reason == E2LAZY_END_UNTIL &&
		 !e2lazy_tid_after(opened_first_tid(o), until))
		return true;
	else
		tell_outside(o, until);
	return false;
}

errcode_t opened_view(struct opened *o, struct e2lazy_where *where)
{
	return o->view ? 0 : e2lazy_view_build(o->journal, o->map, &o->view,
					       where);
}

/* Fast commits follow the newest transaction. */
static bool wants_fast_commits(const struct opened *o)
{
	return !o->limits.no_fast_commits && o->geo->fc_blocks &&
	       !o->nr_ranges && o->end->reason != E2LAZY_END_UNTIL &&
	       !o->fast_error;
}

errcode_t opened_shown(struct opened *o, struct e2lazy_view **out,
		       struct e2lazy_where *where)
{
	struct e2lazy_where unused;
	errcode_t err = opened_view(o, where);

	if (!err && !o->shown && wants_fast_commits(o)) {
		err = e2lazy_view_build(o->journal, o->map, &o->shown, where);
		if (!err)
			o->fast_error = e2lazy_view_fast_commits(o->shown,
								 &o->fast,
								 &unused);
		if (o->fast_error) {
			e2lazy_view_free(o->shown);
			o->shown = NULL;
		}
	}
	*out = opened_what_is_shown(o);
	return err;
}

void opened_close(struct opened *o)
{
	e2lazy_owners_free(o->owners);
	e2lazy_view_free(o->shown);
	e2lazy_view_free(o->view);
	e2lazy_layout_free(o->layout);
	e2lazy_jmap_free(o->map);
	e2lazy_ring_free(o->ring);
	free(o->doubtful);
	e2lazy_salvage_free(o->found);
	if (!o->lent)
		e2lazy_close(o->journal);
	free(o->ranges);
	o->ranges = NULL;
	o->nr_ranges = 0;
	o->owners = NULL;
	o->doubtful = NULL;
	o->found = NULL;
	o->candidate = NULL;
	o->nr_doubtful = 0;
	o->view = NULL;
	o->shown = NULL;
	o->fast_error = 0;
	o->layout = NULL;
	o->map = NULL;
	o->ring = NULL;
	o->journal = NULL;
}

void opened_free(struct opened *o)
{
	opened_close(o);
	free(o->times.at);
	if (!o->lent) {
		free(o->journal_device);
		free(o->device);
	}
}

const char *opened_log_device(const struct opened *o)
{
	return o->geo->external ? o->geo->journal_device : o->device;
}

const char *opened_device(const struct opened *o,
			  const struct e2lazy_where *where)
{
	if (o->journal)
		return e2lazy_device(o->journal, where->volume)->name;
	return where->volume == E2LAZY_JOURNAL ? o->unopened_on : o->device;
}
