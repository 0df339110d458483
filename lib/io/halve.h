/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* halve.h - search a sorted array, for the library and the programs */
#ifndef E2LAZY_HALVE_H
#define E2LAZY_HALVE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Find the first element that is not before the wanted place:
 *
 *	struct halving h = { .high = count };
 *
 *	while (halve(&h))
 *		halved(&h, array[h.mid] < wanted);
 *
 * Then it is h.low, which is @count if all elements are before the place.
 */
struct halving {
	size_t		low, high;	/* it is in [low, high] */
	size_t		mid;
};

static inline bool halve(struct halving *h)
{
	h->mid = h->low + (h->high - h->low) / 2;
	return h->low < h->high;
}

static inline void halved(struct halving *h, bool before)
{
	if (before)
		h->low = h->mid + 1;
	else
		h->high = h->mid;
}

#endif
