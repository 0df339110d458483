/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * writer.h - several write requests at a time
 *
 * Requests begin in the order of writer_put(); a device with a queue sees up to
 * WRITER_THREADS at once.  Their bytes are parts of one ring, so that many small
 * requests wait in the memory of a few large ones.  Only libext2fs's own
 * channels bear threads; any other channel gets one request after the other from
 * the caller's thread.  One thread makes all calls, and the callback runs in it.
 */
#ifndef E2LAZY_WRITER_H
#define E2LAZY_WRITER_H

#include <pthread.h>

#include <ext2fs/ext2fs.h>

#define WRITER_THREADS	16
#define WRITER_JOBS	256

struct job {
	blk64_t		fsblk;
	uint32_t	slot, count;	/* the caller's number; blocks */
	uint8_t		*buffer;	/* for the caller to fill; or NULL */
	const uint8_t	*bytes;		/* @buffer, or the caller's memory */
	uint64_t	end;		/* of @buffer in the ring */
	errcode_t	error;
	bool		done;		/* atomic */
};

struct writer {
	io_channel	io;
	/* Called for each request, in order, after its write ended. */
	void		(*settle)(void *priv, const struct job *job);
	void		*priv;
	struct job	jobs[WRITER_JOBS];	/* a ring */
	uint64_t	put, settled;
	uint8_t		*ring;
	size_t		room, align;	/* bytes of @ring; of each buffer */
	uint64_t	taken, freed;	/* bytes of @ring so far */

	unsigned	nr_threads;
	pthread_t	threads[WRITER_THREADS];
	pthread_mutex_t	lock;		/* guards the rest */
	pthread_cond_t	more, less;
	uint64_t	ready, begun;
	unsigned	idle;		/* threads without a job */
	const struct job *awaited;	/* by the caller; or NULL */
	bool		stop;
};

/*
 * The buffers of requests in flight have @room bytes in all, more than 0.
 * @threads: @io bears threads.  Call writer_end() even after an error.
 */
errcode_t writer_begin(struct writer *w, io_channel io, size_t room,
		       bool threads,
		       void (*settle)(void *priv, const struct job *job),
		       void *priv);
/* Wait until all that was put is written; settle() is not called any more. */
void writer_end(struct writer *w);

/*
 * A request to fill in, with a buffer of @bytes bytes, at most the room, or
 * without one if @bytes is 0; writer_put() it before asking for the next.  The
 * buffer is the request's until it is settled.
 */
struct job *writer_job(struct writer *w, size_t bytes);
void writer_put(struct writer *w);
/* Wait until every request is settled. */
void writer_drain(struct writer *w);

#endif
