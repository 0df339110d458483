/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_log.c - the log of a trace: commits, home writes in vain, and the log of
 * a lazy journal
 */
#include <stdlib.h>
#include <string.h>

#include "show.h"
#include "support/nls.h"
#include "support/status.h"

/* ----------------------------------------------------------------- facts */

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Of a trace whose transactions nobody read, or that were cut off. */
static bool are_unknown(const struct show *sh)
{
	return !sh->fs->nr_txns && sh->log.writes;
}

static bool commit_facts(struct show *sh, struct sheet *sheet)
{
	const struct e2lazy_trace_fs *fs = sh->fs;
	uint64_t *lengths = calloc(fs->nr_txns + 1, sizeof(*lengths));
	bool unknown = are_unknown(sh);
	uint64_t copies = 0;

	if (!lengths)
		return false;
	sheet_bool(sheet, ".unknown", unknown);
	for (size_t i = 0; i < fs->nr_txns; i++) {
		lengths[i] = log_length(fs, &fs->txns[i]);
		copies += fs->txns[i].tags;
	}
	qsort(lengths, fs->nr_txns, sizeof(*lengths), by_number);
	sheet_absent(sheet, unknown);
	sheet_u64(sheet, "transactions", fs->nr_txns);
	sheet_u64(sheet, "copies", copies);
	sheet_u64(sheet, "distinct", sh->log.distinct);
	sheet_u64(sheet, "median_blocks",
		  fs->nr_txns ? lengths[fs->nr_txns / 2] : 0);
	sheet_u64(sheet, "most_blocks",
		  fs->nr_txns ? lengths[fs->nr_txns - 1] : 0);
	free(lengths);
	sheet_absent(sheet, false);
	return true;
}

static void fill_facts(struct show *sh, struct sheet *sheet)
{
	const struct log_state *log = &sh->log;
	uint64_t ring = sh->fs->log_end - sh->fs->log_first;

	sheet_u64(sheet, "log_bytes", log->ring_blocks * sh->fs->blocksize);
	sheet_real(sheet, "fills", ring ? (double)log->ring_blocks / ring : 0);
	sheet_absent(sheet, !log->filled);
	sheet_real(sheet, "fill_seconds", log->filled_at / 1e9);
	sheet_absent(sheet, false);
}

/*
 * After the last write to the log nobody waits for room in it: then an unmount
 * writes all blocks home.
 */
static void checkpoint_facts(struct show *sh, struct sheet *sheet)
{
	const struct e2lazy_trace_fs *fs = sh->fs;
	uint64_t waits = 0, writes = 0, blocks = 0;

	for (size_t i = 0; i < fs->nr_checkpoints; i++) {
		const struct e2lazy_trace_checkpoint *c = &fs->checkpoints[i];

		if (c->t >= sh->log.last)
			break;
		waits += c->step != E2LAZY_CHECKPOINT_DONE;
		writes += c->step == E2LAZY_CHECKPOINT_WRITE;
		blocks += c->written;
	}
	sheet_absent(sheet, !(fs->flags & E2LAZY_TRACE_WATCHED));
	sheet_u64(sheet, "waits", waits);
	sheet_u64(sheet, "waits_for_writes", writes);
	sheet_u64(sheet, "checkpointed", blocks);
	sheet_absent(sheet, false);
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
		{ N_("transactions"), N_("unknown: the trace has none, but "
					 "requests to the journal"),
		  "~ ?.unknown" },
		{ N_("distinct blocks"), "%llu", "distinct" },
		{ N_("commit sizes"), PN_("median %llu block, at most %llu",
				      "median %llu blocks, at most %llu"),
		  "#median_blocks most_blocks" },
		{ N_("written home"), PN_("%llu block that the log holds",
				      "%llu blocks that the log holds"),
		  "#home" },
		{ "", PN_("%llu of them is logged again later",
			  "%llu of them are logged again later"),
		  "#superseded" },
		{ "", N_("the ring has overwritten its first transactions"),
		  "?wrapped" },
		{ N_("log written"), N_("%s, %.2f times the journal"),
		  "log_bytes fills" },
		{ "", N_("the first time after %.1f s"),
		  "fill_seconds" },
		{ N_("waits for room"), N_("%llu, for a write of blocks: %llu "
					   "(%llu blocks)"),
		  "waits waits_for_writes checkpointed" },
		{ 0 }
	};
	struct sheet sheet;

	if (!(sh->fs->flags & E2LAZY_TRACE_LOGGED))
		return;
	print_sheet(&sh->s->print, &sheet);
	sheet_section(&sheet, "log", JSON_SPREAD);
	if (!commit_facts(sh, &sheet))
		session_fail(sh->s, EXT2_ET_NO_MEMORY, NULL);
	sheet_absent(&sheet, are_unknown(sh));
	sheet_u64(&sheet, "home", sh->log.home);
	sheet_u64(&sheet, "superseded", sh->log.superseded);
	sheet_absent(&sheet, false);
	sheet_u64(&sheet, "wrapped",
		  (sh->fs->flags & E2LAZY_TRACE_WRAPPED) != 0);
	fill_facts(sh, &sheet);
	checkpoint_facts(sh, &sheet);
	sheet_end(&sheet, rows);
	if (sh->lazy && !are_unknown(sh))
		print_lazy(sh);
}
