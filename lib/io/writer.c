/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* writer.c - several write requests at a time */

#include <string.h>

#include "io_stub.h"
#include "thread.h"
#include "writer.h"

static void write_job(const struct writer *w, struct job *job)
{
	job->error = io_channel_write_blk64(w->io, job->fsblk,
					    (int)job->count, job->bytes);
}

/* -------------------------------------------------------------- threads */

static bool is_done(const struct job *job)
{
	return __atomic_load_n(&job->done, __ATOMIC_ACQUIRE);
}

static void *write_jobs(void *priv)
{
	struct writer *w = priv;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		struct job *job;

		w->idle++;
		while (!w->stop && w->begun == w->ready)
			pthread_cond_wait(&w->more, &w->lock);
		w->idle--;
		if (w->begun == w->ready)
			break;
		job = &w->jobs[w->begun++ % WRITER_JOBS];
		pthread_mutex_unlock(&w->lock);
		write_job(w, job);
		pthread_mutex_lock(&w->lock);
		__atomic_store_n(&job->done, true, __ATOMIC_RELEASE);
		if (job == w->awaited)
			pthread_cond_signal(&w->less);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* ---------------------------------------------------------------- caller */

static void await_job(struct writer *w, const struct job *job)
{
	if (is_done(job))
		return;
	pthread_mutex_lock(&w->lock);
	w->awaited = job;
	while (!is_done(job))
		pthread_cond_wait(&w->less, &w->lock);
	w->awaited = NULL;
	pthread_mutex_unlock(&w->lock);
}

/*
 * The caller awaits the last request first, and so mostly sleeps once: those
 * before are mostly written by then.
 */
static void settle_to(struct writer *w, uint64_t end)
{
	if (w->settled < end)
		await_job(w, &w->jobs[(end - 1) % WRITER_JOBS]);
	while (w->settled < end) {
		struct job *job = &w->jobs[w->settled % WRITER_JOBS];

		await_job(w, job);
		w->settle(w->priv, job);
		w->freed = job->end;
		w->settled++;
	}
}

/* Half of those in flight: meanwhile the device has the other half. */
static void settle_half(struct writer *w)
{
	settle_to(w, w->settled + (w->put - w->settled + 1) / 2);
}

/*
 * Take @bytes of the ring, in a row: a buffer that would reach beyond the end
 * begins at the start.  False if others are in the way.
 */
static bool take_room(struct writer *w, size_t bytes)
{
	size_t left;

	if (w->put == w->settled)
		w->taken = w->freed = 0;
	left = w->room - w->taken % w->room;
	left = left < bytes ? left : 0;
	if (w->taken + left + bytes - w->freed > w->room)
		return false;
	w->taken += left + bytes;
	return true;
}

struct job *writer_job(struct writer *w, uint32_t count)
{
	size_t bytes = io_stub_bytes(w->io, (int)count);
	struct job *job;

	bytes = (bytes + w->align - 1) / w->align * w->align;
	while (w->put - w->settled == WRITER_JOBS || !take_room(w, bytes))
		settle_half(w);
	job = &w->jobs[w->put % WRITER_JOBS];
	job->count = count;
	job->end = w->taken;
	job->buffer = w->ring + (w->taken - bytes) % w->room;
	return job;
}

void writer_put(struct writer *w)
{
	struct job *job = &w->jobs[w->put++ % WRITER_JOBS];
	bool idle;

	job->done = !w->nr_threads;
	if (!w->nr_threads) {
		write_job(w, job);
		writer_drain(w);
		return;
	}
	pthread_mutex_lock(&w->lock);
	w->ready++;
	idle = w->idle;
	pthread_mutex_unlock(&w->lock);
	if (idle)
		pthread_cond_signal(&w->more);
}

void writer_drain(struct writer *w)
{
	settle_to(w, w->put);
}

/* --------------------------------------------------------------- making */

/* As many threads as the system gives, perhaps none. */
static void begin_threads(struct writer *w)
{
	while (w->nr_threads < WRITER_THREADS &&
	       thread_begin(&w->threads[w->nr_threads], write_jobs, w))
		w->nr_threads++;
}

errcode_t writer_begin(struct writer *w, io_channel io, size_t room,
		       bool threads,
		       void (*settle)(void *priv, const struct job *job),
		       void *priv)
{
	errcode_t err;

	memset(w, 0, sizeof(*w));
	w->io = io;
	w->align = io->align > 4096 ? (size_t)io->align : 4096;
	w->room = (room + w->align - 1) / w->align * w->align;
	w->settle = settle;
	w->priv = priv;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->more, NULL);
	pthread_cond_init(&w->less, NULL);
	err = ext2fs_get_memalign(w->room, w->align, &w->ring);
	if (!err && threads)
		begin_threads(w);
	return err;
}

void writer_end(struct writer *w)
{
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_broadcast(&w->more);
	pthread_mutex_unlock(&w->lock);
	for (unsigned i = 0; i < w->nr_threads; i++)
		pthread_join(w->threads[i], NULL);
	ext2fs_free_mem(&w->ring);
	pthread_cond_destroy(&w->less);
	pthread_cond_destroy(&w->more);
	pthread_mutex_destroy(&w->lock);
}
