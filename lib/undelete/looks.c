/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* looks.c - the copies that a directory may yet look at */

#include <stdlib.h>

#include "looks.h"

/* Looks at a copy after the first, on average, and for any number of them. */
#define AGAIN_EACH	8
#define AGAIN_ANY	256

errcode_t looks_begin(struct looks *l, size_t nr)
{
	/* One more is behind all copies, and never closed. */
	*l = (struct looks){
		.free = calloc(nr + 1, sizeof(*l->free)),
		.before = calloc(1, nr / 8 + 1),
		.again = AGAIN_EACH * ((uint64_t)nr + AGAIN_ANY),
	};
	if (!l->free || !l->before)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i <= nr; i++)
		l->free[i] = (uint32_t)i;
	return 0;
}

void looks_end(struct looks *l)
{
	free(l->free);
	free(l->before);
}

bool looks_take(struct looks *l, size_t copy)
{
	uint8_t *byte = &l->before[copy / 8], bit = (uint8_t)(1 << copy % 8);

	if (!(*byte & bit)) {
		*byte |= bit;
		return true;
	}
	if (!l->again)
		return false;
	l->again--;
	return true;
}

void looks_close(struct looks *l, size_t copy)
{
	l->free[copy] = (uint32_t)copy + 1;
}

size_t looks_next(struct looks *l, size_t copy)
{
	/* Each step halves the way for the next search. */
	while (l->free[copy] != copy) {
		l->free[copy] = l->free[l->free[copy]];
		copy = l->free[copy];
	}
	return copy;
}
