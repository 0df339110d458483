/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* block_events.h - what one control block says, as events of a walk */
#ifndef E2LAZY_BLOCK_EVENTS_H
#define E2LAZY_BLOCK_EVENTS_H

#include "log.h"

struct block_events {
	const struct e2lazy_journal *journal;
	struct jbd2_cursor cursor;
	uint32_t	type;		/* enum jbd2_type; 0: all is told */
	uint32_t	tid;
	uint32_t	logblk;		/* of the block */
	uint32_t	copy_at;	/* log block of the next tag's copy */
	struct e2lazy_txn txn;		/* of a commit block */
};

/*
 * Begin with the control block at @logblk, which the caller found sound;
 * @block stays as it is until the last event.  False: it says nothing, for it
 * is no descriptor, revoke or commit block, or its count is impossible.
 */
bool block_events_begin(struct block_events *events,
			const struct e2lazy_journal *journal, uint32_t logblk,
			const uint8_t *block);

/*
 * The next TAG, REVOKE or COMMIT; false after the last one.  Copies are not
 * read.  Of a commit block's transaction its number and time are known alone.
 */
bool block_events_next(struct block_events *events, struct e2lazy_event *ev);

#endif
