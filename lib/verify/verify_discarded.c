/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_discarded.c - an emptied log whose ring holds newer copies
 *
 * Emptying a log leaves its blocks where they are, until the head comes round
 * again.  Where they had gone home before, each newest copy is what stands in
 * place, but for what was changed there since without a log, as by e2fsck.  So
 * a difference alone proves nothing.  These do:
 *
 *  - the journal superblock still names the first of the transactions: they
 *    were discarded;
 *  - an inode of the same life was changed later in the log than in place, for
 *    nobody sets its change time back.
 *
 * With needs_recovery set it is another matter.  An idle mount leaves the log
 * so, and all that its ring holds is in place.  A difference then is one that
 * a flipped bit in s_start would leave, too, and whoever takes the log for
 * empty loses the blocks: it asks, unless an e2fsck has run since.  So does
 * a lost write of s_start before the first commit: then the ring's newest
 * transactions have later numbers than s_sequence.
 */

#include "last_chain.h"

static void report(struct verify *v, struct last_chain *last, bool named)
{
	const struct e2lazy_geometry *g = &v->journal->geo;
	bool proven = named || last->newer;

	/* Fast commits are replayed in place, without a log. */
	if (g->needs_recovery && (proven || !g->fc_blocks)) {
		if (!last_chain_is_outdated(last))
			last_chain_report(last, PROBLEM_TAIL_CONTRADICTED);
	} else if (proven) {
		last_chain_report(last, PROBLEM_DISCARDED_LOG);
	}
}

static errcode_t judge_chain(struct verify *v, struct last_chain *last,
			     const struct chain *chain)
{
	errcode_t err = last_chain_compare(last, chain);

	if (!err)
		report(v, last, chain->named);
	return err;
}

errcode_t verify_discarded(struct verify *v)
{
	struct last_chain last;
	struct chain chain = { .named = false };
	errcode_t err;

	if (v->journal->geo.start ||
	    !(v->opts->flags & (E2LAZY_VERIFY_CONTENT | E2LAZY_VERIFY_GLANCE)))
		return 0;
	err = last_chain_begin(&last, v);
	if (!err && ring_last_chain(&last.ring, &chain))
		err = judge_chain(v, &last, &chain);
	/* One that is named goes on to the newest. */
	if (!err && !chain.named &&
	    ring_left_chain(&last.ring, false, &chain) == RING_CHAIN)
		err = judge_chain(v, &last, &chain);
	last_chain_end(&last);
	return err;
}
