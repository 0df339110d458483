/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* overlaps.h - the blocks of a life that maps of other files name */
#ifndef E2LAZY_OVERLAPS_H
#define E2LAZY_OVERLAPS_H

#include "pieces.h"

/* The state of a block of a piece: its worst grade so far, and flags. */
#define STATE_GRADE	0x3f

static inline void state_set_grade(uint8_t *state, uint8_t grade)
{
	if ((*state & STATE_GRADE) < grade)
		*state = (uint8_t)((*state & ~STATE_GRADE) | grade);
}

/*
 * Grade the blocks of pieces that another file had since.  The pieces ascend, and
 * @states has a byte for each of their blocks, piece by piece.  Time: each block of
 * a piece counts twice, however many pieces have it.  Memory: 8 bytes for each
 * block of neighbours that overlap.
 */
errcode_t overlaps_mark(struct e2lazy_undelete *u, const struct record *from,
			const struct record *to, uint8_t *states);

#endif
