/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strangers.c - transactions of the ring that an earlier file system committed */

#include <stdlib.h>

#include "log/birth.h"
#include "ring.h"

/*
 * Ids of transactions that this file system certainly committed, ascending, and
 * the last of them in the order of ids.
 */
struct ours {
	uint32_t	*ids;
	size_t		nr;
	uint32_t	last;
};

static errcode_t list_ours(const struct e2lazy_ring *ring,
			   const struct birth *birth, struct ours *ours)
{
	ours->ids = calloc(ring->nr_found + 1, sizeof(*ours->ids));
	if (!ours->ids)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < ring->nr_found; i++) {
		const struct found *f = &ring->found[i];

		if (is_before_birth(birth, f->sec))
			continue;
		if (!ours->nr || e2lazy_tid_after(f->tid, ours->last))
			ours->last = f->tid;
		ours->ids[ours->nr++] = f->tid;
	}
	qsort(ours->ids, ours->nr, sizeof(*ours->ids), compare_numbers);
	return 0;
}

/*
 * See birth.h.  Where checksums cover the UUID, the id must agree: it is later
 * than those of this file system, or one of them is the same.
 */
static bool is_stranger(const struct birth *birth, const struct ours *ours,
			const struct found *f)
{
	if (f->in_log || !is_before_birth(birth, f->sec))
		return false;
	return !birth->seeded ||
	       (ours->nr && e2lazy_tid_after(f->tid, ours->last)) ||
	       has_number(ours->ids, ours->nr, f->tid);
}

static errcode_t drop(struct e2lazy_ring *ring, const struct birth *birth,
		      const struct ours *ours)
{
	size_t kept = 0;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < ring->nr_found; i++) {
		const struct found *f = &ring->found[i];
		const struct trace trace = {
			.start = f->start, .end = f->end, .tid = f->tid,
			.kind = TRACE_FOREIGN, .committed = true,
			.when = found_when(f),
		};

		if (!is_stranger(birth, ours, f))
			ring->found[kept++] = *f;
		else
			err = ring_add_trace(ring, &trace);
	}
	ring->nr_found = kept;
	return err;
}

errcode_t drop_strangers(struct e2lazy_ring *ring)
{
	struct e2lazy_end end = { .earliest = UINT64_MAX };
	struct ours ours = { .nr = 0 };
	struct birth birth;
	errcode_t err;

	for (size_t i = 0; i < ring->nr_found; i++)
		if (ring->found[i].in_log && ring->found[i].sec < end.earliest)
			end.earliest = ring->found[i].sec;
	birth_init(&birth, ring->journal, &end);
	err = list_ours(ring, &birth, &ours);
	if (!err)
		err = drop(ring, &birth, &ours);
	free(ours.ids);
	return err;
}
