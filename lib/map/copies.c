/* SPDX-License-Identifier: GPL-2.0-only */
/* copies.c - live copies, many at a time and in the order of the log */
#include "config.h"

#include <stdlib.h>

#include "../log/reader.h"
#include "copies.h"
#include "jmap.h"

struct reading {
	struct copies	from;
	const struct copy_taker *taker;
	struct reader	reader;
	uint8_t		*block;		/* for one that is kept */
	size_t		wanted, taken;	/* of the reader */
};

static unsigned size_of(const struct e2lazy_journal *journal)
{
	return e2lazy_geometry(journal)->blocksize;
}

/* ---------------------------------------------------------------- spans */

void verify_span(void *priv, const struct span *span)
{
	const struct copies *from = priv;
	unsigned size = size_of(from->journal);

	for (const struct want *w = span->from; w < span->to; w++) {
		errcode_t *err = &span->errors[w - span->from];

		if (!*err && !jmap_take(from->map, w->slot,
					span_block(span, w, size)))
			*err = E2LAZY_ET_DATA_CSUM;
	}
}

static void store_span(void *priv, const struct span *span)
{
	struct reading *r = priv;
	const struct copy_taker *taker = r->taker;
	unsigned size = size_of(r->from.journal);

	verify_span(&r->from, span);
	if (!taker->store)
		return;
	for (const struct want *w = span->from; w < span->to; w++)
		taker->store(taker->priv, w->slot, span_block(span, w, size),
			     span->errors[w - span->from]);
}

static errcode_t take_span(struct reading *r)
{
	const struct span *span = reader_get(&r->reader);
	const struct copy_taker *taker = r->taker;
	unsigned size = size_of(r->from.journal);
	errcode_t err = 0;

	for (const struct want *w = span->from; !err && w < span->to; w++)
		err = taker->take(taker->priv, w->slot,
				  span_block(span, w, size),
				  span->errors[w - span->from]);
	r->taken += span->to - span->from;
	reader_release(&r->reader);
	return err;
}

/* --------------------------------------------------------------- reading */

struct want *list_copies(const struct copies *from, size_t stretch,
			 struct wants *out)
{
	unsigned size = size_of(from->journal);
	size_t live = e2lazy_jmap_count(from->map), end;
	struct want *list = calloc(live + 1, sizeof(*list));

	*out = (struct wants){ .at = list, .gap = GAP_BYTES / size,
			       .most = COPIES_SPAN_BYTES / size };
	for (size_t first = 0; list && first < live; first = end) {
		size_t begin = out->count;

		end = live - first < stretch ? live : first + stretch;
		for (size_t i = first; i < end; i++)
			if (!kept_has(from->kept, i))
				list[out->count++] = (struct want){
					.logblk = jmap_logblk(from->map, i),
					.slot = (uint32_t)i,
				};
		wants_sort(list + begin, out->count - begin);
	}
	return list;
}

/* A span may reach into the next stretch, and bring some of that. */
static errcode_t take_stretch(struct reading *r, size_t first, size_t end)
{
	errcode_t err = 0;

	for (size_t i = first; !err && i < end; i++) {
		if (kept_get(r->from.kept, i, r->block))
			err = r->taker->take(r->taker->priv, i, r->block, 0);
		else
			r->wanted++;
	}
	while (!err && r->taken < r->wanted)
		err = take_span(r);
	return err;
}

static errcode_t take_all(struct reading *r, size_t stretch,
			  const struct wants *wants)
{
	size_t live = e2lazy_jmap_count(r->from.map), end;
	errcode_t err;

	err = reader_begin(&r->reader, r->from.journal, wants, store_span, r);
	for (size_t first = 0; !err && first < live; first = end) {
		end = live - first < stretch ? live : first + stretch;
		err = take_stretch(r, first, end);
	}
	reader_end(&r->reader);
	return err;
}

errcode_t read_copies(const struct copies *from, size_t stretch,
		      const struct copy_taker *taker)
{
	struct reading r = { .from = *from, .taker = taker,
			     .block = malloc(size_of(from->journal)) };
	struct wants wants;
	struct want *list = list_copies(from, stretch, &wants);
	errcode_t err = EXT2_ET_NO_MEMORY;

	if (list && r.block)
		err = take_all(&r, stretch, &wants);
	free(list);
	free(r.block);
	return err;
}
