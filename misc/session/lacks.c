/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lacks.c - what the log holds, or has overwritten, and a view has not
 */
#include <string.h>

#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"
#include "lacks.h"

static int tell_broken(const char *device, const struct e2lazy_end *end)
{
	if (!end->error)
		return FSCK_OK;
	complain(device, _("not in the view: transaction %u and all after it"),
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

/* Of an earlier time: whether all that came later could be looked at. */
static int tell_later(const char *device, struct e2lazy_journal *journal,
		      const struct e2lazy_view *view)
{
	const struct e2lazy_end *later = e2lazy_view_later(view);
	struct e2lazy_beyond beyond = { .verdict = E2LAZY_BEYOND_NOTHING };

	if (!later)
		return FSCK_OK;
	if (!later->error && later->reason != E2LAZY_END_EMPTY &&
	    e2lazy_beyond(journal, later, NULL, &beyond))
		return FSCK_ERROR;
	if (!later->error && beyond.verdict != E2LAZY_BEYOND_DAMAGE)
		return FSCK_OK;
	complain(device, _("the log breaks off before transaction %u: what "
			   "came after it may stand in the view as if it had "
			   "been there then"), later->tid);
	return FSCK_LEFT;
}

static int tell_fast_commits(const char *device,
			     struct e2lazy_journal *journal,
			     const struct e2lazy_end *end)
{
	const struct e2lazy_geometry *geo = e2lazy_geometry(journal);
	struct e2lazy_fc_summary found;
	struct e2lazy_where where;
	errcode_t err;

	/* They come on top of the newest transaction, which was not wanted. */
	if (end->reason == E2LAZY_END_UNTIL)
		return FSCK_OK;
	memset(&where, 0, sizeof(where));
	err = e2lazy_fc_scan(journal, end->tid, NULL, NULL, &found, &where);
	if (err) {
		device_complain(geo->external ? geo->journal_device : device,
				&where, err, 0);
		return FSCK_ERROR;
	}
	if (!found.valid)
		return FSCK_OK;
	complain(device, _("not in the view: the fast commits on top of the "
			   "log, %u records"), found.valid);
	return FSCK_LEFT;
}

int view_tell_lacks(const char *device, struct e2lazy_journal *journal,
		    const struct e2lazy_jmap *map,
		    const struct e2lazy_view *view)
{
	const struct e2lazy_end *end = e2lazy_jmap_end(map);

	return tell_broken(device, end) | tell_lost(device, view) |
	       tell_later(device, journal, view) |
	       tell_fast_commits(device, journal, end);
}
