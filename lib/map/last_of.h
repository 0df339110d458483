/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * last_of.h - where the last record of each block is, among many
 *
 * A small hash table in front of a sort: it saves work, and nothing is wrong if
 * it does not know a block.  A hostile log can make all blocks meet in a few
 * slots; they then find no room after some steps, and stay unknown.
 */
#ifndef E2LAZY_LAST_OF_H
#define E2LAZY_LAST_OF_H

#include <stdlib.h>
#include <string.h>

#include "log/sort.h"

#define LAST_OF_BITS	17		/* 1 MiB */
#define LAST_OF_SLOTS	(1U << LAST_OF_BITS)
#define LAST_OF_STEPS	8
/* Among more records than this, it takes more time than it saves. */
#define LAST_OF_MOST	(LAST_OF_SLOTS / 2)

struct last_of {
	struct last_slot {
		uint32_t	fs_low;
		uint32_t	place;	/* 1 + index of the record; 0: free */
	} *slots;			/* NULL: knows no block, and takes none */
};

/* Forget all.  Without memory it goes without. */
static inline void last_of_clear(struct last_of *t)
{
	if (t->slots)
		memset(t->slots, 0, LAST_OF_SLOTS * sizeof(*t->slots));
	else
		t->slots = calloc(LAST_OF_SLOTS, sizeof(*t->slots));
}

static inline void last_of_free(struct last_of *t)
{
	free(t->slots);
	t->slots = NULL;
}

/*
 * The slot of a block: with its last record in @at, or free and to be filled by
 * the caller.  NULL: there is no room for it.
 */
static inline struct last_slot *last_of_find(struct last_of *t,
					     const struct record *at,
					     const struct record *r)
{
	uint32_t hash = (r->fs_low ^ (uint32_t)r->fs_high << 16) *
			UINT32_C(2654435761);
	uint32_t i = hash >> (32 - LAST_OF_BITS);

	for (unsigned step = 0; t->slots && step < LAST_OF_STEPS; step++) {
		struct last_slot *slot = &t->slots[(i + step) %
						   LAST_OF_SLOTS];

		if (!slot->place ||
		    (slot->fs_low == r->fs_low &&
		     at[slot->place - 1].fs_high == r->fs_high))
			return slot;
	}
	return NULL;
}

#endif
