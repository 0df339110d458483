/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log_histories.c - e2lazy log --histories: the histories that the ring still
 * holds
 */
#include "log.h"
#include "session/names.h"
#include "support/nls.h"

enum { HISTORY, FIRST, LAST, TXNS, START, END, FROM, TO, CSUM, BEGINS, ENDS,
       MOUNTS, LOG, NEWEST };

const struct column history_list_columns[NR_HISTORY_LIST_COLUMNS] = {
	[HISTORY] = { "HISTORY", "history", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("number of the history; the oldest is 1") },
	[FIRST] = { "FIRST", "first", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("first transaction") },
	[LAST] = { "LAST", "last", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("last transaction") },
	[TXNS] = { "TXNS", "transactions", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("number of its transactions, all of them whole") },
	[START] = { "START", "start", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("log block of its first block") },
	[END] = { "END", "end", COLUMN_NUMBER, COLUMN_JSON, 0,
		N_("log block of its last commit block") },
	[FROM] = { "FROM", "from", COLUMN_TIME, COLUMN_USUAL, 0,
		N_("commit time of the first transaction, UTC") },
	[TO] = { "TO", "to", COLUMN_TIME, COLUMN_USUAL, 0,
		N_("commit time of the last transaction, UTC") },
	[CSUM] = { "CSUM", "csum", COLUMN_STRING, COLUMN_USUAL, 9,
		N_("good, torn or bad; unchecked if the format has no "
		   "checksums") },
	[BEGINS] = { "BEGINS", "begins", COLUMN_STRING, COLUMN_USUAL, 11,
		N_("contents of the ring before it, in a word") },
	[ENDS] = { "ENDS", "ends", COLUMN_STRING, COLUMN_USUAL, 11,
		N_("contents of the ring behind it, in a word") },
	[MOUNTS] = { "MOUNTS", "mounts", COLUMN_NUMBER, COLUMN_JSON, 0,
		N_("number of mounts that it spans, judged by the ids") },
	[LOG] = { "LOG", "log", COLUMN_BOOL, COLUMN_USUAL, 0,
		N_("whether it ends with the log that recovery replays") },
	[NEWEST] = { "NEWEST", "newest", COLUMN_BOOL, COLUMN_JSON, 0,
		N_("whether the ring holds no newer block") },
};

/* The worst checksum state of its transactions. */
static enum e2lazy_csum_state csum_of(const struct e2lazy_ring *ring,
				      const struct e2lazy_history *h,
				      uint32_t *end)
{
	enum e2lazy_csum_state worst = E2LAZY_UNCHECKED;
	struct e2lazy_ring_txn txn;

	for (uint32_t i = 0; i < h->count; i++) {
		e2lazy_ring_txn(ring, h->first + i, &txn);
		if (txn.txn.csum > worst)
			worst = txn.txn.csum;
		if (txn.proof == E2LAZY_PLAUSIBLE)
			worst = E2LAZY_UNCHECKED;
	}
	*end = txn.txn.end;
	return worst;
}

static void print_history(struct log *l, const struct e2lazy_ring *ring,
			  uint32_t number)
{
	struct cell cells[NR_HISTORY_LIST_COLUMNS];
	enum e2lazy_csum_state csum;
	struct e2lazy_history h;
	uint32_t end;

	e2lazy_ring_history(ring, number, &h);
	csum = csum_of(ring, &h, &end);
	cell_number(&cells[HISTORY], number + 1);
	cell_number(&cells[FIRST], h.first_tid);
	cell_number(&cells[LAST], h.last_tid);
	cell_number(&cells[TXNS], h.count);
	cell_number(&cells[START], h.range.start);
	cell_number(&cells[END], end);
	cell_time(&cells[FROM], h.first_sec);
	cell_time(&cells[TO], h.last_sec);
	cell_text(&cells[CSUM], csum_name(csum));
	cells[CSUM].alarm = csum == E2LAZY_BAD;
	cell_text(&cells[BEGINS], edge_name(h.begins));
	cell_text(&cells[ENDS], edge_name(h.ends));
	cells[ENDS].alarm = h.is_log && !h.reaches_now;
	cell_number(&cells[MOUNTS], h.pieces);
	cell_number(&cells[LOG], h.is_log);
	cell_number(&cells[NEWEST], h.reaches_now);
	rows_put(&l->rows, cells);
}

static const struct sheet_row rows[] = {
	{ NULL, N_("The ring"), "" },
	{ N_("transactions"), N_("%llu whole"), "transactions" },
	{ "", N_("%llu without a commit time"), "undated ?undated" },
	{ "", N_("%llu with an overwritten start"), "cut ?cut" },
	{ "", N_("%llu without a commit block"), "broken ?broken" },
	{ "", N_("%llu older than the file system"),
	  "foreign ?foreign" },
	{ N_("blocks"), N_("%llu with a bad checksum, damaged or from another "
			   "journal"), "bad ?bad" },
	{ N_("unreadable"), PN_("%llu block", "%llu blocks"),
	  "#unreadable ?unreadable" },
	{ 0 }
};

static void print_counts(struct log *l, const struct e2lazy_ring_counts *c)
{
	static const struct sheet_row none[] = { { 0 } };
	struct sheet sheet;

	if (!l->s->print.json_wanted && !l->listing.raw)
		out_char(&l->s->print.out, '\n');
	print_sheet(&l->s->print, &sheet);
	sheet_section(&sheet, "ring", JSON_INLINE);
	sheet_u64(&sheet, "blocks", c->blocks);
	sheet_u64(&sheet, "transactions", c->txns);
	sheet_u64(&sheet, "undated", c->undated);
	sheet_u64(&sheet, "cut", c->cut);
	sheet_u64(&sheet, "broken", c->broken);
	sheet_u64(&sheet, "foreign", c->foreign);
	sheet_u64(&sheet, "bad", c->bad);
	sheet_u64(&sheet, "unreadable", c->unreadable);
	sheet_end(&sheet, l->listing.raw ? none : rows);
}

void log_histories(struct log *l)
{
	struct session *s = l->s;
	const struct e2lazy_ring *ring = session_ring(s);
	uint32_t nr = ring ? e2lazy_ring_counts(ring)->histories : 0;

	columns_fit(&l->columns, START, s->log->geo->maxlen);
	session_fit_tids(s, &l->columns, FIRST);
	session_fit_tids(s, &l->columns, LAST);
	print_rows(&s->print, &l->listing, &l->columns, "histories", &l->rows);
	for (uint32_t n = 0; n < nr && !rows_stop(&l->rows); n++)
		print_history(l, ring, n);
	if (s->print.json_wanted)
		json_end(&s->print.json);
	if (ring)
		print_counts(l, e2lazy_ring_counts(ring));
}
