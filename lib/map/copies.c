/* SPDX-License-Identifier: GPL-2.0-only */
/* copies.c - live copies, many at a time and in the order of the log */
#include "config.h"

#include <stdlib.h>

#include "../log/reader.h"
#include "copies.h"
#include "jmap.h"

struct reading {
	const struct copies *from;
	const struct copy_taker *taker;
};

static unsigned size_of(const struct e2lazy_journal *journal)
{
	return e2lazy_geometry(journal)->blocksize;
}

/* ---------------------------------------------------------------- spans */

static uint8_t *block_of(const struct span *span, const struct want *w,
			 unsigned size)
{
	return span->bytes + (size_t)size * (w->logblk - span->from->logblk);
}

void verify_span(const struct e2lazy_journal *journal,
		 const struct e2lazy_jmap *map, const struct span *span)
{
	unsigned size = size_of(journal);

	for (const struct want *w = span->from; w < span->to; w++) {
		errcode_t *err = &span->errors[w - span->from];

		if (!*err && !jmap_take(map, w->slot, block_of(span, w, size)))
			*err = E2LAZY_ET_DATA_CSUM;
	}
}

static void span_has_arrived(void *priv, const struct span *span)
{
	const struct reading *r = priv;
	const struct copy_taker *taker = r->taker;
	unsigned size = size_of(r->from->journal);

	verify_span(r->from->journal, r->from->map, span);
	if (!taker->store)
		return;
	for (const struct want *w = span->from; w < span->to; w++)
		taker->store(taker->priv, w->slot, block_of(span, w, size),
			     span->errors[w - span->from]);
}

static errcode_t take_span(const struct reading *r, const struct span *span)
{
	const struct copy_taker *taker = r->taker;
	unsigned size = size_of(r->from->journal);
	errcode_t err = 0;

	for (const struct want *w = span->from; !err && w < span->to; w++)
		err = taker->take(taker->priv, w->slot, block_of(span, w, size),
				  span->errors[w - span->from]);
	return err;
}

/* --------------------------------------------------------------- reading */

static errcode_t read_wants(struct reading *r, const struct wants *wants)
{
	struct reader reader;
	size_t taken = 0;
	errcode_t err;

	err = reader_begin(&reader, r->from->journal, wants, span_has_arrived,
			   r);
	while (!err && taken < wants->count) {
		const struct span *span = reader_get(&reader);

		err = take_span(r, span);
		taken += span->to - span->from;
		reader_release(&reader);
	}
	reader_end(&reader);
	return err;
}

/* Take what is kept, and list the rest. */
static errcode_t take_kept(const struct copies *from, size_t first,
			   size_t count, const struct copy_taker *taker,
			   struct want *list, size_t *listed)
{
	uint8_t *block = malloc(size_of(from->journal));
	errcode_t err = block ? 0 : EXT2_ET_NO_MEMORY;

	*listed = 0;
	for (size_t i = first; !err && i < first + count; i++) {
		if (kept_get(from->kept, i, block))
			err = taker->take(taker->priv, i, block, 0);
		else
			list[(*listed)++] = (struct want){
				.logblk = jmap_logblk(from->map, i),
				.slot = (uint32_t)i,
			};
	}
	free(block);
	return err;
}

errcode_t read_copies(const struct copies *from, size_t first, size_t count,
		      const struct copy_taker *taker)
{
	unsigned size = size_of(from->journal);
	struct reading r = { .from = from, .taker = taker };
	struct want *list = calloc(count + 1, sizeof(*list));
	struct wants wants = { .at = list, .gap = GAP_BYTES / size,
			       .most = COPIES_SPAN_BYTES / size };
	errcode_t err;

	if (!list)
		return EXT2_ET_NO_MEMORY;
	err = take_kept(from, first, count, taker, list, &wants.count);
	if (!err && wants.count) {
		wants_sort(list, wants.count);
		err = read_wants(&r, &wants);
	}
	free(list);
	return err;
}
