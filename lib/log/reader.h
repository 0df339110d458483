/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * reader.h - blocks read from the log, ahead of who wants them
 *
 * Threads of its own read, in the order of the wants, as far as there are
 * buffers: scattered blocks take as many turns of the device as are not asked
 * for at once.  A channel that is not made for threads, as all but the
 * library's own are not, is read from in the caller's.  All calls are for one
 * thread.
 */
#ifndef E2LAZY_READER_H
#define E2LAZY_READER_H

#include <pthread.h>

#include "log.h"
#include "io/read_list.h"

#define READER_THREADS	8
#define READER_SPANS	16		/* of SPAN_BYTES at most */

struct span {
	const struct want *from, *to;
	uint8_t		*bytes;		/* from the log block of @from on */
	errcode_t	*errors;	/* of each want */
	bool		done;
};

/* What was read of one of its wants; blocks are of @size bytes. */
static inline uint8_t *span_block(const struct span *span, const struct want *w,
				  unsigned size)
{
	return span->bytes + (size_t)size * (w->logblk - span->from->logblk);
}

/* Called for each span by the thread that has read it; it may set errors. */
typedef void (*span_arrived)(void *priv, const struct span *span);

struct reader {
	struct e2lazy_journal *journal;
	struct read_list	wants;
	span_arrived	arrived;	/* or NULL */
	void		*priv;
	io_channel	direct;		/* or NULL */
	unsigned	size;		/* of a block */
	struct span	spans[READER_SPANS];	/* a ring of nr_spans */
	unsigned	nr_spans;

	unsigned	nr_threads;
	pthread_t	threads[READER_THREADS];
	pthread_mutex_t	lock;		/* of what follows, and span.done */
	pthread_cond_t	more, less;
	size_t		next_want;
	uint64_t	begun, released;	/* spans so far */
	bool		stop;
};

errcode_t reader_begin(struct reader *r, struct e2lazy_journal *journal,
		       const struct read_list *wants, span_arrived arrived,
		       void *priv);
void reader_end(struct reader *r);

/*
 * The next span, as read_list_gather() has it, as soon as it has been read.
 * What cannot be read as a whole has been tried again block by block, twice.
 */
const struct span *reader_get(struct reader *r);
/* The span may be overwritten. */
void reader_release(struct reader *r);

/*
 * All of it: each span of @wants is given to @take, in the caller's thread and
 * in the order of the list.  An error of @take ends the reading.
 */
errcode_t reader_run(struct e2lazy_journal *journal,
		     const struct read_list *wants, span_arrived arrived,
		     errcode_t (*take)(void *priv, const struct span *span),
		     void *priv);

#endif
