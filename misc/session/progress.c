/* SPDX-License-Identifier: GPL-2.0-only */
/* progress.c - the library's phases as those of the progress bar */
#include "session.h"

errcode_t session_tick(struct session *s, enum phase phase, uint64_t done,
		       uint64_t total)
{
	struct progress *progress = &s->progress;

	if (phase != progress->phase) {
		if (progress->phase != PHASE_NONE)
			progress_end(progress);
		progress_begin(progress, phase);
	}
	return progress_tick(progress, done, total) ? 0 : E2LAZY_ET_CANCELLED;
}

errcode_t session_mend_tick(struct session *s, enum e2lazy_mend_phase phase,
			    uint64_t done, uint64_t total)
{
	static const enum phase phases[] = {
		[E2LAZY_MEND_VERIFY] = PHASE_VERIFY,
		[E2LAZY_MEND_OWNERS] = PHASE_INODES,
		[E2LAZY_MEND_CONTENT] = PHASE_VERIFY,
		[E2LAZY_MEND_SUPERSEDED] = PHASE_SUPERSEDED,
		[E2LAZY_MEND_TXNS] = PHASE_TXNS,
		[E2LAZY_MEND_RING] = PHASE_RING,
		[E2LAZY_MEND_ROLES] = PHASE_ROLES,
		[E2LAZY_MEND_ESCAPES] = PHASE_ESCAPES,
		[E2LAZY_MEND_IN_PLACE] = PHASE_IN_PLACE,
	};

	return session_tick(s, phases[phase], done, total);
}
