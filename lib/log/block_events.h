/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* block_events.h - one control block becomes events of a walk */
#ifndef E2LAZY_BLOCK_EVENTS_H
#define E2LAZY_BLOCK_EVENTS_H

#include "log.h"
#include "sort.h"

struct block_events {
	const struct e2lazy_journal *journal;
	struct jbd2_cursor cursor;
	uint32_t	type;		/* enum jbd2_type; 0: no more events */
	uint32_t	tid;
	uint32_t	logblk;		/* log block of the control block */
	struct lap	lap;		/* of the block and its copies */
	uint32_t	copy_at;	/* log block of the next tag's copy */
	struct e2lazy_txn txn;		/* for a commit block only */
};

/*
 * Begin with the control block at @logblk, which the caller found sound.  The
 * caller keeps @block unchanged until the last event.  The copies of a
 * descriptor wrap where @lap does.  False: the block is no descriptor, revoke or
 * commit block, or its count is impossible.
 */
bool block_events_begin(struct block_events *events,
			const struct e2lazy_journal *journal, struct lap lap,
			uint32_t logblk, const uint8_t *block);

/* Inline from here on: a walk calls these for each tag of a log. */

/* No map holds a copy with one of these flags. */
#define BLOCK_TAG_REFUSED (E2LAZY_COPY_OUTSIDE | E2LAZY_COPY_IN_JOURNAL)

static inline unsigned block_tag_flags(const struct e2lazy_journal *j,
				       const struct jbd2_tag *tag)
{
	unsigned flags = 0;

	if (tag->flags & TAG_ESCAPED)
		flags |= E2LAZY_COPY_ESCAPED;
	if (tag->flags & TAG_DELETED)
		flags |= E2LAZY_COPY_DELETED;
	if (tag->fsblk >= j->fs_limit)
		flags |= E2LAZY_COPY_OUTSIDE;
	else if (runs_own(&j->runs, tag->fsblk))
		flags |= E2LAZY_COPY_IN_JOURNAL;
	return flags;
}

static inline bool block_next_tag(struct block_events *e,
				  struct e2lazy_event *ev)
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
	ev->flags = block_tag_flags(j, &tag);
	e->copy_at = lap_next(e->lap, e->copy_at);
	return true;
}

/*
 * The next tags as records, @most of them, up to the first one whose copy
 * cannot be mapped: block_next_tag() shows that one.  Returns their number.
 */
static inline uint32_t block_take_tags(struct block_events *e,
				       struct record *to, uint32_t most)
{
	const struct e2lazy_journal *j = e->journal;
	const struct jbd2_format format = j->format;
	const struct lap lap = e->lap;
	struct jbd2_cursor next = e->cursor, taken = next;
	uint32_t logblk = e->copy_at, n = 0;
	struct jbd2_tag tag;

	while (n < most && jbd2_next_tag(&next, &tag, &format)) {
		unsigned flags = block_tag_flags(j, &tag);

		if (flags & BLOCK_TAG_REFUSED)
			break;
		to[n] = (struct record){ .flags = (uint16_t)flags,
					 .logblk = logblk, .tid = e->tid };
		record_set_fsblk(&to[n++], tag.fsblk);
		logblk = lap_next(lap, logblk);
		taken = next;
	}
	e->cursor = taken;
	e->copy_at = logblk;
	return n;
}

static inline bool block_next_revoke(struct block_events *e,
				     struct e2lazy_event *ev)
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

static inline bool block_only_commit(struct block_events *e,
				     struct e2lazy_event *ev)
{
	ev->kind = E2LAZY_EV_COMMIT;
	ev->tid = e->tid;
	ev->logblk = e->logblk;
	ev->flags = 0;
	ev->txn = &e->txn;
	e->type = 0;
	return true;
}

/*
 * The next TAG, REVOKE or COMMIT; false after the last one.  It reads no
 * copies.  For a COMMIT, @txn holds only the number, the place and the time.
 */
static inline bool block_events_next(struct block_events *e,
				     struct e2lazy_event *ev)
{
	switch (e->type) {
	case JBD2_DESCRIPTOR:
		return block_next_tag(e, ev);
	case JBD2_REVOKE:
		return block_next_revoke(e, ev);
	case JBD2_COMMIT:
		return block_only_commit(e, ev);
	default:
		return false;
	}
}

#endif
