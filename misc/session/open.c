/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * open.c - from the command line to an open journal and its map
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session.h"
#include "support/device.h"
#include "io/grow.h"
#include "support/nls.h"
#include "support/status.h"
#include "until.h"

static bool color_wanted(const struct session *s)
{
	const char *no_color = getenv("NO_COLOR");

	if (s->json_wanted || s->color == COLOR_NEVER)
		return false;
	return s->color == COLOR_ALWAYS ||
	       (isatty(STDOUT_FILENO) && !(no_color && *no_color));
}

void session_colors(struct session *s)
{
	s->out.color = color_wanted(s);
}

static bool resolve_devices(struct session *s)
{
	s->device = device_resolve(s->operands[0], s->open.offset, s->writes);
	if (!s->device)
		return false;
	if (s->open.journal) {
		s->journal_device = device_resolve(s->open.journal, 0,
						   s->writes);
		s->open.journal = s->journal_device;
		return s->journal_device != NULL;
	}
	return true;
}

static bool open_journal(struct session *s)
{
	struct finding *why = &s->unopened;
	struct e2lazy_open_opts opts = s->open;

	opts.journal_name = s->unopened_on;
	why->error = device_open(s->device, &opts, &s->journal, &why->where);
	why->count = why->error != 0;
	return !why->error;
}

bool session_open(struct session *s)
{
	session_colors(s);
	if (s->lender) {
		if (!session_borrow(s))
			return false;
	} else if (!resolve_devices(s) ||
		   !open_journal(s)) {
		s->status |= FSCK_ERROR;
		return false;
	}
	s->progress.device = s->device;
	s->geo = e2lazy_geometry(s->journal);
	status_catch_signals();
	return true;
}

static errcode_t note_time(void *priv, const struct e2lazy_txn *txn)
{
	struct session *s = priv;
	struct commit_times *times = &s->times;
	uint64_t *sec = grow(times->sec, times->count, &times->room,
			     sizeof(*sec));

	if (!sec)
		return EXT2_ET_NO_MEMORY;
	times->sec = sec;
	if (!times->count)
		times->first = txn->tid;
	times->sec[times->count++] = txn->sec;
	return 0;
}

static unsigned walk_flags(const struct session *s)
{
	return (s->check_data ? E2LAZY_WALK_DATA : 0) |
	       (s->until_set ? E2LAZY_WALK_UNTIL : 0);
}

/* A log without the transaction asked for is not what the user has in mind. */
static bool reaches_until(struct session *s)
{
	char why[UNTIL_TEXT];

	if (!s->until_set ||
	    !until_is_missing(why, s->geo, s->end, s->until))
		return true;
	session_complain(s, FSCK_ERROR, "%s", why);
	return false;
}

bool session_build(struct session *s, unsigned flags, bool times)
{
	const struct e2lazy_watch watch = session_watch(s);
	struct e2lazy_jmap_opts opts = {
		.flags = walk_flags(s) | flags,
		.until = s->until,
		.commit = times ? note_time : NULL,
		.priv = s,
		.watch = &watch,
	};
	errcode_t err;

	if (session_share_map(s))
		return true;
	progress_begin(&s->progress, PHASE_LOG);
	err = e2lazy_jmap_build(s->journal, &opts, &s->map);
	progress_end(&s->progress);
	if (err) {
		session_fail(s, err, NULL);
		return false;
	}
	s->stats = e2lazy_jmap_stats(s->map);
	s->end = e2lazy_jmap_end(s->map);
	return reaches_until(s);
}

errcode_t session_walk(struct session *s, struct e2lazy_walk **walk)
{
	return e2lazy_walk_open(s->journal, NULL, walk_flags(s), s->until,
				walk);
}

bool session_layout(struct session *s)
{
	struct e2lazy_where where;
	errcode_t err;

	if (s->layout)
		return true;
	err = e2lazy_layout_build(s->journal, s->map, &s->layout, &where);
	if (err)
		session_fail(s, err, &where);
	return !err;
}

bool session_look(struct session *s)
{
	errcode_t err;

	/*
	 * Past an end that was asked for, later transactions are no damage;
	 * past an empty log, nothing is expected.
	 */
	if (s->looked || s->end->reason == E2LAZY_END_UNTIL ||
	    s->end->reason == E2LAZY_END_EMPTY)
		return true;
	err = e2lazy_beyond(s->journal, s->end, NULL, &s->beyond);
	if (err)
		session_fail(s, err, NULL);
	else
		s->looked = true;
	return !err;
}

enum e2lazy_type session_identify(struct session *s,
				  const struct e2lazy_copy *copy, void *block,
				  struct e2lazy_damage *unread)
{
	errcode_t err = e2lazy_read_copy(s->journal, copy->logblk,
					 copy->flags, block);

	if (!err)
		return e2lazy_identify(s->layout, block);
	if (unread->count++ == 0) {
		unread->error = err;
		unread->first.has = E2LAZY_AT_LOGBLK | E2LAZY_AT_FSBLK;
		unread->first.logblk = copy->logblk;
		unread->first.fsblk = copy->fsblk;
	}
	return E2LAZY_TYPE_OTHER;
}

uint64_t session_time(const struct session *s, uint32_t tid)
{
	uint32_t index = tid - s->times.first;

	return index < s->times.count ? s->times.sec[index] : 0;
}

uint32_t session_position(const struct session *s, uint32_t logblk)
{
	const struct e2lazy_geometry *g = s->geo;

	return logblk >= g->start ? logblk - g->start
				  : g->end - g->start + (logblk - g->first);
}

void session_time_cell(const struct session *s, struct cell *cell,
		       uint32_t tid)
{
	uint64_t sec = session_time(s, tid);

	cell_none(cell);
	if (sec)
		cell_number(cell, sec);
}
