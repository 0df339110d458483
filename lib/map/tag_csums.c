/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tag_csums.c - the checksum in each copy's tag, by log block
 *
 * A superblock can declare a ring of up to 2^32 blocks, so only chunks with a
 * copy take memory.
 */

#include <stdlib.h>

#include "tag_csums.h"

#define CHUNK_BITS	14
#define CHUNK		((uint32_t)1 << CHUNK_BITS)

errcode_t tag_csums_init(struct tag_csums *c, const struct e2lazy_geometry *g)
{
	if (g->csum < E2LAZY_CSUM_V2)
		return 0;
	c->first = g->first;
	c->size = ring_size(g) < CHUNK ? ring_size(g) : CHUNK;
	c->nr = (ring_size(g) - 1) / CHUNK + 1;
	c->chunks = calloc(c->nr, sizeof(*c->chunks));
	return c->chunks ? 0 : EXT2_ET_NO_MEMORY;
}

void tag_csums_free(struct tag_csums *c)
{
	for (uint32_t i = 0; c->chunks && i < c->nr; i++)
		free(c->chunks[i]);
	free(c->chunks);
	c->chunks = NULL;
}

errcode_t tag_csums_set(struct tag_csums *c, uint32_t logblk, uint32_t csum)
{
	uint32_t at = logblk - c->first;
	uint32_t **chunk;

	if (!c->chunks)
		return 0;
	chunk = &c->chunks[at >> CHUNK_BITS];
	if (!*chunk)
		*chunk = calloc(c->size, sizeof(**chunk));
	if (!*chunk)
		return EXT2_ET_NO_MEMORY;
	(*chunk)[at % CHUNK] = csum;
	return 0;
}

uint32_t tag_csums_get(const struct tag_csums *c, uint32_t logblk)
{
	uint32_t at = logblk - c->first;
	const uint32_t *chunk = c->chunks[at >> CHUNK_BITS];

	return chunk ? chunk[at % CHUNK] : 0;
}
