/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * block_events.c - one control block becomes events of a walk
 *
 * A walk asks here about each block that it accepts.  The search past the end
 * of a log asks about single blocks, whose predecessors may be gone.
 */

#include <string.h>

#include "block_events.h"

static void begin_commit(struct block_events *e, const uint8_t *block)
{
	memset(&e->txn, 0, sizeof(e->txn));
	e->txn.tid = e->tid;
	e->txn.start = e->txn.end = e->logblk;
	e->txn.committed = true;
	jbd2_commit_time(block, &e->txn.sec, &e->txn.nsec);
}

bool block_events_begin(struct block_events *e,
			const struct e2lazy_journal *j, struct lap lap,
			uint32_t logblk, const uint8_t *block)
{
	struct jbd2_header h;

	if (!jbd2_get_header(block, &h))
		return false;
	e->journal = j;
	e->type = h.type;
	e->tid = h.tid;
	e->logblk = logblk;
	e->lap = lap;
	e->copy_at = lap_next(lap, logblk);
	switch (h.type) {
	case JBD2_DESCRIPTOR:
		jbd2_first_tag(&e->cursor, block, &j->format);
		return true;
	case JBD2_REVOKE:
		return jbd2_first_revoke(&e->cursor, block, &j->format);
	case JBD2_COMMIT:
		begin_commit(e, block);
		return true;
	default:
		return false;
	}
}
