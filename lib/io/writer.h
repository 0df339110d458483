/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * writer.h - several write requests at a time
 *
 * Requests begin in the order of writer_put(); a device with a queue sees up to
 * WRITER_THREADS at once.  Only libext2fs's own channels bear threads; any
 * other channel gets one request after the other from the caller's thread.  One
 * thread makes all calls, and the callback runs in it.
 */
#ifndef E2LAZY_WRITER_H
#define E2LAZY_WRITER_H

#include <pthread.h>

#include <ext2fs/ext2fs.h>

#define WRITER_THREADS	16
#define WRITER_JOBS	24		/* of WRITE_BYTES each */

struct job {
	blk64_t		fsblk;
	uint32_t	slot, count;	/* the caller's number; blocks */
	uint8_t		*buffer;	/* for the caller to fill */
	const uint8_t	*bytes;		/* @buffer, or the caller's memory */
	errcode_t	error;
	bool		done;
};

struct writer {
	io_channel	io;
	/* Called for each request, in order, after its write ended. */
	void		(*settle)(void *priv, const struct job *job);
	void		*priv;
	struct job	jobs[WRITER_JOBS];	/* a ring of @nr_jobs */
	unsigned	nr_jobs;	/* one where there are no threads */
	uint64_t	put, settled;

	unsigned	nr_threads;
	pthread_t	threads[WRITER_THREADS];
	pthread_mutex_t	lock;		/* guards the rest, and job.done */
	pthread_cond_t	more, less;
	uint64_t	ready, begun;
	bool		stop;
};

/* A request has at most @bytes bytes.  @threads: @io bears threads. */
errcode_t writer_begin(struct writer *w, io_channel io, size_t bytes,
		       bool threads,
		       void (*settle)(void *priv, const struct job *job),
		       void *priv);
/* Wait until all that was put is written; settle() is not called any more. */
void writer_end(struct writer *w);

/* A request to fill in; writer_put() it before asking for the next. */
struct job *writer_job(struct writer *w);
void writer_put(struct writer *w);
/* Wait until every request is settled. */
void writer_drain(struct writer *w);

#endif
