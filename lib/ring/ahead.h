/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ahead.h - threads follow the chains of a ring ahead of the scan
 *
 * A chain of control blocks has one request in flight: only a block tells the
 * place of the next one.  So each thread has a stretch of the ring, looks there
 * for a control block, and follows the chain from it.  The scan still takes
 * each step itself, and only asks whether a thread has read the block already.
 * So threads change nothing about what the scan finds.
 */
#ifndef E2LAZY_AHEAD_H
#define E2LAZY_AHEAD_H

#include <pthread.h>

#include "control.h"
#include "log/lookahead.h"

#define AHEAD_THREADS	7		/* and the scan is at the first stretch */
#define AHEAD_KNOWN	32768		/* control blocks a thread: 1.3 MB */

struct known {
	struct control	control;
	uint32_t	away;		/* blocks from the origin */
};

struct stretch {
	struct ahead	*ahead;
	pthread_t	thread;
	struct lookahead span;
	uint32_t	away, end;	/* blocks from the origin */
	uint32_t	search;		/* other blocks that it may still read */
	bool		is_over;
	struct known	*known;		/* in order */
	size_t		nr, room;
};

struct ahead {
	struct e2lazy_journal *journal;
	struct lap	lap;		/* the longest */
	uint32_t	origin;		/* log block */
	uint32_t	length;		/* blocks of a stretch */
	struct stretch	stretches[AHEAD_THREADS];
	unsigned	nr;
	pthread_mutex_t	lock;		/* guards the rest, and of a stretch
					   @away, @is_over and @known */
	pthread_cond_t	moved;
	bool		stop;
};

/*
 * Only the library's own channel bears threads; over any other one, and in a
 * small ring, nothing is known ahead.
 */
void ahead_begin(struct ahead *ahead, struct e2lazy_journal *journal,
		 uint32_t origin);
void ahead_end(struct ahead *ahead);

/*
 * Wait until the thread that has log block @at in its stretch is past it.
 * True: it is a sound control block.  False: not known.
 */
bool ahead_get(struct ahead *ahead, uint32_t at, struct control *control);

#endif
