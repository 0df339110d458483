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
	size_t		next;		/* sighting */
	struct block_events events;	/* of the one before it */
	uint8_t		*block;
};

/* @look and @end outlive it.  Call behind_free() afterwards. */
errcode_t behind_init(struct behind *behind, const struct look *look,
		      const struct e2lazy_end *end);
void behind_free(struct behind *behind);

/* The sighting is of one of these transactions, and fits into the ring. */
bool behind_counts(const struct behind *behind, const struct sighting *s);

/*
 * The next TAG or REVOKE, in the order of the ring; false at the end.  A
 * control block that can no longer be read is passed over.
 */
bool behind_next(struct behind *behind, struct e2lazy_event *ev);
/* Begin anew with the first one. */
void behind_rewind(struct behind *behind);

#endif
