/* SPDX-License-Identifier: GPL-2.0-only */
/* reader.c - live copies read from the log, ahead of who wants them */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../log/log.h"
#include "../log/pread_io.h"
#include "reader.h"
#include "thread.h"

/* ------------------------------------------------------------- reading */

static errcode_t read_blocks(const struct reader *r, uint32_t logblk,
			     uint32_t count, void *to)
{
	errcode_t err = EXT2_ET_UNIMPLEMENTED;

	if (r->direct)
		err = read_log_through(r->journal, r->direct, logblk, count,
				       to);
	if (err)
		err = read_log_through(r->journal, r->journal->io, logblk,
				       count, to);
	return err;
}

/* A block at a time, for only one of them may be bad, and each twice. */
static void read_singly(const struct reader *r, struct span *span)
{
	uint32_t first = span->from->logblk;

	for (const struct want *w = span->from; w < span->to; w++) {
		uint8_t *to = span->bytes + (size_t)r->size *
					    (w->logblk - first);
		errcode_t *err = &span->errors[w - span->from];

		*err = read_blocks(r, w->logblk, 1, to);
		if (*err)
			*err = read_blocks(r, w->logblk, 1, to);
	}
}

static void read_span(struct reader *r, struct span *span)
{
	const struct schedule *s = r->schedule;

	span->from = s->wants + r->next_want;
	span->to = wants_gather(span->from, s->wants + s->nr_wants, s->gap,
				s->most_read);
	r->next_want = span->to - s->wants;
	span->bad = read_blocks(r, span->from->logblk, span->to[-1].logblk -
				span->from->logblk + 1, span->bytes);
	if (span->bad)
		read_singly(r, span);
}

/* -------------------------------------------------------------- thread */

static bool may_read(struct reader *r)
{
	bool may;

	pthread_mutex_lock(&r->lock);
	while (!r->stop && r->read - r->released == READER_SPANS)
		pthread_cond_wait(&r->changed, &r->lock);
	may = !r->stop;
	pthread_mutex_unlock(&r->lock);
	return may;
}

static void count_one(struct reader *r, uint64_t *counter)
{
	pthread_mutex_lock(&r->lock);
	++*counter;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

static void *read_ahead(void *priv)
{
	struct reader *r = priv;
	uint64_t number = 0;

	while (r->next_want < r->schedule->nr_wants && may_read(r)) {
		read_span(r, &r->spans[number++ % READER_SPANS]);
		count_one(r, &r->read);
	}
	return NULL;
}

const struct span *reader_get(struct reader *r)
{
	struct span *span = &r->spans[r->released % READER_SPANS];

	if (!r->threaded) {
		read_span(r, span);
		return span;
	}
	pthread_mutex_lock(&r->lock);
	while (r->read == r->released)
		pthread_cond_wait(&r->changed, &r->lock);
	pthread_mutex_unlock(&r->lock);
	return span;
}

void reader_release(struct reader *r)
{
	count_one(r, &r->released);
}

/* -------------------------------------------------------------- making */

static errcode_t get_spans(struct reader *r)
{
	uint32_t blocks = r->schedule->most_read;
	errcode_t err = 0;

	for (unsigned i = 0; !err && i < READER_SPANS; i++) {
		struct span *span = &r->spans[i];

		err = ext2fs_get_memalign((size_t)blocks * r->size, 4096,
					  &span->bytes);
		span->errors = calloc(blocks, sizeof(*span->errors));
		if (!span->errors)
			err = EXT2_ET_NO_MEMORY;
	}
	return err;
}

/* Without a direct channel, or a thread, it goes on with what there is. */
errcode_t reader_begin(struct reader *r, struct e2lazy_journal *journal,
		       const struct schedule *schedule)
{
	errcode_t err;

	memset(r, 0, sizeof(*r));
	r->journal = journal;
	r->schedule = schedule;
	r->size = journal->geo.blocksize;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	err = get_spans(r);
	if (err)
		return err;
	if (pread_io_direct(journal->io, &r->direct))
		r->direct = NULL;
	r->threaded = thread_begin(&r->thread, read_ahead, r);
	return 0;
}

void reader_end(struct reader *r)
{
	if (r->threaded) {
		pthread_mutex_lock(&r->lock);
		r->stop = true;
		pthread_cond_signal(&r->changed);
		pthread_mutex_unlock(&r->lock);
		pthread_join(r->thread, NULL);
	}
	if (r->direct)
		io_channel_close(r->direct);
	for (unsigned i = 0; i < READER_SPANS; i++) {
		ext2fs_free_mem(&r->spans[i].bytes);
		free(r->spans[i].errors);
	}
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
}
