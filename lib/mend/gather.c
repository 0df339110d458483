/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gather.c - in what requests live copies are read
 */
#include "config.h"

#include <stdlib.h>

#include "../log/log.h"
#include "../map/jmap.h"
#include "gather.h"

#define LEAST_MEMORY	(1 << 20)

static int by_logblk(const void *a, const void *b)
{
	const struct want *x = a, *y = b;

	return x->logblk < y->logblk ? -1 : x->logblk > y->logblk;
}

void wants_sort(struct want *wants, size_t count)
{
	qsort(wants, count, sizeof(*wants), by_logblk);
}

const struct want *wants_gather(const struct want *want,
				const struct want *end, uint32_t gap,
				uint32_t most)
{
	const struct want *next = want + 1;

	while (next < end && next->logblk - next[-1].logblk <= gap + 1 &&
	       next->logblk - want->logblk < most)
		next++;
	return next;
}

size_t most_blocks(unsigned blocksize)
{
	size_t most = SIZE_MAX / 2 / blocksize;

	return most < INT32_MAX / 2 ? most : INT32_MAX / 2;
}

size_t pass_room(uint64_t memory, unsigned blocksize, size_t live)
{
	uint64_t room = (memory > LEAST_MEMORY ? memory : LEAST_MEMORY) /
			blocksize;
	size_t most = most_blocks(blocksize);

	if (room > live)
		room = live ? live : 1;
	return room < most ? (size_t)room : most;
}

/* ------------------------------------------------------------- reading */

struct reading {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;
	size_t		first;
	struct want	*wants;
	uint8_t		*span;
	copy_taker	take;
	void		*priv;
};

static errcode_t take_one(const struct reading *r, const struct want *w,
			  uint8_t *block)
{
	size_t index = r->first + w->slot;
	bool good = jmap_take(r->map, index, block);

	return r->take(r->priv, index, block, good ? 0 : E2LAZY_ET_DATA_CSUM);
}

/* A block at a time, for only one of them may be bad. */
static errcode_t read_singly(const struct reading *r, const struct want *w,
			     const struct want *end)
{
	errcode_t err = 0, unreadable;

	for (; !err && w < end; w++) {
		unreadable = e2lazy_read_log(r->journal, w->logblk, 1,
					     r->span);
		if (unreadable)
			err = r->take(r->priv, r->first + w->slot, r->span,
				      unreadable);
		else
			err = take_one(r, w, r->span);
	}
	return err;
}

static errcode_t read_requests(const struct reading *r, size_t count)
{
	const struct want *w = r->wants, *end = w + count, *next;
	unsigned size = r->journal->geo.blocksize;
	errcode_t err = 0;

	for (; !err && w < end; w = next) {
		uint32_t at = w->logblk;

		next = wants_gather(w, end, GAP_BYTES / size,
				    SPAN_BYTES / size);
		if (e2lazy_read_log(r->journal, at, next[-1].logblk - at + 1,
				    r->span)) {
			err = read_singly(r, w, next);
			continue;
		}
		for (; !err && w < next; w++)
			err = take_one(r, w, r->span + (size_t)size *
					     (w->logblk - at));
	}
	return err;
}

errcode_t read_copies(struct e2lazy_journal *journal,
		      const struct e2lazy_jmap *map, size_t first,
		      size_t count, copy_taker take, void *priv)
{
	struct reading r = { .journal = journal, .map = map, .first = first,
			     .take = take, .priv = priv };
	errcode_t err;

	if (!count)
		return 0;
	r.wants = calloc(count, sizeof(*r.wants));
	if (!r.wants)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < count; i++) {
		r.wants[i].logblk = jmap_logblk(map, first + i);
		r.wants[i].slot = (uint32_t)i;
	}
	wants_sort(r.wants, count);
	err = io_channel_alloc_buf(journal->io, SPAN_BYTES /
				   (int)journal->geo.blocksize, &r.span);
	if (!err)
		err = read_requests(&r, count);
	ext2fs_free_mem(&r.span);
	free(r.wants);
	return err;
}
