/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * logged.c - which copies the log holds at each moment of a trace
 *
 * A transaction commits when its commit block is written to the journal.  From
 * then on the log holds its blocks.  A home write was in vain if a later
 * transaction of the trace logs the block again.
 */

#include <stdlib.h>

#include "io/halve.h"
#include "logged.h"

static int by_block(const void *a, const void *b)
{
	const struct logged_copy *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	return (x->txn > y->txn) - (x->txn < y->txn);
}

bool log_begin(struct log_state *log, const struct e2lazy_trace_fs *fs)
{
	size_t n = 0;

	*log = (struct log_state){ .fs = fs };
	log->copies = calloc(fs->nr_logged + 1, sizeof(*log->copies));
	if (!log->copies)
		return false;
	for (size_t i = 0; i < fs->nr_txns; i++)
		for (uint32_t k = 0; k < fs->txns[i].tags; k++)
			log->copies[n++] = (struct logged_copy) {
				.block = fs->logged[fs->txns[i].first + k],
				.txn = i, .tag = k,
			};
	qsort(log->copies, n, sizeof(*log->copies), by_block);
	log->nr_copies = n;
	for (size_t i = 0; i < n; i++)
		log->distinct += !i || log->copies[i - 1].block !=
				       log->copies[i].block;
	return true;
}

void log_end(struct log_state *log)
{
	free(log->copies);
	log->copies = NULL;
}

/* The first copy of @block or a later block, in transaction @txn or later. */
static size_t lower_bound(const struct log_state *log, uint64_t block,
			  size_t txn)
{
	struct halving h = { .high = log->nr_copies };

	while (halve(&h)) {
		const struct logged_copy *c = &log->copies[h.mid];

		halved(&h, c->block < block ||
			   (c->block == block && c->txn < txn));
	}
	return h.low;
}

const struct logged_copy *log_newest(const struct log_state *log,
				     uint64_t offset)
{
	uint64_t block = offset / log->fs->blocksize;
	size_t i = lower_bound(log, block, log->next);

	return i && log->copies[i - 1].block == block ? &log->copies[i - 1] :
							NULL;
}

uint64_t log_length(const struct e2lazy_trace_fs *fs,
		    const struct e2lazy_trace_txn *t)
{
	uint32_t ring = fs->log_end - fs->log_first;

	return t->commit >= t->start ? t->commit - t->start + 1 :
				       ring - (t->start - t->commit) + 1;
}

bool log_place(const struct log_state *log, const struct logged_copy *copy,
	       uint64_t *block)
{
	const struct e2lazy_trace_fs *fs = log->fs;
	const struct e2lazy_trace_txn *t = &fs->txns[copy->txn];
	uint64_t length = log_length(fs, t), logblk;

	/* A descriptor comes first, and the others stand evenly among them. */
	logblk = t->start + 1;
	if (t->tags && length > 2)
		logblk += (length - 2) * copy->tag / t->tags;
	if (logblk >= fs->log_end)
		logblk -= fs->log_end - fs->log_first;
	for (size_t i = 0; i < fs->nr_runs; i++)
		if (logblk - fs->runs[i].logblk < fs->runs[i].count) {
			*block = fs->runs[i].physblk +
				 (logblk - fs->runs[i].logblk);
			return *block < fs->blocks;
		}
	return false;
}

/* A commit block that the trace lacks must not stop the others. */
#define LOOK_AHEAD	4

/* The superblock of the journal, and fast commits, are not in the ring. */
static void note_ring(struct log_state *log, uint32_t logblk, uint64_t count)
{
	const struct e2lazy_trace_fs *fs = log->fs;

	if (logblk < fs->log_first || logblk >= fs->log_end)
		return;
	log->ring_blocks += count;
	log->last = log->now;
	if (log->filled || log->ring_blocks < fs->log_end - fs->log_first)
		return;
	log->filled = true;
	log->filled_at = log->now;
}

static void note_journal(struct log_state *log, uint64_t block, uint64_t count)
{
	const struct e2lazy_trace_fs *fs = log->fs;
	uint32_t logblk;

	if (!e2lazy_trace_logblk(fs, block, &logblk))
		return;
	note_ring(log, logblk, count);
	for (size_t i = log->next;
	     i < fs->nr_txns && i < log->next + LOOK_AHEAD; i++)
		if (fs->txns[i].commit - logblk < count)
			log->next = i + 1;
}

static void note_home(struct log_state *log, uint64_t block, uint64_t count)
{
	size_t i = lower_bound(log, block, 0);

	while (i < log->nr_copies && log->copies[i].block - block < count) {
		uint64_t this = log->copies[i].block;
		bool held = log->copies[i].txn < log->next, again = false;

		for (; i < log->nr_copies && log->copies[i].block == this; i++)
			again |= log->copies[i].txn >= log->next;
		log->home += held;
		log->superseded += held && again;
	}
}

void log_note(struct log_state *log, const struct e2lazy_trace_part *part)
{
	uint64_t size = log->fs->blocksize;
	uint64_t block = part->offset / size;
	uint64_t count = (part->offset + part->length - 1) / size - block + 1;

	log->writes += part->cls == E2LAZY_TRACE_JOURNAL;
	if (part->cls == E2LAZY_TRACE_JOURNAL)
		note_journal(log, block, count);
	else if (part->cls == E2LAZY_TRACE_METADATA)
		note_home(log, block, count);
}
