/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* broken_off.h - remains that new transactions at the head could run into */
#ifndef E2LAZY_BROKEN_OFF_H
#define E2LAZY_BROKEN_OFF_H

#include "mend.h"

/* Transactions that are to be appended. */
struct append_plan {
	uint32_t	txns;
	uint32_t	blocks;		/* of the log, for all of them */
};

struct broken_off {
	struct e2lazy_journal *journal;
	const struct e2lazy_end *end;
	struct append_plan plan;
	uint32_t	*at;		/* log blocks, from the head on */
	size_t		nr, room;
	uint32_t	behind;		/* of these, behind the new blocks */

	/* For its step. */
	struct target	*target;
	struct e2lazy_where *where;
};

/*
 * Look at the free part of a log that ends at @end.  @watch may be NULL:
 * E2LAZY_PHASE_RING.  Call broken_off_free() even after an error.
 */
errcode_t broken_off_find(struct broken_off *b, struct e2lazy_journal *journal,
			  const struct e2lazy_end *end,
			  const struct append_plan *plan,
			  const struct e2lazy_watch *watch);
void broken_off_free(struct broken_off *b);

/* Is it behind the blocks of the new transactions? */
bool broken_off_is_behind(const struct broken_off *b, uint32_t logblk);

/* The step that clears them, before any new transaction. */
struct seal_step broken_off_step(struct broken_off *b, struct target *target,
				 struct e2lazy_where *where);

#endif
