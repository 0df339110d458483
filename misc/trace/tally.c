/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tally.c - bytes, runs, bands and distinct blocks of one kind of requests
 */
#include <stdlib.h>
#include <string.h>

#include "tally.h"

/* Numbers a page, and the most pages: 2^40 blocks of 4 KiB are 4 PiB. */
#define PAGE_BITS	18
#define MOST_PAGES	((uint64_t)1 << 22)
/* A request has less than 4 GiB, and a discard is cut, too. */
#define MOST_BANDS_AT_ONCE	4097

static uint8_t *page_of(struct seen *s, size_t page)
{
	if (page >= s->room) {
		size_t room = page + page / 2 + 64;
		uint8_t **pages = realloc(s->pages, room * sizeof(*pages));

		if (!pages)
			return NULL;
		memset(pages + s->room, 0, (room - s->room) * sizeof(*pages));
		s->pages = pages;
		s->room = room;
	}
	if (!s->pages[page])
		s->pages[page] = calloc((1U << PAGE_BITS) / 8, 1);
	return s->pages[page];
}

bool seen_add(struct seen *s, uint64_t number)
{
	uint64_t page = number >> PAGE_BITS, bit = number % (1U << PAGE_BITS);
	uint8_t *bits;

	if (page >= MOST_PAGES) {
		s->beyond = true;
		return true;
	}
	bits = page_of(s, page);
	if (!bits)
		return false;
	s->count += !(bits[bit / 8] & 1U << bit % 8);
	bits[bit / 8] |= 1U << bit % 8;
	return true;
}

void seen_free(struct seen *s)
{
	for (size_t i = 0; i < s->room; i++)
		free(s->pages[i]);
	free(s->pages);
}

/* A run counts whole, once it is long enough. */
static void add_run(struct tally *t, uint64_t offset, uint64_t length,
		    uint64_t stream)
{
	bool was = t->run >= stream;

	if (offset != t->next) {
		t->run = 0;
		was = false;
	}
	t->run += length;
	t->next = offset + length;
	if (t->run >= stream)
		t->streamable += was ? length : t->run;
}

static bool add_range(struct seen *s, uint64_t first, uint64_t last)
{
	for (uint64_t i = first; i <= last; i++)
		if (!seen_add(s, i))
			return false;
	return true;
}

bool tally_add(struct tally *t, const struct tally_sizes *sizes,
	       uint64_t offset, uint64_t length)
{
	uint64_t end = offset + length - 1;

	t->bytes += length;
	if (!length)
		return true;
	add_run(t, offset, length, sizes->stream);
	/* A trace may tell of a request that no disk gets. */
	if (end / sizes->band - offset / sizes->band >= MOST_BANDS_AT_ONCE) {
		t->bands.beyond = t->blocks.beyond = true;
		return true;
	}
	if (!add_range(&t->bands, offset / sizes->band, end / sizes->band))
		return false;
	return !sizes->block || add_range(&t->blocks, offset / sizes->block,
					  end / sizes->block);
}

void tally_free(struct tally *t)
{
	seen_free(&t->bands);
	seen_free(&t->blocks);
}
