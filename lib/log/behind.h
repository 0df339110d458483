/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* behind.h - committed transactions that stand behind a damage */
#ifndef E2LAZY_BEHIND_H
#define E2LAZY_BEHIND_H

#include "beyond.h"
#include "block_events.h"

struct behind {
	const struct look *look;	/* a look at the whole rest of the ring */
	const struct e2lazy_end *end;	/* the damage */
	uint32_t	committed;	/* transactions from the end's tid on */
	size_t		next;		/* number of the next sighting */
	uint32_t	passed;		/* newest tid of those before it */
	struct block_events events;	/* of the sighting before @next */
	uint8_t		*block;
};

/* @look and @end must outlive it.  Call behind_free() afterwards. */
errcode_t behind_init(struct behind *behind, const struct look *look,
		      const struct e2lazy_end *end);
void behind_free(struct behind *behind);

/* Is the sighting of one of these transactions, and does it fit the ring? */
bool behind_counts(const struct behind *behind, const struct sighting *s);

/*
 * The next TAG or REVOKE, in the order of the ring; false at the end.  A
 * control block that became unreadable is skipped.  If @passed is after the
 * event's tid, its block stands behind one of a newer transaction, be that a
 * commit block alone: it was copied there, or is a leftover.
 */
bool behind_next(struct behind *behind, struct e2lazy_event *ev);
/* Begin again with the first sighting. */
void behind_rewind(struct behind *behind);

#endif
