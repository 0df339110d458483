/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rounds.h - which live copies are logged again in which round */
#ifndef E2LAZY_ROUNDS_H
#define E2LAZY_ROUNDS_H

#include "log/encode.h"
#include "broken_off.h"
#include "mend.h"

/* A transaction of the log as it is. */
struct old_txn {
	uint32_t	start;		/* first log block */
	uint32_t	blocks;
	uint32_t	control;	/* of these, control blocks */
	uint32_t	live;		/* copies to log again */
};

struct rounds {
	const struct e2lazy_subject *subject;
	struct old_txn	*txns;		/* by tid, from the tail on */
	uint32_t	count;
	uint32_t	end;		/* oldest transactions to free */
	uint32_t	most;		/* copies of a new transaction */
	bool		*home;		/* by mapping: its static block equals
					   the copy, which is dropped; or
					   NULL */
	uint64_t	dropped;	/* copies, of the freed ones */

	uint32_t	numbers;	/* new transactions, of the rounds so
					   far with the one at hand */

	/* The round at hand frees [@from, @to). */
	uint32_t	from, to;
	uint64_t	live;		/* copies in it */
	uint32_t	needed;		/* log blocks for them */
	uint32_t	free;		/* ring blocks before it */
};

/*
 * The rounds for .tail and .flags of @opts, which may be NULL.  Call
 * rounds_free() even after an error.
 */
errcode_t rounds_init(struct rounds *r, const struct e2lazy_subject *subject,
		      const struct e2lazy_plan_opts *opts);
void rounds_free(struct rounds *r);
/* Before the first round again. */
void rounds_rewind(struct rounds *r);
/* The next round; false at the end, or if not even a transaction fits. */
bool rounds_next(struct rounds *r);
bool rounds_done(const struct rounds *r);
/* Is the copy of mapping @slot logged again in this round? */
bool rounds_has(const struct rounds *r, size_t slot,
		const struct e2lazy_copy *copy);
/* Copies of the largest new transaction. */
uint32_t rounds_most_copies(const struct e2lazy_journal *journal);
/* New transactions of the round at hand, or of one with @live copies. */
uint32_t rounds_txns(const struct rounds *r, uint64_t live);
/* Log blocks of a new transaction with so many copies. */
uint32_t rounds_blocks(const struct rounds *r, uint64_t copies);

/* The number of the copy's transaction, from the tail on. */
static inline uint32_t rounds_number(const struct rounds *r,
				     const struct e2lazy_copy *copy)
{
	return copy->tid - r->subject->journal->geo.sequence;
}

/* relog_plan.c: the plan of the rounds that are left; @opts may be NULL. */
errcode_t relog_plan(struct rounds *r, const struct e2lazy_plan_opts *opts,
		     struct e2lazy_relog *out);
/* After relog_plan(): the blocks that are cleared before the first round. */
errcode_t relog_find_broken_off(struct broken_off *b, const struct rounds *r,
				const struct e2lazy_relog *plan,
				const struct e2lazy_watch *watch);

#endif
