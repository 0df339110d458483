/* SPDX-License-Identifier: GPL-2.0-only */
/* progress.c - the library's phases as those of the progress bar */
#include "session.h"
#include "support/status.h"

static errcode_t tick(struct session *s, enum phase phase, uint64_t done,
		      uint64_t total)
{
	struct progress *progress = &s->print.progress;

	if (phase != progress->phase) {
		if (progress->phase != PHASE_NONE)
			progress_end(progress);
		progress_begin(progress, phase);
	}
	return progress_tick(progress, done, total) ? 0 : E2LAZY_ET_CANCELLED;
}

static errcode_t note_progress(void *priv, enum e2lazy_phase phase,
			       uint64_t done, uint64_t total)
{
	static const enum phase phases[E2LAZY_NR_PHASES] = {
		[E2LAZY_PHASE_WALK] = PHASE_LOG,
		[E2LAZY_PHASE_RING] = PHASE_RING,
		[E2LAZY_PHASE_READ] = PHASE_READ,
		[E2LAZY_PHASE_INODES] = PHASE_INODES,
		[E2LAZY_PHASE_DIRECTORIES] = PHASE_DIRECTORIES,
		[E2LAZY_PHASE_VERIFY] = PHASE_VERIFY,
		[E2LAZY_PHASE_CONTENT] = PHASE_VERIFY,
		[E2LAZY_PHASE_SUPERSEDED] = PHASE_SUPERSEDED,
		[E2LAZY_PHASE_TXNS] = PHASE_TXNS,
		[E2LAZY_PHASE_ROLES] = PHASE_ROLES,
		[E2LAZY_PHASE_ESCAPES] = PHASE_ESCAPES,
		[E2LAZY_PHASE_IN_PLACE] = PHASE_IN_PLACE,
		[E2LAZY_PHASE_HOME] = PHASE_HOME,
		[E2LAZY_PHASE_KEEP] = PHASE_UNDO,
		[E2LAZY_PHASE_WRITE] = PHASE_WRITE,
		[E2LAZY_PHASE_COMPARE] = PHASE_COMPARE,
		[E2LAZY_PHASE_CARVE] = PHASE_CARVE,
		[E2LAZY_PHASE_SURVEY] = PHASE_SURVEY,
	};

	return tick(priv, phases[phase], done, total);
}

errcode_t session_stop(void *unused)
{
	(void)unused;
	return cancelled() ? E2LAZY_ET_CANCELLED : 0;
}

struct e2lazy_watch session_watch(struct session *s)
{
	return (struct e2lazy_watch){ .progress = note_progress,
				      .stop = session_stop, .priv = s };
}
