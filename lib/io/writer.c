/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* writer.c - several write requests at a time */

#include <string.h>

#include "thread.h"
#include "writer.h"

static void write_job(const struct writer *w, struct job *job)
{
	job->error = io_channel_write_blk64(w->io, job->fsblk,
					    (int)job->count, job->bytes);
}

/* -------------------------------------------------------------- threads */

static void *write_jobs(void *priv)
{
	struct writer *w = priv;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		struct job *job;

		while (!w->stop && w->begun == w->ready)
			pthread_cond_wait(&w->more, &w->lock);
		if (w->begun == w->ready)
			break;
		job = &w->jobs[w->begun++ % w->nr_jobs];
		pthread_mutex_unlock(&w->lock);
		write_job(w, job);
		pthread_mutex_lock(&w->lock);
		job->done = true;
		pthread_cond_signal(&w->less);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* ---------------------------------------------------------------- caller */

static void settle_oldest(struct writer *w)
{
	struct job *job = &w->jobs[w->settled % w->nr_jobs];

	if (w->nr_threads) {
		pthread_mutex_lock(&w->lock);
		while (!job->done)
			pthread_cond_wait(&w->less, &w->lock);
		pthread_mutex_unlock(&w->lock);
	}
	w->settle(w->priv, job);
	w->settled++;
}

struct job *writer_job(struct writer *w)
{
	if (w->put - w->settled == w->nr_jobs)
		settle_oldest(w);
	return &w->jobs[w->put % w->nr_jobs];
}

void writer_put(struct writer *w)
{
	struct job *job = &w->jobs[w->put++ % w->nr_jobs];

	job->done = false;
	if (!w->nr_threads) {
		write_job(w, job);
		settle_oldest(w);
		return;
	}
	pthread_mutex_lock(&w->lock);
	w->ready++;
	pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&w->lock);
}

void writer_drain(struct writer *w)
{
	while (w->settled < w->put)
		settle_oldest(w);
}

/* --------------------------------------------------------------- making */

/* As many threads as the system gives, perhaps none. */
static void begin_threads(struct writer *w)
{
	while (w->nr_threads < WRITER_THREADS &&
	       thread_begin(&w->threads[w->nr_threads], write_jobs, w))
		w->nr_threads++;
}

errcode_t writer_begin(struct writer *w, io_channel io, size_t bytes,
		       bool threads,
		       void (*settle)(void *priv, const struct job *job),
		       void *priv)
{
	size_t align = io->align > 4096 ? (size_t)io->align : 4096;
	errcode_t err = 0;

	memset(w, 0, sizeof(*w));
	w->io = io;
	w->settle = settle;
	w->priv = priv;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->more, NULL);
	pthread_cond_init(&w->less, NULL);
	w->nr_jobs = threads ? WRITER_JOBS : 1;
	for (unsigned i = 0; !err && i < w->nr_jobs; i++)
		err = ext2fs_get_memalign(bytes, align, &w->jobs[i].buffer);
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
	for (unsigned i = 0; i < WRITER_JOBS; i++)
		ext2fs_free_mem(&w->jobs[i].buffer);
	pthread_cond_destroy(&w->less);
	pthread_cond_destroy(&w->more);
	pthread_mutex_destroy(&w->lock);
}
