/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* relog_txn.h - the next live copies of a round, in a new transaction */
#ifndef E2LAZY_RELOG_TXN_H
#define E2LAZY_RELOG_TXN_H

#include "append.h"
#include "broken_off.h"
#include "rounds.h"
#include "view/view.h"

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
	struct broken_off broken_off;
	struct append	append;
	struct chunk	chunk;
	uint32_t	head, tid;	/* of the next transaction */
	size_t		slot;		/* of the map: the next to look at */
	uint64_t	left;		/* copies of this round */
	uint64_t	logged;		/* of all rounds */
	uint64_t	to_log;
};

static inline struct e2lazy_journal *relog_journal(const struct relog *r)
{
	return r->view->journal;
}

/* Memory for relog_txn(), and its end. */
errcode_t relog_txn_begin(struct relog *r);
void relog_txn_end(struct relog *r);
/* Log the next copies of the round at hand again, in one transaction. */
errcode_t relog_txn(struct relog *r);

#endif
