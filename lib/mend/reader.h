/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reader.h - live copies read from the log, ahead of who wants them
 *
 * Threads of its own read, in the schedule's order, as far as there are
 * buffers: scattered copies take as many turns of the device as are not asked
 * for at once.  Between reader_begin() and reader_end() nobody else may read from
 * the journal.  All other calls are for one thread.
 */
#ifndef E2LAZY_READER_H
#define E2LAZY_READER_H

#include <pthread.h>

#include "schedule.h"

#define READER_THREADS	4
#define READER_SPANS	8		/* of SPAN_BYTES at most */

struct span {
	const struct want *from, *to;
	uint8_t		*bytes;		/* from the log block of @from on */
	errcode_t	*errors;	/* of each want; only if @bad */
	bool		bad;		/* some could not be read */
	bool		done;
};

struct reader {
	struct e2lazy_journal *journal;
	const struct schedule *schedule;
	io_channel	direct;		/* or NULL */
	unsigned	size;		/* of a block */
	struct span	spans[READER_SPANS];	/* a ring */

	unsigned	nr_threads;
	pthread_t	threads[READER_THREADS];
	pthread_mutex_t	lock;		/* of what follows, and span.done */
	pthread_cond_t	more, less;
	size_t		next_want;
	uint64_t	begun, released;	/* spans so far */
	bool		stop;
};

errcode_t reader_begin(struct reader *r, struct e2lazy_journal *journal,
		       const struct schedule *schedule);
void reader_end(struct reader *r);

/*
 * The next span, as SCHEDULE_READ has it, as soon as it has been read.  What
 * cannot be read as a whole has been tried again block by block, twice.
 */
const struct span *reader_get(struct reader *r);
/* The span may be overwritten. */
void reader_release(struct reader *r);

#endif
