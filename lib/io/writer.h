/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * writer.h - static blocks written, several requests at a time
 *
 * Requests begin in the order that they are put; a device with a queue sees
 * WRITER_THREADS of them at once.  A channel that is not made for threads, as
 * all but libext2fs's own are not, gets one after the other from the caller's
 * thread.  All calls are for one thread, and so is the callback.
 */
#ifndef E2LAZY_WRITER_H
#define E2LAZY_WRITER_H

#include <pthread.h>

#include "e2lazy_mend.h"

#define WRITER_THREADS	16
#define WRITER_JOBS	24		/* of WRITE_BYTES each */

struct job {
	blk64_t		fsblk;
	uint32_t	slot, count;	/* of the caller; blocks */
	uint8_t		*buffer;	/* for the caller to fill */
	const uint8_t	*bytes;		/* that, or the caller's own */
	errcode_t	error;
	bool		done;
};

struct writer {
	io_channel	io;
	/* Called for each request in its order, once it has been dealt with. */
	void		(*settle)(void *priv, const struct job *job);
	void		*priv;
	struct job	jobs[WRITER_JOBS];	/* a ring */
	uint64_t	put, settled;

	unsigned	nr_threads;
	pthread_t	threads[WRITER_THREADS];
	pthread_mutex_t	lock;		/* of what follows, and job.done */
	pthread_cond_t	more, less;
	uint64_t	ready, begun;
	bool		stop;
};

/* Requests have at most @bytes bytes.  @threads: @io is made for them. */
errcode_t writer_begin(struct writer *w, io_channel io, size_t bytes,
		       bool threads,
		       void (*settle)(void *priv, const struct job *job),
		       void *priv);
/* What was put is written, but what there is is not settled any more. */
void writer_end(struct writer *w);

/* One to be filled in; to be put before the next is asked for. */
struct job *writer_job(struct writer *w);
void writer_put(struct writer *w);
/* Wait for all to be settled. */
void writer_drain(struct writer *w);

#endif
