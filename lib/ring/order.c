/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * order.c - which history of the ring is older
 *
 * By time, and the log's history is the newest.  Ids may begin anew, so they
 * decide only where a time is not known: such a history is as old as the newest
 * one with earlier ids.
 */

#include <stdlib.h>

#include "ring.h"

struct ranked {
	struct e2lazy_history h;
	int32_t		id;		/* of its last transaction, from any one */
	uint64_t	when;
};

static int by_id(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->h.first < b->h.first ? -1 : a->h.first > b->h.first;
}

static int by_time(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->h.is_log != b->h.is_log)
		return a->h.is_log ? 1 : -1;
	if (a->when != b->when)
		return a->when < b->when ? -1 : 1;
	return by_id(left, right);
}

static void set_times(struct ranked *r, uint32_t nr)
{
	uint64_t newest = 0;

	for (uint32_t i = 0; i < nr; i++) {
		r[i].when = last_when(&r[i].h);
		if (!r[i].when)
			r[i].when = newest;
		if (r[i].when > newest)
			newest = r[i].when;
	}
}

errcode_t order_histories(struct e2lazy_ring *ring)
{
	uint32_t nr = ring->nr_histories;
	struct ranked *r = calloc((size_t)nr + 1, sizeof(*r));

	if (!r)
		return EXT2_ET_NO_MEMORY;
	for (uint32_t i = 0; i < nr; i++) {
		r[i].h = ring->histories[i];
		r[i].id = (int32_t)(r[i].h.last_tid - r[0].h.last_tid);
	}
	qsort(r, nr, sizeof(*r), by_id);
	set_times(r, nr);
	qsort(r, nr, sizeof(*r), by_time);
	for (uint32_t i = 0; i < nr; i++)
		ring->histories[i] = r[i].h;
	free(r);
	return 0;
}
