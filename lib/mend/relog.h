/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* relog.h - which copies are logged again, in which rounds */
#ifndef E2LAZY_RELOG_H
#define E2LAZY_RELOG_H

#include "log/log.h"
#include "mend.h"

/* A transaction of the log as it is. */
struct old_txn {
	uint32_t	start;		/* first log block */
	uint32_t	blocks;
	uint32_t	control;	/* of these, control blocks */
	uint32_t	live;		/* copies */
};

struct rounds {
	const struct e2lazy_subject *subject;
	struct old_txn	*txns;		/* by tid, from the tail on */
	uint32_t	count;
	uint32_t	end;		/* the first so many are freed */
	uint32_t	most;		/* copies of a new transaction */

	/* The round at hand frees [@from, @to). */
	uint32_t	from, to;
	uint64_t	live;		/* copies in it */
	uint32_t	needed;		/* log blocks for them */
	uint32_t	free;		/* ring blocks before it */
};

/* @tail NULL: all of them.  Call rounds_free() even after an error. */
errcode_t rounds_init(struct rounds *r, const struct e2lazy_subject *subject,
		      const struct e2lazy_tail *tail);
void rounds_free(struct rounds *r);
/* The next round; false at the end, or if not even a transaction fits. */
bool rounds_next(struct rounds *r);
bool rounds_done(const struct rounds *r);
/* Is the copy one of this round? */
bool rounds_has(const struct rounds *r, const struct e2lazy_copy *copy);

#endif
