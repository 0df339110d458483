/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * reader.h - threads read blocks of the log ahead of their user
 *
 * Threads of the reader fill its buffers in the order of the wants: scattered
 * blocks cost one revolution each unless they are queued together.  Only the
 * library's own channel bears threads; any other channel is read in the
 * caller's thread.  One thread makes all calls.
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
	uint8_t		*bytes;		/* begins with the log block of @from */
	errcode_t	*errors;	/* one for each want */
	bool		done;
};

/* The block that was read for want @w; blocks have @size bytes. */
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
	pthread_mutex_t	lock;		/* guards the rest, and span.done */
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
 * Wait for the next span, as read_list_gather() cuts it.  If a request fails,
 * the reader tries each of its wanted blocks alone, twice.
 */
const struct span *reader_get(struct reader *r);
/* The reader may overwrite the span of the last reader_get(). */
void reader_release(struct reader *r);

/*
 * Read all of @wants: call @take for each span, in the caller's thread and in
 * the order of the list.  An error of @take ends the reading.
 */
errcode_t reader_run(struct e2lazy_journal *journal,
		     const struct read_list *wants, span_arrived arrived,
		     errcode_t (*take)(void *priv, const struct span *span),
		     void *priv);

#endif
