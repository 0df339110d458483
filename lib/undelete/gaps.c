/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * gaps.c - from when on the ring has each transaction up to now
 *
 * A lost transaction may have had a bitmap that speaks against a block, or a
 * newer copy of an inode.  So a file whose copy is older than the last gap is
 * unproven.
 *
 * Histories have no gap inside.  A kernel before 6.4 goes back to the first
 * block when it mounts, which begins a new one: it follows the one before if
 * only the ids are left out that a mount leaves out, and if the block behind the
 * older one is not overwritten, for a lost transaction would stand there.
 */

#include "undelete.h"

static bool follows(const struct e2lazy_history *a,
		    const struct e2lazy_history *b)
{
	return b->begins == E2LAZY_EDGE_FIRST &&
	       a->ends == E2LAZY_EDGE_GAP &&
	       tid_follows_mount(b->first_tid, a->last_tid);
}

/* The history of the last transaction that counts. */
static uint32_t last_history(const struct e2lazy_undelete *u)
{
	struct e2lazy_ring_txn txn;

	e2lazy_ring_txn(u->ring, (uint32_t)u->versions.nr_moments - 1, &txn);
	return txn.history;
}

void gaps_find(struct e2lazy_undelete *u)
{
	struct e2lazy_history h, before;
	uint32_t n;

	u->gapless = (uint32_t)u->versions.nr_moments;
	if (!u->gapless)
		return;
	n = last_history(u);
	e2lazy_ring_history(u->ring, n, &h);
	if (!h.reaches_now && !u->opts->has_until)
		return;
	for (; n--; h = before) {
		e2lazy_ring_history(u->ring, n, &before);
		if (!follows(&before, &h))
			break;
	}
	u->gapless = h.first;
	if (u->versions.broken > u->gapless)
		u->gapless = u->versions.broken;
}
