/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* copies.c - read many live copies, in the order of the log */

#include <stdlib.h>

#include "log/reader.h"
#include "copies.h"
#include "map/jmap.h"

struct reading {
	struct copies	from;
	const struct copy_taker *taker;
	size_t		stretch;
	uint8_t		*block;		/* for a copy from the cache */
	size_t		next;		/* next mapping to find in the cache */
};

static unsigned size_of(const struct e2lazy_journal *journal)
{
	return e2lazy_geometry(journal)->blocksize;
}

/* ---------------------------------------------------------------- source */

static int by_fsblk(const void *a, const void *b)
{
	const blk64_t *fsblk = a;
	blk64_t other = record_fsblk(b);

	return *fsblk < other ? -1 : *fsblk > other;
}

const struct record *copies_older(const struct records *older, blk64_t fsblk)
{
	if (!older || !older->nr)
		return NULL;
	return bsearch(&fsblk, older->at, older->nr, sizeof(*older->at),
		       by_fsblk);
}

uint32_t copies_logblk(const struct e2lazy_jmap *map,
		       const struct records *older, size_t index)
{
	const struct record *r = copies_older(older, jmap_fsblk(map, index));

	return r ? r->logblk : jmap_logblk(map, index);
}

/* Verify and unescape a copy as read from the log. */
static bool take_copy(const struct copies *from, size_t index, void *block)
{
	const struct record *r;

	r = copies_older(from->older, jmap_fsblk(from->map, index));
	if (!r)
		return jmap_take(from->map, index, block);
	if (!jmap_is_good(from->map, r->tid, r->logblk, block))
		return false;
	unescape(block, r->flags);
	return true;
}

/* ---------------------------------------------------------------- spans */

void verify_span(void *priv, const struct span *span)
{
	const struct copies *from = priv;
	unsigned size = size_of(from->journal);

	for (const struct want *w = span->from; w < span->to; w++) {
		errcode_t *err = &span->errors[w - span->from];

		if (!*err && !take_copy(from, w->slot,
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

static errcode_t take_kept(struct reading *r, size_t end)
{
	const struct copy_taker *taker = r->taker;
	errcode_t err = 0;

	for (; !err && r->next < end; r->next++)
		if (cache_get(r->from.kept, r->next, r->block))
			err = taker->take(taker->priv, r->next, r->block, 0);
	return err;
}

/*
 * A span may hold copies of several stretches, and the cache may hold all
 * copies of a stretch between them.
 */
static errcode_t take_span(void *priv, const struct span *span)
{
	struct reading *r = priv;
	size_t live = e2lazy_jmap_count(r->from.map), first;
	const struct copy_taker *taker = r->taker;
	unsigned size = size_of(r->from.journal);
	errcode_t err = 0;

	for (const struct want *w = span->from; !err && w < span->to; w++) {
		first = w->slot - w->slot % r->stretch;
		err = take_kept(r, live - first < r->stretch ?
				   live : first + r->stretch);
		if (!err)
			err = taker->take(taker->priv, w->slot,
					  span_block(span, w, size),
					  span->errors[w - span->from]);
	}
	return err;
}

/* --------------------------------------------------------------- reading */

static size_t count_unkept(const struct copies *from)
{
	size_t live = e2lazy_jmap_count(from->map), count = 0;

	for (size_t i = 0; i < live; i++)
		count += !cache_has(from->kept, i);
	return count;
}

struct want *list_copies(const struct copies *from, size_t stretch,
			 struct read_list *out)
{
	unsigned size = size_of(from->journal);
	size_t live = e2lazy_jmap_count(from->map), end;
	struct want *list = calloc(count_unkept(from) + 1, sizeof(*list));

	*out = (struct read_list){ .at = list, .gap = GAP_BYTES / size,
			       .most = COPIES_SPAN_BYTES / size };
	for (size_t first = 0; list && first < live; first = end) {
		size_t begin = out->count;

		end = live - first < stretch ? live : first + stretch;
		for (size_t i = first; i < end; i++)
			if (!cache_has(from->kept, i))
				list[out->count++] = (struct want){
					.logblk = copies_logblk(from->map,
							from->older, i),
					.slot = (uint32_t)i,
				};
		read_list_sort(list + begin, out->count - begin);
	}
	return list;
}

errcode_t read_copies(const struct copies *from, size_t stretch,
		      const struct copy_taker *taker)
{
	struct reading r = { .from = *from, .taker = taker, .stretch = stretch,
			     .block = malloc(size_of(from->journal)) };
	struct read_list wants;
	struct want *list = list_copies(from, stretch, &wants);
	errcode_t err = EXT2_ET_NO_MEMORY;

	if (list && r.block)
		err = wants.count ? reader_run(from->journal, &wants,
					       store_span, take_span, &r) : 0;
	if (!err)
		err = take_kept(&r, e2lazy_jmap_count(from->map));
	free(list);
	free(r.block);
	return err;
}
