/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log_fast.c - e2lazy log --fast-commit: the records of the fast-commit area
 */
#include "log.h"
#include "session/names.h"
#include "support/nls.h"

enum { LOGBLK, OFFSET, KIND, LENGTH, INODE, PARENT, NAME, LBLK, LEN, PBLK,
       TID, CSUM, WORDS };

const struct column fc_columns[NR_FC_COLUMNS] = {
	[LOGBLK] = { "LOGBLK", "logblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("log block of the record") },
	[OFFSET] = { "OFFSET", "offset", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("offset in the log block, in bytes") },
	[KIND] = { "KIND", "kind", COLUMN_STRING, COLUMN_USUAL, 9,
		N_("kind of change") },
	[LENGTH] = { "LENGTH", "length", COLUMN_NUMBER, COLUMN_JSON, 0,
		N_("length of the value, in bytes") },
	[INODE] = { "INODE", "inode", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("inode that changes") },
	[PARENT] = { "PARENT", "parent", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("directory that holds the name") },
	[NAME] = { "NAME", "name", COLUMN_STRING, COLUMN_USUAL, 12,
		N_("name made or removed") },
	[LBLK] = { "LBLK", "lblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("first block in the file") },
	[LEN] = { "LEN", "len", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("number of blocks in the range") },
	[PBLK] = { "PBLK", "pblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("first block in the file system") },
	[TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("transaction of a head or a tail") },
	[CSUM] = { "CSUM", "csum", COLUMN_STRING, COLUMN_USUAL, 0,
		N_("checksum of a tail: good or bad") },
	[WORDS] = { "WORDS", "words", COLUMN_STRING, 0, 0,
		N_("the record as a sentence, in English") },
};

void log_decode(struct columns *columns, bool json, bool chosen)
{
	if (!json && !chosen) {
		columns->picked = 0;
		columns_add(columns, LOGBLK);
		columns_add(columns, OFFSET);
	}
	columns_add(columns, WORDS);
}

static void set_number(struct cell *cell, bool has, uint64_t value)
{
	cell_none(cell);
	if (has)
		cell_number(cell, value);
}

static bool has_name(uint32_t kind)
{
	return kind == E2LAZY_FC_CREAT || kind == E2LAZY_FC_LINK ||
	       kind == E2LAZY_FC_UNLINK;
}

/* Bytes of a record before its name: two inode numbers. */
#define FC_NAME_AT	8

static bool has_range(uint32_t kind)
{
	return kind == E2LAZY_FC_ADD_RANGE || kind == E2LAZY_FC_DEL_RANGE;
}

static bool has_tid(uint32_t kind)
{
	return kind == E2LAZY_FC_HEAD || kind == E2LAZY_FC_TAIL;
}

static errcode_t print_record(void *priv, const struct e2lazy_fc_record *r)
{
	struct log *l = priv;
	struct cell cells[NR_FC_COLUMNS];
	char words[FC_WORDS_BYTES];

	cell_number(&cells[LOGBLK], r->logblk);
	cell_number(&cells[OFFSET], r->offset);
	cell_text(&cells[KIND], e2lazy_fc_kind_name(r->kind));
	cell_number(&cells[LENGTH], r->length);
	set_number(&cells[INODE], r->ino, r->ino);
	set_number(&cells[PARENT], has_name(r->kind), r->parent);
	cell_none(&cells[NAME]);
	if (has_name(r->kind))
		cell_name(&cells[NAME], r->name, r->length - FC_NAME_AT);
	set_number(&cells[LBLK], has_range(r->kind), r->lblk);
	set_number(&cells[LEN], has_range(r->kind), r->len);
	set_number(&cells[PBLK], r->kind == E2LAZY_FC_ADD_RANGE, r->pblk);
	set_number(&cells[TID], has_tid(r->kind), r->tid);
	cell_none(&cells[CSUM]);
	if (r->kind == E2LAZY_FC_TAIL) {
		cell_text(&cells[CSUM], csum_name(r->csum));
		cells[CSUM].alarm = r->csum == E2LAZY_BAD;
	}
	cell_name(&cells[WORDS], words, fc_words(r, words, sizeof(words)));
	rows_put(&l->rows, cells);
	return rows_stop(&l->rows) ? E2LAZY_ET_CANCELLED : 0;
}

static void text_summary(struct session *s, const struct e2lazy_fc_summary *sum)
{
	struct out *out = &s->print.out;

	out_char(out, '\n');
	if (!s->log->geo->fc_blocks)
		out_text(out, _("The journal has no fast-commit area.\n"));
	else if (!sum->records)
		out_text(out, _("The fast-commit area has no records.\n"));
	else
		out_format(out, P_("%u record; valid on top of transaction "
				   "%u: %u.\n",
				   "%u records; valid on top of transaction "
				   "%u: %u.\n", sum->records), sum->records,
			   s->log->end->tid - 1, sum->valid);
}

void log_fast_commits(struct log *l)
{
	struct session *s = l->s;
	struct e2lazy_fc_summary sum = { .records = 0 };
	struct e2lazy_where where;
	errcode_t err = 0;

	columns_fit(&l->columns, LOGBLK, s->log->geo->maxlen);
	if (s->print.json_wanted)
		json_object(&s->print.json, "fast_commit", JSON_SPREAD);
	print_rows(&s->print, &l->listing, &l->columns, "records", &l->rows);
	if (s->log->geo->fc_blocks)
		err = e2lazy_fc_scan(s->log->journal, s->log->end->tid,
				     print_record, l, &sum, &where);
	if (err) {
		session_fail(s, err, &where);
		return;
	}
	if (s->print.json_wanted) {
		json_end(&s->print.json);
		json_u64(&s->print.json, "count", sum.records);
		json_u64(&s->print.json, "valid", sum.valid);
		json_end(&s->print.json);
	} else if (!l->listing.raw) {
		text_summary(s, &sum);
	}
}
