/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* found.c - the transactions that a ring still holds: scan, look up, free */

#include <stdlib.h>
#include <string.h>

#include "io/halve.h"
#include "ring.h"

static void set_proofs(struct e2lazy_ring *ring)
{
	for (size_t i = 0; i < ring->nr_found; i++) {
		struct found *f = &ring->found[i];

		f->proof = f->csum == E2LAZY_UNCHECKED ? E2LAZY_PLAUSIBLE :
							 E2LAZY_BY_CHECKSUM;
	}
}

errcode_t e2lazy_ring_scan(struct e2lazy_journal *journal,
			   const struct e2lazy_ring_opts *opts,
			   struct e2lazy_ring **out,
			   struct e2lazy_where *where)
{
	static const struct e2lazy_ring_opts plain;
	struct e2lazy_ring *ring = calloc(1, sizeof(*ring));
	errcode_t err;

	if (where)
		memset(where, 0, sizeof(*where));
	if (!ring)
		return EXT2_ET_NO_MEMORY;
	if (!opts)
		opts = &plain;
	ring->journal = journal;
	err = scan_ring(ring, opts->watch);
	set_proofs(ring);
	if (!err && opts->flags & E2LAZY_RING_DATA)
		err = check_found(ring, opts->watch);
	if (!err)
		err = make_histories(ring);
	if (err) {
		e2lazy_ring_free(ring);
		return err;
	}
	ring->counts.txns = (uint32_t)ring->nr_found;
	ring->counts.histories = ring->nr_histories;
	*out = ring;
	return 0;
}

void e2lazy_ring_free(struct e2lazy_ring *ring)
{
	if (!ring)
		return;
	free(ring->found);
	free(ring->tids);
	free(ring->traces);
	free(ring->histories);
	free(ring);
}

const struct e2lazy_ring_counts *
e2lazy_ring_counts(const struct e2lazy_ring *ring)
{
	return &ring->counts;
}

void e2lazy_ring_txn(const struct e2lazy_ring *ring, uint32_t index,
		     struct e2lazy_ring_txn *out)
{
	const struct found *f = &ring->found[index];

	*out = (struct e2lazy_ring_txn){
		.txn = {
			.tid = f->tid, .start = f->start, .end = f->end,
			.copies = f->copies, .descriptors = f->descriptors,
			.revoke_blocks = f->revoke_blocks,
			.revokes = f->revokes, .committed = true,
			.torn = f->csum == E2LAZY_TORN, .csum = f->csum,
			.sec = f->sec, .nsec = f->nsec,
		},
		.range = {
			.start = f->start, .tid = f->tid,
			.blocks = found_blocks(&ring->journal->geo, f),
		},
		.history = f->history, .proof = f->proof,
	};
}

void e2lazy_ring_history(const struct e2lazy_ring *ring, uint32_t index,
			 struct e2lazy_history *out)
{
	*out = ring->histories[index];
}

/* In a history the ids ascend, with gaps of one id. */
static bool find_in(const struct e2lazy_ring *ring,
		    const struct e2lazy_history *h, uint32_t tid,
		    uint32_t *index)
{
	struct halving at = { .low = h->first, .high = h->first + h->count };

	if (tid - h->first_tid > h->last_tid - h->first_tid)
		return false;
	while (halve(&at))
		halved(&at, ring->found[at.mid].tid - h->first_tid <
			    tid - h->first_tid);
	*index = (uint32_t)at.low;
	return ring->found[at.low].tid == tid;
}

bool e2lazy_ring_find(const struct e2lazy_ring *ring, uint32_t tid,
		      uint32_t *index)
{
	for (uint32_t n = ring->nr_histories; n--; )
		if (find_in(ring, &ring->histories[n], tid, index))
			return true;
	return false;
}
