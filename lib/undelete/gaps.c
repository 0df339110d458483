/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * gaps.c - from when on the ring has each transaction, up to another or to now
 *
 * A lost transaction may have had a bitmap that speaks against a block, or a
 * newer copy of an inode.  So a file whose copy is older than the last gap is
 * unproven.  And so is each file if the view is of an earlier time: contents are
 * in their place as they are now, and the later transactions do not count.
 *
 * Histories have no gap inside.  A kernel before 6.4 goes back to the first
 * block when it mounts, which begins a new one: it follows the one before if
 * only the ids are left out that a mount leaves out, and if the block behind the
 * older one is not overwritten, for a lost transaction would stand there.
 */

#include <stdlib.h>

#include "undelete.h"

static bool follows(const struct e2lazy_history *a,
		    const struct e2lazy_history *b)
{
	return b->begins == E2LAZY_EDGE_FIRST &&
	       a->ends == E2LAZY_EDGE_GAP &&
	       tid_follows_mount(b->first_tid, a->last_tid);
}

/* May one be lost between transaction @n and the one before? */
static bool is_behind_gap(const struct e2lazy_undelete *u, uint32_t n)
{
	struct e2lazy_history earlier, later;
	struct e2lazy_ring_txn before, txn;

	if (u->versions.moments[n - 1].broken)
		return true;
	e2lazy_ring_txn(u->ring, n - 1, &before);
	e2lazy_ring_txn(u->ring, n, &txn);
	if (before.history == txn.history)
		return false;
	e2lazy_ring_history(u->ring, before.history, &earlier);
	e2lazy_ring_history(u->ring, txn.history, &later);
	return !follows(&earlier, &later);
}

static bool reaches_now(const struct e2lazy_undelete *u, uint32_t last)
{
	struct e2lazy_history h;
	struct e2lazy_ring_txn txn;

	e2lazy_ring_txn(u->ring, last, &txn);
	e2lazy_ring_history(u->ring, txn.history, &h);
	return h.reaches_now && !u->past && !u->versions.moments[last].broken;
}

errcode_t gaps_find(struct e2lazy_undelete *u)
{
	uint32_t nr = (uint32_t)u->versions.nr_moments;

	u->gapless = nr;
	u->since = calloc((size_t)nr + 1, sizeof(*u->since));
	if (!u->since)
		return EXT2_ET_NO_MEMORY;
	for (uint32_t n = 1; n < nr; n++)
		u->since[n] = is_behind_gap(u, n) ? n : u->since[n - 1];
	if (nr && reaches_now(u, nr - 1))
		u->gapless = u->since[nr - 1];
	return 0;
}
