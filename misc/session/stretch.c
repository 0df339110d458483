/* SPDX-License-Identifier: GPL-2.0-only */
/* stretch.c - --tail, --ring, --history: the options that select a stretch of
   the ring */
#include "stretch.h"

const struct e2lazy_ring *session_ring(struct session *s)
{
	const struct e2lazy_watch watch = session_watch(s);
	const struct e2lazy_ring_opts opts = {
		.flags = s->source.limits.check_data ? E2LAZY_RING_DATA : 0,
		.watch = &watch,
	};
	struct progress *progress = &s->print.progress;
	errcode_t err;

	if (s->log->ring)
		return s->log->ring;
	err = e2lazy_ring_scan(s->log->journal, &opts, &s->log->ring, NULL);
	if (progress->phase != PHASE_NONE)
		progress_end(progress);
	if (err)
		session_fail(s, err, NULL);
	return s->log->ring;
}
