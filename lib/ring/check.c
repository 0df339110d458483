/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* check.c - read the copies of the transactions that a ring holds */

#include "io/watch.h"
#include "ring.h"

/* Walk one transaction by itself, and check its copies. */
static errcode_t walk_one(struct e2lazy_ring *ring, const struct found *f,
			  struct e2lazy_txn *txn, bool *whole)
{
	const struct e2lazy_range range = {
		.start = f->start, .tid = f->tid,
		.blocks = found_blocks(&ring->journal->geo, f),
	};
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	errcode_t err = e2lazy_walk_open(ring->journal, &range,
					 E2LAZY_WALK_DATA, 0, &walk);

	if (err)
		return err;
	do
		e2lazy_walk_next(walk, &ev);
	while (ev.kind != E2LAZY_EV_COMMIT && ev.kind != E2LAZY_EV_END);
	*whole = ev.kind == E2LAZY_EV_COMMIT;
	if (*whole)
		*txn = *ev.txn;
	e2lazy_walk_close(walk);
	return 0;
}

errcode_t check_found(struct e2lazy_ring *ring, const struct e2lazy_watch *watch)
{
	size_t kept = 0;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < ring->nr_found; i++) {
		struct found f = ring->found[i];
		const struct trace broken = {
			.start = f.start, .end = f.end, .tid = f.tid,
			.kind = TRACE_BAD, .committed = true, .when = found_when(&f),
		};
		struct e2lazy_txn txn;
		bool whole = false;

		err = watch_tick(watch, E2LAZY_PHASE_TXNS, i, ring->nr_found);
		if (!err)
			err = walk_one(ring, &f, &txn, &whole);
		if (err)
			break;
		if (!whole) {
			err = ring_add_trace(ring, &broken);
			continue;
		}
		f.csum = (uint8_t)txn.csum;
		f.proof = txn.csum == E2LAZY_UNCHECKED ? E2LAZY_PLAUSIBLE :
							 E2LAZY_BY_CHECKSUM;
		ring->found[kept++] = f;
	}
	if (!err)
		ring->nr_found = kept;
	return err;
}
