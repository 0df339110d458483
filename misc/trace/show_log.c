/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_log.c - the log of a trace: commits, home writes in vain, and the log of
 * a lazy journal
 *
 * A transaction commits when its commit block is written to the journal.  From
 * then on the log holds its blocks.  A home write was in vain if a later
 * transaction of the trace logs the block again.
 */
#include <stdlib.h>
#include <string.h>

#include "show.h"
#include "support/nls.h"
#include "support/status.h"

/* The first and the last transaction that log a block, by index. */
struct logged_block {
	uint64_t	block;
	size_t		first, last;
};

static int by_block(const void *a, const void *b)
{
	const struct logged_block *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

bool log_begin(struct log_state *log, const struct e2lazy_trace_fs *fs)
{
	size_t n = 0, kept = 0;

	log->fs = fs;
	log->blocks = calloc(fs->nr_logged + 1, sizeof(*log->blocks));
	if (!log->blocks)
		return false;
	for (size_t i = 0; i < fs->nr_txns; i++)
		for (uint32_t k = 0; k < fs->txns[i].tags; k++)
			log->blocks[n++] = (struct logged_block) {
				.block = fs->logged[fs->txns[i].first + k],
				.first = i, .last = i,
			};
	qsort(log->blocks, n, sizeof(*log->blocks), by_block);
	for (size_t i = 0; i < n; i++) {
		struct logged_block *b = &log->blocks[i];

		if (kept && log->blocks[kept - 1].block == b->block)
			log->blocks[kept - 1].last = b->last;
		else
			log->blocks[kept++] = *b;
	}
	log->nr_blocks = kept;
	return true;
}

void log_end(struct log_state *log)
{
	free(log->blocks);
}

static size_t lower_bound(const struct log_state *log, uint64_t block)
{
	size_t low = 0, high = log->nr_blocks;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (log->blocks[middle].block < block)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool log_holds(const struct log_state *log, uint64_t offset)
{
	uint64_t block = offset / log->fs->blocksize;
	size_t i = lower_bound(log, block);

	return i < log->nr_blocks && log->blocks[i].block == block &&
	       log->blocks[i].first < log->next;
}

/* A commit block that the trace lacks must not stop the others. */
#define LOOK_AHEAD	4

static void note_journal(struct log_state *log, uint64_t block, uint64_t count)
{
	const struct e2lazy_trace_fs *fs = log->fs;
	uint32_t logblk;

	if (!e2lazy_trace_logblk(fs, block, &logblk))
		return;
	for (size_t i = log->next;
	     i < fs->nr_txns && i < log->next + LOOK_AHEAD; i++)
		if (fs->txns[i].commit - logblk < count)
			log->next = i + 1;
}

static void note_home(struct log_state *log, uint64_t block, uint64_t count)
{
	for (size_t i = lower_bound(log, block); i < log->nr_blocks &&
	     log->blocks[i].block - block < count; i++) {
		if (log->blocks[i].first >= log->next)
			continue;
		log->home++;
		log->superseded += log->blocks[i].last >= log->next;
	}
}

void log_note(struct log_state *log, const struct e2lazy_trace_part *part)
{
	uint64_t size = log->fs->blocksize;
	uint64_t block = part->offset / size;
	uint64_t count = (part->offset + part->length - 1) / size - block + 1;

	if (part->cls == E2LAZY_TRACE_JOURNAL)
		note_journal(log, block, count);
	else if (part->cls == E2LAZY_TRACE_METADATA)
		note_home(log, block, count);
}

/* ----------------------------------------------------------------- facts */

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* From the first block to the commit block, around the ring's end. */
static uint64_t length_of(const struct e2lazy_trace_fs *fs,
			  const struct e2lazy_trace_txn *t)
{
	uint32_t ring = fs->log_end - fs->log_first;

	return t->commit >= t->start ? t->commit - t->start + 1 :
				       ring - (t->start - t->commit) + 1;
}

static bool commit_facts(struct show *sh, struct sheet *sheet)
{
	const struct e2lazy_trace_fs *fs = sh->fs;
	uint64_t *lengths = calloc(fs->nr_txns + 1, sizeof(*lengths));
	uint64_t copies = 0;

	if (!lengths)
		return false;
	for (size_t i = 0; i < fs->nr_txns; i++) {
		lengths[i] = length_of(fs, &fs->txns[i]);
		copies += fs->txns[i].tags;
	}
	qsort(lengths, fs->nr_txns, sizeof(*lengths), by_number);
	sheet_u64(sheet, "transactions", fs->nr_txns);
	sheet_u64(sheet, "copies", copies);
	sheet_u64(sheet, "distinct", sh->log.nr_blocks);
	sheet_u64(sheet, "median_blocks",
		  fs->nr_txns ? lengths[fs->nr_txns / 2] : 0);
	sheet_u64(sheet, "most_blocks",
		  fs->nr_txns ? lengths[fs->nr_txns - 1] : 0);
	free(lengths);
	return true;
}

static void lazy_facts(struct show *sh, struct sheet *sheet,
		       const struct e2lazy_lazy *lazy)
{
	uint64_t size = sh->fs->blocksize;

	sheet_u64(sheet, "coalesce", sh->coalesce);
	sheet_u64(sheet, "ring", lazy->ring * size);
	sheet_u64(sheet, "transactions", lazy->txns);
	sheet_u64(sheet, "written", lazy->written * size);
	sheet_u64(sheet, "cleaned", lazy->cleaned * size);
	sheet_u64(sheet, "live", lazy->live * size);
	sheet_real(sheet, "live_percent",
		   lazy->ring ? lazy->live * 100.0 / lazy->ring : 0);
	sheet_u64(sheet, "full", lazy->full);
}

static void print_lazy(struct show *sh)
{
	static const struct sheet_row rows[] = {
		{ NULL, N_("\nA lazy journal"), "" },
		{ N_("ring"), "%s", "ring" },
		{ N_("transactions"), "%llu", "transactions" },
		{ N_("log written"), "%s", "written" },
		{ N_("by the cleaner"), N_("%s more"), "cleaned" },
		{ N_("live at the end"), N_("%s (%.0f%% of the ring)"),
		  "live live_percent" },
		{ "", N_("the live copies do not fit in this ring"), "?full" },
		{ 0 }
	};
	struct e2lazy_lazy lazy;
	struct sheet sheet;
	errcode_t err;

	err = e2lazy_trace_lazy(sh->fs, sh->ring, sh->coalesce, &lazy);
	if (err) {
		session_fail(sh->s, err, NULL);
		return;
	}
	print_sheet(&sh->s->print, &sheet);
	sheet_section(&sheet, "lazy", JSON_SPREAD);
	lazy_facts(sh, &sheet, &lazy);
	sheet_end(&sheet, rows);
}

void show_log_facts(struct show *sh)
{
	static const struct sheet_row rows[] = {
		{ NULL, N_("\nThe log"), "" },
		{ N_("transactions"), N_("%llu, of %llu copies"),
		  "transactions copies" },
		{ N_("distinct blocks"), "%llu", "distinct" },
		{ N_("commit sizes"), N_("median %llu blocks, at most %llu"),
		  "median_blocks most_blocks" },
		{ N_("written home"), N_("%llu blocks that the log holds"),
		  "home" },
		{ "", N_("%llu of them are logged again later"), "superseded" },
		{ "", N_("the ring has overwritten its first transactions"),
		  "?wrapped" },
		{ 0 }
	};
	struct sheet sheet;

	if (!(sh->fs->flags & E2LAZY_TRACE_LOGGED))
		return;
	print_sheet(&sh->s->print, &sheet);
	sheet_section(&sheet, "log", JSON_SPREAD);
	if (!commit_facts(sh, &sheet))
		session_fail(sh->s, EXT2_ET_NO_MEMORY, NULL);
	sheet_u64(&sheet, "home", sh->log.home);
	sheet_u64(&sheet, "superseded", sh->log.superseded);
	sheet_u64(&sheet, "wrapped",
		  (sh->fs->flags & E2LAZY_TRACE_WRAPPED) != 0);
	sheet_end(&sheet, rows);
	if (sh->lazy)
		print_lazy(sh);
}
