/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * with_view.c - the file system as the log defines it, for commands that need
 * it
 */
#include "session.h"
#include "support/nls.h"
#include "support/status.h"

errcode_t session_try_view(struct session *s, struct e2lazy_where *where)
{
	const struct e2lazy_watch watch = { .stop = session_stop };
	errcode_t err = opened_view(s->log, where);

	if (!err)
		e2lazy_view_watch(s->log->view, &watch);
	return err;
}

bool session_view(struct session *s)
{
	struct e2lazy_where where;
	errcode_t err = session_try_view(s, &where);

	if (err)
		session_fail(s, err, &where);
	return !err;
}

bool session_shown(struct session *s)
{
	const struct e2lazy_watch watch = { .stop = session_stop };
	struct e2lazy_where where;
	struct e2lazy_view *view;
	errcode_t err = opened_shown(s->log, &view, &where);

	if (err)
		session_fail(s, err, &where);
	else
		e2lazy_view_watch(view, &watch);
	return !err;
}

bool session_leave_out(struct session *s)
{
	const struct e2lazy_watch watch = session_watch(s);
	errcode_t err = opened_leave_out(s->log, &watch);

	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	if (err)
		session_fail(s, err, NULL);
	return !err;
}

void session_tell_unread(struct session *s, const struct e2lazy_damage *unread)
{
	int status = FSCK_ERROR;

	if (unread->error == E2LAZY_ET_DATA_CSUM)
		status |= FSCK_LEFT;
	if (unread->count)
		session_tell(s, status, unread);
}

bool session_owners(struct session *s, bool paths)
{
	return session_owners_of(s, paths, NULL, 0);
}

bool session_owners_of(struct session *s, bool paths, const blk64_t *blocks,
		       size_t count)
{
	const struct e2lazy_watch watch = session_watch(s);
	struct e2lazy_owners_opts opts = {
		.paths = paths, .watch = &watch, .blocks = blocks,
		.nr_blocks = count,
	};
	struct opened *log = s->log;
	errcode_t err;

	if (!log->owners || (paths && !log->owners_paths) || count) {
		if (!session_view(s) || !session_layout(s))
			return false;
		e2lazy_owners_free(log->owners);
		log->owners = NULL;
		progress_begin(&s->print.progress, PHASE_INODES);
		err = e2lazy_owners_build(log->view, log->layout, &opts,
					  &log->owners, &log->owners_damage);
		progress_end(&s->print.progress);
		if (err) {
			session_fail(s, err, &log->owners_damage.first);
			return false;
		}
		log->owners_paths = paths;
	}
	session_tell_unread(s, &log->owners_damage);
	return true;
}

const struct e2lazy_ring *session_ring(struct session *s)
{
	const struct e2lazy_watch watch = session_watch(s);
	errcode_t err = opened_ring(s->log, &s->source.limits, &watch);

	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	if (err)
		session_fail(s, err, NULL);
	return s->log->ring;
}

/* An empty table needs a reason, and often the ring has more than the log. */
void session_tell_empty(struct session *s)
{
	const struct e2lazy_ring *ring;
	struct e2lazy_history newest;
	uint32_t nr;

	if (s->log->stats->txns || s->log->nr_ranges)
		return;
	ring = session_ring(s);
	if (!ring)
		return;
	nr = e2lazy_ring_counts(ring)->histories;
	if (!nr) {
		session_complain(s, 0, _("the log has no transaction, and "
					 "neither has the ring"));
		return;
	}
	e2lazy_ring_history(ring, nr - 1, &newest);
	session_complain(s, 0, _("the log has no transaction; the ring still "
				 "has transactions %u to %u: --ring"),
			 newest.first_tid, newest.last_tid);
}
