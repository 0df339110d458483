/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log_beyond.c - e2lazy log --beyond: the control blocks past the head
 */
#include "log.h"
#include "session/names.h"
#include "support/nls.h"

enum { LOGBLK, TYPE, TID, CSUM, SHOWS };

const struct column beyond_columns[NR_BEYOND_COLUMNS] = {
	[LOGBLK] = { "LOGBLK", "logblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("log block") },
	[TYPE] = { "TYPE", "type", COLUMN_STRING, COLUMN_USUAL, 10,
		N_("descriptor, commit or revoke") },
	[TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("transaction that the block belongs to") },
	[CSUM] = { "CSUM", "csum", COLUMN_STRING, COLUMN_USUAL, 9,
		N_("good, torn or unchecked; a bad block is not listed") },
	[SHOWS] = { "SHOWS", "shows", COLUMN_STRING, COLUMN_USUAL, 11,
		N_("older, uncommitted or damage") },
};

static const char *block_type(uint32_t type)
{
	switch (type) {
	case 1:		return "descriptor";
	case 2:		return "commit";
	case 5:		return "revoke";
	}
	return "other";
}

static errcode_t print_block(void *priv, const struct e2lazy_beyond_block *b)
{
	struct log *l = priv;
	struct cell cells[NR_BEYOND_COLUMNS];

	if (!tid_in(&l->tids, b->tid))
		return 0;
	cell_number(&cells[LOGBLK], b->logblk);
	cell_text(&cells[TYPE], block_type(b->type));
	cell_number(&cells[TID], b->tid);
	cell_text(&cells[CSUM], csum_name(b->csum));
	cell_text(&cells[SHOWS], verdict_name(b->verdict));
	cells[SHOWS].alarm = b->verdict == E2LAZY_BEYOND_DAMAGE;
	rows_put(&l->rows, cells);
	return 0;
}

static errcode_t note_progress(void *priv, enum e2lazy_phase phase,
			       uint64_t done, uint64_t total)
{
	struct log *l = priv;

	(void)phase;
	return progress_tick(&l->s->print.progress, done, total) &&
	       !rows_stop(&l->rows) ? 0 : E2LAZY_ET_CANCELLED;
}

void log_beyond(struct log *l)
{
	struct session *s = l->s;
	const struct e2lazy_watch watch = { .progress = note_progress,
					    .priv = l };
	struct e2lazy_beyond_opts opts = {
		.limit = UINT32_MAX, .found = print_block, .priv = l,
		.watch = &watch,
	};
	struct e2lazy_beyond beyond;
	struct sheet sheet;
	errcode_t err;

	columns_fit(&l->columns, LOGBLK, s->log->geo->maxlen);
	session_fit_tids(s, &l->columns, TID);
	if (s->print.json_wanted)
		json_object(&s->print.json, "beyond", JSON_SPREAD);
	print_rows(&s->print, &l->listing, &l->columns, "blocks", &l->rows);
	progress_begin(&s->print.progress, PHASE_BEYOND);
	err = e2lazy_beyond(s->log->journal, s->log->end, &opts, &beyond);
	progress_end(&s->print.progress);
	if (err) {
		session_fail(s, err, NULL);
		return;
	}
	s->log->beyond = beyond;
	s->log->looked = true;
	if (s->print.json_wanted) {
		json_end(&s->print.json);
		print_sheet(&s->print, &sheet);
		session_beyond_facts(s, &sheet);
		json_end(&s->print.json);
	} else if (!l->listing.raw) {
		out_char(&s->print.out, '\n');
		session_text_beyond(s);
	}
}
