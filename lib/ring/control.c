/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* control.c - one block of the ring: is it a control block, and whose? */

#include <string.h>

#include "control.h"
#include "log/block_events.h"

#define REFUSED_FLAGS (E2LAZY_COPY_OUTSIDE | E2LAZY_COPY_IN_JOURNAL)

/*
 * Count its tags or records.  False if the block cannot be of this journal:
 * without a checksum, a tag that points outside the file system or into the
 * journal proves that.
 */
static bool count_events(struct control *c, const struct e2lazy_journal *j,
			 uint32_t logblk, const uint8_t *block)
{
	bool checked = c->csum != E2LAZY_UNCHECKED;
	struct block_events events;
	struct e2lazy_event ev;

	if (!block_events_begin(&events, j, lap_longest(&j->geo), logblk,
				block))
		return false;
	while (block_events_next(&events, &ev)) {
		c->copies += ev.kind == E2LAZY_EV_TAG;
		c->revokes += ev.kind == E2LAZY_EV_REVOKE;
		if (!checked && ev.kind == E2LAZY_EV_TAG &&
		    ev.flags & REFUSED_FLAGS)
			return false;
	}
	return true;
}

enum control_state control_read(struct control *c,
				const struct e2lazy_journal *j,
				uint32_t logblk, const uint8_t *block)
{
	struct jbd2_header h;

	if (!jbd2_get_control(block, &h))
		return CONTROL_NONE;
	memset(c, 0, sizeof(*c));
	c->type = (uint8_t)h.type;
	c->tid = h.tid;
	c->csum = (uint8_t)csum_control(&j->csum, h.type, block);
	if (c->csum == E2LAZY_BAD)
		return CONTROL_BAD;
	if (h.type == JBD2_COMMIT) {
		jbd2_commit_time(block, &c->sec, &c->nsec);
		return CONTROL_SOUND;
	}
	return count_events(c, j, logblk, block) ? CONTROL_SOUND : CONTROL_BAD;
}
