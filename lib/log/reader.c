/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reader.c - threads read blocks of the log ahead of their user */

#include <stdlib.h>
#include <string.h>

#include "io/pread_io.h"
#include "reader.h"
#include "io/thread.h"

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

/* Read each block alone, for only one may be bad; try each twice. */
static void read_singly(const struct reader *r, struct span *span)
{
	for (const struct want *w = span->from; w < span->to; w++) {
		uint8_t *to = span_block(span, w, r->size);
		errcode_t *err = &span->errors[w - span->from];

		*err = read_blocks(r, w->logblk, 1, to);
		if (*err)
			*err = read_blocks(r, w->logblk, 1, to);
	}
}

/* Choose the blocks of the next span. */
static struct span *claim_span(struct reader *r)
{
	struct span *span = &r->spans[r->begun++ % r->nr_spans];

	span->from = r->wants.at + r->next_want;
	r->next_want = read_list_gather(&r->wants, r->next_want);
	span->to = r->wants.at + r->next_want;
	span->done = false;
	return span;
}

static void read_span(const struct reader *r, struct span *span)
{
	if (read_blocks(r, span->from->logblk, span->to[-1].logblk -
			span->from->logblk + 1, span->bytes))
		read_singly(r, span);
	else
		memset(span->errors, 0, (span->to - span->from) *
					sizeof(*span->errors));
	if (r->arrived)
		r->arrived(r->priv, span);
}

/* ------------------------------------------------------------- threads */

static bool is_over(const struct reader *r)
{
	return r->stop || r->next_want == r->wants.count;
}

static void *read_ahead(void *priv)
{
	struct reader *r = priv;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		struct span *span;

		while (!is_over(r) && r->begun - r->released == r->nr_spans)
			pthread_cond_wait(&r->more, &r->lock);
		if (is_over(r))
			break;
		span = claim_span(r);
		pthread_mutex_unlock(&r->lock);
		read_span(r, span);
		pthread_mutex_lock(&r->lock);
		span->done = true;
		pthread_cond_signal(&r->less);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

const struct span *reader_get(struct reader *r)
{
	struct span *span = &r->spans[r->released % r->nr_spans];

	if (!r->nr_threads) {
		span = claim_span(r);
		read_span(r, span);
		return span;
	}
	pthread_mutex_lock(&r->lock);
	while (r->begun == r->released || !span->done)
		pthread_cond_wait(&r->less, &r->lock);
	pthread_mutex_unlock(&r->lock);
	return span;
}

void reader_release(struct reader *r)
{
	pthread_mutex_lock(&r->lock);
	r->released++;
	pthread_cond_signal(&r->more);
	pthread_mutex_unlock(&r->lock);
}

/* -------------------------------------------------------------- making */

/* The blocks of the largest span, and the wants of the fullest one. */
struct largest {
	size_t		blocks, wants;
};

static struct largest find_largest(const struct read_list *list)
{
	struct largest largest = { 1, 1 };
	size_t next;

	for (size_t at = 0; at < list->count; at = next) {
		size_t blocks;

		next = read_list_gather(list, at);
		blocks = list->at[next - 1].logblk - list->at[at].logblk + 1;
		if (blocks > largest.blocks)
			largest.blocks = blocks;
		if (next - at > largest.wants)
			largest.wants = next - at;
	}
	return largest;
}

/* No more spans than wants, and one where no thread reads ahead. */
static errcode_t get_spans(struct reader *r, bool threads)
{
	const struct largest largest = find_largest(&r->wants);
	unsigned most = threads ? READER_SPANS : 1;
	errcode_t err = 0;

	r->nr_spans = r->wants.count < most ? (unsigned)r->wants.count : most;
	for (unsigned i = 0; !err && i < r->nr_spans; i++) {
		struct span *span = &r->spans[i];

		err = ext2fs_get_memalign(largest.blocks * r->size, 4096,
					  &span->bytes);
		span->errors = calloc(largest.wants, sizeof(*span->errors));
		if (!span->errors)
			err = EXT2_ET_NO_MEMORY;
	}
	return err;
}

/* As many threads as the system gives, perhaps none. */
static void begin_threads(struct reader *r)
{
	while (r->nr_threads < READER_THREADS &&
	       r->nr_threads < r->nr_spans &&
	       thread_begin(&r->threads[r->nr_threads], read_ahead, r))
		r->nr_threads++;
}

/* It works without a direct channel and without threads, too. */
errcode_t reader_begin(struct reader *r, struct e2lazy_journal *journal,
		       const struct read_list *wants, span_arrived arrived,
		       void *priv)
{
	bool threads = journal->io->manager == pread_io_manager;
	errcode_t err;

	memset(r, 0, sizeof(*r));
	r->journal = journal;
	r->wants = *wants;
	r->arrived = arrived;
	r->priv = priv;
	r->size = journal->geo.blocksize;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->more, NULL);
	pthread_cond_init(&r->less, NULL);
	err = get_spans(r, threads);
	if (err)
		return err;
	if (wants->again || pread_io_direct(journal->io, &r->direct))
		r->direct = NULL;
	if (threads)
		begin_threads(r);
	return 0;
}

void reader_end(struct reader *r)
{
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_broadcast(&r->more);
	pthread_mutex_unlock(&r->lock);
	for (unsigned i = 0; i < r->nr_threads; i++)
		pthread_join(r->threads[i], NULL);
	if (r->direct)
		io_channel_close(r->direct);
	for (unsigned i = 0; i < READER_SPANS; i++) {
		ext2fs_free_mem(&r->spans[i].bytes);
		free(r->spans[i].errors);
	}
	pthread_cond_destroy(&r->less);
	pthread_cond_destroy(&r->more);
	pthread_mutex_destroy(&r->lock);
}

errcode_t reader_run(struct e2lazy_journal *journal,
		     const struct read_list *wants, span_arrived arrived,
		     errcode_t (*take)(void *priv, const struct span *span),
		     void *priv)
{
	struct reader reader;
	size_t taken = 0;
	errcode_t err = reader_begin(&reader, journal, wants, arrived, priv);

	while (!err && taken < wants->count) {
		const struct span *span = reader_get(&reader);

		taken += span->to - span->from;
		err = take(priv, span);
		reader_release(&reader);
	}
	reader_end(&reader);
	return err;
}
