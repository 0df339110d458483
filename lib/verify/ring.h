/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ring.h - find the last transactions in the ring of an emptied log */
#ifndef E2LAZY_VERIFY_RING_H
#define E2LAZY_VERIFY_RING_H

#include "log/sort.h"

/* The control blocks of a ring, in ring order; @flags holds the type. */
struct ring {
	const struct e2lazy_geometry *geo;
	struct records	blocks;
};

/* Consecutive transactions. */
struct chain {
	uint32_t	start;		/* log block of the first */
	uint32_t	first_tid;
	/* s_sequence still names the first one; a replay, or a tool that
	   empties a log properly, never leaves that. */
	bool		named;
};

/*
 * The transactions that the log held when it was emptied.  False if none is
 * certainly whole, or if there are several candidates.
 */
bool ring_last_chain(const struct ring *ring, struct chain *out);

enum ring_chain { RING_NO_CHAIN, RING_UNCERTAIN, RING_CHAIN };

/*
 * The newest transactions of a ring, whatever its superblock says.  @inside:
 * those that s_sequence can follow within one ring; else the others.
 * RING_UNCERTAIN if none is certainly whole.
 */
enum ring_chain ring_left_chain(const struct ring *ring, bool inside,
				struct chain *out);

#endif
