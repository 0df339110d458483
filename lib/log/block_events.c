/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * block_events.c - what one control block says, as events of a walk
 *
 * A walk asks here about each block that it accepts.  The search past the end
 * of a log asks about single blocks, for what stood before them may be gone.
 */

#include <string.h>

#include "block_events.h"

static void begin_commit(struct block_events *e, const uint8_t *block)
{
	memset(&e->txn, 0, sizeof(e->txn));
	e->txn.tid = e->tid;
	e->txn.start = e->txn.end = e->logblk;
	e->txn.committed = true;
	e->txn.sec = jbd2_commit_seconds(block);
	e->txn.nsec = get_be32(block + COMMIT_NSEC);
}

bool block_events_begin(struct block_events *e,
			const struct e2lazy_journal *j, uint32_t logblk,
			const uint8_t *block)
{
	struct jbd2_header h;

	if (!jbd2_get_header(block, &h))
		return false;
	e->journal = j;
	e->type = h.type;
	e->tid = h.tid;
	e->logblk = logblk;
	e->copy_at = ring_next(&j->geo, logblk);
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

static unsigned tag_flags(const struct e2lazy_journal *j,
			  const struct jbd2_tag *tag)
{
	unsigned flags = 0;

	if (tag->flags & TAG_ESCAPED)
		flags |= E2LAZY_COPY_ESCAPED;
	if (tag->flags & TAG_DELETED)
		flags |= E2LAZY_COPY_DELETED;
	if (tag->fsblk >= j->fs_limit)
		flags |= E2LAZY_COPY_OUTSIDE;
	else if (e2lazy_is_journal_block(j, tag->fsblk))
		flags |= E2LAZY_COPY_IN_JOURNAL;
	return flags;
}

static bool next_tag(struct block_events *e, struct e2lazy_event *ev)
{
	const struct e2lazy_journal *j = e->journal;
	struct jbd2_tag tag;

	if (!jbd2_next_tag(&e->cursor, &tag, &j->format))
		return false;
	ev->kind = E2LAZY_EV_TAG;
	ev->tid = e->tid;
	ev->fsblk = tag.fsblk;
	ev->logblk = e->copy_at;
	ev->csum = tag.csum;
	ev->flags = tag_flags(j, &tag);
	e->copy_at = ring_next(&j->geo, e->copy_at);
	return true;
}

static bool next_revoke(struct block_events *e, struct e2lazy_event *ev)
{
	blk64_t fsblk;

	if (!jbd2_next_revoke(&e->cursor, &fsblk, &e->journal->format))
		return false;
	ev->kind = E2LAZY_EV_REVOKE;
	ev->tid = e->tid;
	ev->fsblk = fsblk;
	ev->logblk = e->logblk;
	ev->flags = 0;
	return true;
}

static bool only_commit(struct block_events *e, struct e2lazy_event *ev)
{
	ev->kind = E2LAZY_EV_COMMIT;
	ev->tid = e->tid;
	ev->logblk = e->logblk;
	ev->flags = 0;
	ev->txn = &e->txn;
	e->type = 0;
	return true;
}

bool block_events_next(struct block_events *e, struct e2lazy_event *ev)
{
	switch (e->type) {
	case JBD2_DESCRIPTOR:
		return next_tag(e, ev);
	case JBD2_REVOKE:
		return next_revoke(e, ev);
	case JBD2_COMMIT:
		return only_commit(e, ev);
	default:
		return false;
	}
}
