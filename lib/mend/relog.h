/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* relog.h - live copies are logged again, in rounds */
#ifndef E2LAZY_RELOG_H
#define E2LAZY_RELOG_H

#include "log/encode.h"
#include "mend.h"
#include "view/view.h"

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
	uint32_t	end;		/* the first so many are freed */
	uint32_t	most;		/* copies of a new transaction */
	bool		*home;		/* by mapping: its static block equals
					   the copy, which is dropped; or
					   NULL */
	uint64_t	dropped;	/* copies, of the freed ones */

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

/* The plan of the rounds that are left; @opts may be NULL. */
errcode_t relog_plan(struct rounds *r, const struct e2lazy_plan_opts *opts,
		     struct e2lazy_relog *out);

/* Copies in memory, in the order in which they are logged. */
struct chunk {
	uint32_t	*slots;		/* mappings, ascending */
	uint8_t		*blocks;
	uint32_t	count, room;
	uint32_t	next;		/* the first that is not logged yet */
};

struct keep_old;

struct relog {
	struct e2lazy_view *view;
	struct e2lazy_verdict *verdict;
	const struct e2lazy_checkpoint_opts *opts;
	struct e2lazy_checkpoint_done *done;
	struct e2lazy_where *where;
	struct target	target;
	struct keep_old	*old;
	struct rounds	rounds;
	struct encoder	encoder;
	struct chunk	chunk;
	uint32_t	head, tid;	/* of the next transaction */
	uint64_t	sec;		/* not before the last commit */
	size_t		slot;		/* of the map: the next to look at */
	uint64_t	left;		/* copies of this round */
	uint64_t	logged;		/* of all rounds */
	uint64_t	to_log;
	uint32_t	*sums;		/* of the blocks from @head on; NULL:
					   nothing is read back */
	uint8_t		*back;		/* blocks that were read back */
	uint8_t		*block;
};

static inline struct e2lazy_journal *relog_journal(const struct relog *r)
{
	return r->view->journal;
}

/* relog_txn.c: memory for relog_txn(), and its end */
errcode_t relog_txn_begin(struct relog *r);
void relog_txn_end(struct relog *r);
/* Log the next copies of the round at hand again, in one transaction. */
errcode_t relog_txn(struct relog *r);

#endif
