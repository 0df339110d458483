/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ring.h - where in the ring of an emptied log its last transactions stand */
#ifndef E2LAZY_RING_H
#define E2LAZY_RING_H

#include "log/sort.h"

/* The control blocks of a ring: type in @flags, in ring order from its begin. */
struct ring {
	const struct e2lazy_geometry *geo;
	struct records	blocks;
};

/* Transactions that follow each other. */
struct chain {
	uint32_t	start;		/* log block of the first */
	uint32_t	first_tid;
	/* The journal superblock still names the first one: nobody who replays
	   a log, or empties it in good order, leaves that. */
	bool		named;
};

/*
 * The transactions that the log held when it was emptied.  False: none that
 * is certain to be whole, or more than one that could be meant.
 */
bool ring_last_chain(const struct ring *ring, struct chain *out);

enum ring_chain { RING_NO_CHAIN, RING_UNCERTAIN, RING_CHAIN };

/*
 * The newest transactions of a ring, whatever its superblock says: of those
 * that s_sequence may follow, or (@inside false) of those that it cannot, for
 * a ring does not hold so many.  UNCERTAIN: none that is certain to be whole.
 */
enum ring_chain ring_left_chain(const struct ring *ring, bool inside,
				struct chain *out);

#endif
