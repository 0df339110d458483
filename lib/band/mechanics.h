/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mechanics.h - arm and platter: how long the head takes
 *
 * A move costs a seek and half a revolution, wherever it ends.  A transfer runs
 * at the rate of the place where it begins.  The rate falls evenly from the
 * outer edge to the inner one; a seek grows with the root of its distance.
 * Places are bytes from the outer edge, times are ns, rates are bytes/s.
 */
#ifndef BAND_MECHANICS_H
#define BAND_MECHANICS_H

#include <stdint.h>

#include "e2lazy_model.h"

struct mechanics {
	uint64_t	span;		/* bytes of the surface */
	uint64_t	outer, inner;
	uint64_t	seek_least, seek_most;
	uint64_t	half_turn;
	uint64_t	head;		/* place of the head */
	uint64_t	moves;
};

void mechanics_init(struct mechanics *m, const struct e2lazy_params *params,
		    uint64_t span);
/* Move to @place: 0 if the head is there. */
uint64_t mechanics_move(struct mechanics *m, uint64_t place);
/* The time of a transfer of @bytes at @place; the head does not move. */
uint64_t mechanics_transfer(const struct mechanics *m, uint64_t place,
			    uint64_t bytes);
/* Move and transfer; the head then stands behind the bytes. */
uint64_t mechanics_access(struct mechanics *m, uint64_t place, uint64_t bytes);

#endif
