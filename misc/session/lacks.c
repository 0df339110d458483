/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lacks.c - reports the contents that a view lacks
 */
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"
#include "opened.h"

static int tell_broken(const char *device, const struct e2lazy_end *end)
{
	if (!end->error)
		return FSCK_OK;
	complain(device, _("the view lacks transaction %u and all later ones"),
		 end->tid);
	return FSCK_LEFT;
}

static int tell_lost(const char *device, const struct e2lazy_view *view)
{
	struct e2lazy_where where = { .has = E2LAZY_AT_FSBLK };
	const blk64_t *lost;
	size_t count = e2lazy_view_lost(view, &lost);

	if (!count)
		return FSCK_OK;
	where.fsblk = lost[0];
	device_complain(device, &where, E2LAZY_ET_LOST, count - 1);
	return FSCK_LEFT;
}

/* For a view of an earlier time: could all later transactions be read? */
static int tell_later(const struct opened *o)
{
	const struct e2lazy_end *later = e2lazy_view_later(o->view);
	struct e2lazy_beyond beyond = { .verdict = E2LAZY_BEYOND_NOTHING };

	if (!later)
		return FSCK_OK;
	if (!later->error && later->reason != E2LAZY_END_EMPTY &&
	    e2lazy_beyond(o->journal, later, NULL, &beyond))
		return FSCK_ERROR;
	if (!later->error && beyond.verdict != E2LAZY_BEYOND_DAMAGE)
		return FSCK_OK;
	complain(o->device, _("the log breaks off before transaction %u: the "
			      "view may show later contents as if they were "
			      "older"), later->tid);
	return FSCK_LEFT;
}

static int tell_fast_commits(const struct opened *o)
{
	struct e2lazy_fc_summary found;
	struct e2lazy_where where = { .has = 0 };
	errcode_t err;

	/*
	 * Fast commits follow the newest transaction, which was not requested.
	 */
	if (o->nr_ranges || o->end->reason == E2LAZY_END_UNTIL || o->shown ||
	    o->limits.no_fast_commits)
		return FSCK_OK;
	err = e2lazy_fc_scan(o->journal, o->end->tid, NULL, NULL, &found,
			     &where);
	if (err) {
		device_complain(opened_log_device(o), &where, err, 0);
		return FSCK_ERROR;
	}
	if (!found.valid)
		return FSCK_OK;
	complain(o->device, P_("the view lacks %u fast-commit record on top of "
			       "the log",
			       "the view lacks %u fast-commit records on top "
			       "of the log", found.valid), found.valid);
	if (o->fast_error && o->fast.ino)
		complain(o->device, _("inode %u: %s"), o->fast.ino,
			 error_message(o->fast_error));
	else if (o->fast_error)
		complain(o->device, "%s", error_message(o->fast_error));
	return FSCK_LEFT;
}

static int tell_uncovered(const struct opened *o)
{
	if (!e2lazy_view_uncovered(o->view))
		return FSCK_OK;
	complain(o->device, _("the ring lacks transactions that came later: "
			      "the view has no metadata but what these "
			      "transactions logged"));
	return FSCK_LEFT;
}

static int tell_left_out(const struct opened *o)
{
	if (!o->left_out)
		return FSCK_OK;
	complain(o->device, P_("block %llu holds contents of a file: the view "
			       "leaves out its copy in the log, as e2lazyck "
			       "does (%s)",
			       "block %llu and others hold contents of files: "
			       "the view leaves out their copies in the log, "
			       "as e2lazyck does (%s)",
			       o->left_out),
		 (unsigned long long)o->left_out_first, o->left_out_why->id);
	return FSCK_LEFT;
}

int opened_tell_lacks(const struct opened *o)
{
	return tell_left_out(o) | tell_broken(o->device, o->end) | tell_lost(o->device, o->view) |
	       tell_later(o) | tell_uncovered(o) | tell_fast_commits(o);
}
