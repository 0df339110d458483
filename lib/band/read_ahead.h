/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * read_ahead.h - a drive's buffer for reads
 *
 * After a read the head stays where it is until the next request needs it
 * elsewhere, and the drive goes on to read into a segment of its buffer.  A later
 * read of these bytes needs no head; one that begins a little after them waits
 * for the platter to bring them, which takes less time than a move.
 */
#ifndef BAND_READ_AHEAD_H
#define BAND_READ_AHEAD_H

#include "mechanics.h"

#define READ_SEGMENTS	64

struct read_segment {
	uint64_t	start, end;	/* places; an empty one is unused */
	uint64_t	turn;		/* of its latest read */
};

struct read_ahead {
	uint64_t	size;		/* bytes of a segment; 0: no buffer */
	unsigned	nr_segments;
	uint64_t	turns;
	uint64_t	hits;		/* reads that needed no move */
	struct read_segment *filling;	/* the head is at its end; or NULL */
	uint64_t	since;		/* time when its end was reached */
	uint64_t	limit;		/* the place where it is full */
	struct read_segment segments[READ_SEGMENTS];
};

void read_ahead_init(struct read_ahead *a, const struct e2lazy_params *params);
/*
 * The time that a read of @bytes at @place takes, which begins at time @begin.
 * The head of @m moves with it.
 */
uint64_t read_ahead_access(struct read_ahead *a, struct mechanics *m,
			   uint64_t begin, uint64_t place, uint64_t bytes);

#endif
