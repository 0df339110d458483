/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * writer.h - several write requests at a time
 *
 * Requests begin in the order of writer_put(); a device with a queue sees up to
 * WRITER_THREADS at once.  Their buffers are parts of one ring, so many small
 * requests wait where a few large ones do.  Only libext2fs's own channels bear
 * threads; any other channel gets one request after the other from the caller's
 * thread.  One thread makes all calls, and the callback runs in it.
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
	uint8_t		*buffer;	/* for the caller to fill */
	const uint8_t	*bytes;		/* @buffer, or the caller's memory */
	uint64_t	end;		/* writer.taken behind @buffer */
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
	/* Bytes of @ring so far, skipped ends too; 0 with nothing in flight. */
	uint64_t	taken, freed;

	unsigned	nr_threads;
	pthread_t	threads[WRITER_THREADS];
	pthread_mutex_t	lock;		/* guards the rest */
	pthread_cond_t	more, less;
	uint64_t	ready, begun;
	unsigned	idle;		/* threads without a job */
	/* By the caller, or NULL.  A thread compares it under the lock under
	   which it has ended its job, so the slot is still that job's. */
	const struct job *awaited;
	bool		stop;
};

/*
 * At most @room bytes wait or are in flight, so a caller that wants to stop waits
 * for no more.  @room must hold the largest request.  @threads: @io bears
 * threads.  Call writer_end() even after an error.
 */
errcode_t writer_begin(struct writer *w, io_channel io, size_t room,
		       bool threads,
		       void (*settle)(void *priv, const struct job *job),
		       void *priv);
/* Wait until all that was put is written; settle() is not called any more. */
void writer_end(struct writer *w);

/*
 * A request of @count blocks, at most the room; fill in the rest and
 * writer_put() it before asking for the next.  Its buffer is the request's until
 * it is settled; the caller may let it have bytes of its own memory instead.
 */
struct job *writer_job(struct writer *w, uint32_t count);
void writer_put(struct writer *w);
/* Wait until every request is settled. */
void writer_drain(struct writer *w);

#endif
