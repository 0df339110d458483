/* SPDX-License-Identifier: GPL-2.0-only */
/* target_ring.c - every transaction of the ring, and the histories of them */
#include <stdlib.h>

#include "e2lazy_ring.h"
#include "target.h"

const bool fuzz_wants_words = false;
const bool fuzz_wants_paths = false;

/*
 * A walk of the transaction's own range finds it, and nothing else.  Checksums
 * of whole transactions (v1) are of the copies, which only @checked ones have
 * right for sure.
 */
static void check_walk(struct e2lazy_journal *j,
		       const struct e2lazy_ring_txn *txn, bool checked)
{
	uint64_t copies = 0, commits = 0;
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;

	if (e2lazy_walk_open(j, &txn->range, 0, 0, &walk))
		return;
	for (e2lazy_walk_next(walk, &ev); ev.kind != E2LAZY_EV_END;
	     e2lazy_walk_next(walk, &ev)) {
		must(ev.tid == txn->txn.tid);
		copies += ev.kind == E2LAZY_EV_TAG;
		commits += ev.kind == E2LAZY_EV_COMMIT;
	}
	must(commits == 1 || (!commits && !checked && e2lazy_geometry(j)->csum
			      == E2LAZY_CSUM_V1));
	must(!commits || copies == txn->txn.copies);
	e2lazy_walk_close(walk);
}

/* No block belongs to two of them, and each is in its history. */
static void check_txns(struct e2lazy_journal *j, const struct e2lazy_ring *ring,
		       bool checked)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(j);
	const struct e2lazy_ring_counts *counts = e2lazy_ring_counts(ring);
	uint32_t length = g->end - g->first, index;
	struct e2lazy_ring_txn txn;
	uint64_t blocks = 0;

	for (uint32_t i = 0; i < counts->txns; i++) {
		e2lazy_ring_txn(ring, i, &txn);
		must(txn.txn.start >= g->first && txn.txn.start < g->end);
		must(txn.txn.end >= g->first && txn.txn.end < g->end);
		must(txn.history < counts->histories);
		must(e2lazy_ring_find(ring, txn.txn.tid, &index));
		must(index < counts->txns);
		blocks += (txn.txn.end + (uint64_t)length - txn.txn.start) %
			  length + 1;
		check_walk(j, &txn, checked);
	}
	must(blocks <= length);
}

static void check_histories(const struct e2lazy_ring *ring)
{
	const struct e2lazy_ring_counts *counts = e2lazy_ring_counts(ring);
	struct e2lazy_history h;
	uint32_t next = 0, nr;

	for (uint32_t i = 0; i < counts->histories; i++) {
		struct e2lazy_range *ranges;

		e2lazy_ring_history(ring, i, &h);
		must(h.first == next && h.count > 0);
		must(h.begins < E2LAZY_NR_EDGES && h.ends < E2LAZY_NR_EDGES);
		next += h.count;
		ranges = e2lazy_ring_ranges(ring, h.first, h.count, &nr);
		must(ranges && nr == h.pieces);
		free(ranges);
	}
	must(next == counts->txns);
}

void fuzz_one(struct template *t, const struct input *in)
{
	const struct e2lazy_ring_opts opts = {
		.flags = in->flags & INPUT_DATA ? E2LAZY_RING_DATA : 0,
	};
	struct e2lazy_journal *j = fuzz_open(t);
	const struct e2lazy_ring_counts *counts;
	struct e2lazy_ring *ring;

	if (!j)
		return;
	if (!e2lazy_ring_scan(j, &opts, &ring, NULL)) {
		counts = e2lazy_ring_counts(ring);
		must(counts->read <= 2 * (uint64_t)counts->blocks);
		must(counts->unreadable <= 2 * (uint64_t)counts->blocks);
		must(counts->txns <= counts->blocks);
		check_txns(j, ring, opts.flags != 0);
		check_histories(ring);
		e2lazy_ring_free(ring);
	}
	e2lazy_close(j);
	/* The scan twice, the copies once, and a walk of each transaction. */
	fuzz_bound(t, 7);
}
