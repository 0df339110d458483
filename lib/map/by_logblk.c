/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* by_logblk.c - a number, or a bit, for each block of the ring */

#include <stdlib.h>

#include "by_logblk.h"

errcode_t by_logblk_init(struct by_logblk *a, const struct e2lazy_geometry *g,
			 unsigned bits)
{
	uint32_t blocks = lap_size(lap_longest(g));

	a->first = g->first;
	a->nr = (blocks - 1) / BY_LOGBLK_PART + 1;
	if (blocks > BY_LOGBLK_PART)
		blocks = BY_LOGBLK_PART;
	a->size = bits == 1 ? blocks / 32 + 1 : blocks;
	a->parts = calloc(a->nr, sizeof(*a->parts));
	return a->parts ? 0 : EXT2_ET_NO_MEMORY;
}

void by_logblk_free(struct by_logblk *a)
{
	for (uint32_t i = 0; a->parts && i < a->nr; i++)
		free(a->parts[i]);
	free(a->parts);
	a->parts = NULL;
}

uint32_t *by_logblk_part(struct by_logblk *a, uint32_t logblk)
{
	uint32_t **part = &a->parts[(logblk - a->first) >> BY_LOGBLK_BITS];

	if (!*part)
		*part = calloc(a->size, sizeof(**part));
	return *part;
}
