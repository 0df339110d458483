/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * salvage.c - e2lazy salvage: find a log whose superblock or inode is lost
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uuid/uuid.h>

#include "session/in_use.h"
#include "session/session.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

enum { OPT_CARVE = OPTION_COMMAND, OPT_PIECES };

static const struct option_line salvage_options[] = {
	{ OPT_CARVE, "carve", NULL,
	  N_("search the whole device: the journal inode is gone") },
	{ OPT_PIECES, "geometry", "SPEC",
	  N_("take these as given, and find the others") },
	{ 0 }
};

enum { NUMBER, TXNS, PROVEN, FIRST, LAST, FROM, TO, CUT, IN_FORCE,
       NEWEST, GEOMETRY, NR_COLUMNS };

static const struct column candidate_columns[NR_COLUMNS] = {
	[NUMBER] = { "NUMBER", "number", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("number for --geometry; 1 is the best") },
	[TXNS] = { "TXNS", "transactions", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("whole transactions from its tail on") },
	[PROVEN] = { "PROVEN", "proven", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("how many of them checksums prove") },
	[FIRST] = { "FIRST", "first", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("first transaction") },
	[LAST] = { "LAST", "last", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("last transaction") },
	[FROM] = { "FROM", "from", COLUMN_TIME, COLUMN_USUAL, 0,
		N_("commit time of the first transaction, UTC") },
	[TO] = { "TO", "to", COLUMN_TIME, COLUMN_USUAL, 0,
		N_("commit time of the last transaction, UTC") },
	[CUT] = { "CUT", "cut", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("transactions with an unknown start; they do not count") },
	[IN_FORCE] = { "IN_FORCE", "in_force", COLUMN_BOOL, COLUMN_USUAL, 0,
		N_("whether the journal superblock says the same") },
	[NEWEST] = { "NEWEST", "newest", COLUMN_BOOL, COLUMN_USUAL, 0,
		N_("whether its blocks hold nothing newer") },
	[GEOMETRY] = { "GEOMETRY", "geometry", COLUMN_STRING, COLUMN_JSON, 8,
		N_("all of it, as an argument of --geometry") },
};

struct salvage {
	struct session	*s;
	struct listing	listing;
	struct columns	columns;
	struct rows	rows;
	bool		carve;
	char		*device;
	struct e2lazy_salvage *found;
};

/* ----------------------------------------------------------- the pieces */

enum { OF, PIECE, VALUE, SAYS, ORIGIN, PROOFS, AGAINST, NR_PIECE_COLUMNS };

static const struct column piece_columns[NR_PIECE_COLUMNS] = {
	[OF] = { "NUMBER", "number", COLUMN_NUMBER, COLUMN_SHOWN, 0,
		N_("number of the candidate") },
	[PIECE] = { "PIECE", "piece", COLUMN_STRING, COLUMN_USUAL, 8,
		N_("key for --geometry") },
	[VALUE] = { "VALUE", "value", COLUMN_STRING, COLUMN_USUAL, 12,
		N_("its value") },
	[SAYS] = { "SAYS", "says", COLUMN_STRING, COLUMN_USUAL, 10,
		N_("value in the journal superblock on the disk") },
	[ORIGIN] = { "ORIGIN", "origin", COLUMN_STRING, COLUMN_USUAL, 13,
		N_("source of the value") },
	[PROOFS] = { "PROOFS", "proofs", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("blocks or transactions of the ring that agree") },
	[AGAINST] = { "AGAINST", "against", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("control blocks that do not") },
};

static const char *const pieces[] = {
	[E2LAZY_PART_WHERE] = "runs", [E2LAZY_PART_BLOCKS] = "blocks",
	[E2LAZY_PART_FIRST] = "first", [E2LAZY_PART_FAST] = "fast",
	[E2LAZY_PART_CSUM] = "csum", [E2LAZY_PART_64BIT] = "64bit",
	[E2LAZY_PART_UUID] = "uuid", [E2LAZY_PART_START] = "start",
	[E2LAZY_PART_SEQUENCE] = "sequence",
};

static const char *const origins[] = {
	[E2LAZY_FROM_JOURNAL_SUPER] = "journal-super",
	[E2LAZY_FROM_SUPER] = "super", [E2LAZY_FROM_INODE] = "inode",
	[E2LAZY_FROM_BACKUP] = "backup", [E2LAZY_FROM_DEVICE] = "device",
	[E2LAZY_FROM_RING] = "ring", [E2LAZY_FROM_CARVING] = "carving",
	[E2LAZY_FROM_RULE] = "rule", [E2LAZY_FROM_CALLER] = "given",
};

#define PIECE_TEXT 48

static void piece_text(char text[PIECE_TEXT], enum e2lazy_part piece,
		       uint64_t value, const uint8_t *uuid)
{
	if (piece == E2LAZY_PART_CSUM)
		snprintf(text, PIECE_TEXT, "%s",
			 geometry_csum((enum e2lazy_csum)value));
	else if (piece == E2LAZY_PART_64BIT)
		snprintf(text, PIECE_TEXT, "%s", value ? "yes" : "no");
	else if (piece == E2LAZY_PART_UUID && uuid)
		uuid_unparse_lower(uuid, text);
	else if (piece == E2LAZY_PART_UUID)
		snprintf(text, PIECE_TEXT, "%s", value ? "other" : "same");
	else
		snprintf(text, PIECE_TEXT, "%llu", (unsigned long long)value);
}

static void put_piece(const struct rows *rows, uint32_t number,
		      const struct e2lazy_candidate *c,
		      enum e2lazy_part piece)
{
	const struct e2lazy_fact *f = &c->facts[piece];
	char value[PIECE_TEXT], says[PIECE_TEXT];
	struct cell cells[NR_PIECE_COLUMNS];

	piece_text(value, piece, f->value, c->geometry.uuid);
	cell_number(&cells[OF], number);
	cell_text(&cells[PIECE], pieces[piece]);
	cell_text(&cells[VALUE], value);
	cell_none(&cells[SAYS]);
	if (f->said) {
		piece_text(says, piece, f->says, NULL);
		cell_text(&cells[SAYS], says);
		cells[SAYS].alarm = f->says != (piece == E2LAZY_PART_UUID ?
						0 : f->value);
	}
	cell_text(&cells[ORIGIN], origins[f->origin]);
	cell_number(&cells[PROOFS], f->proofs);
	cell_number(&cells[AGAINST], f->against);
	rows_put(rows, cells);
}

static void put_pieces(const struct rows *rows, uint32_t number,
		       const struct e2lazy_candidate *c)
{
	for (unsigned i = 0; i < E2LAZY_NR_PARTS; i++)
		put_piece(rows, number, c, i);
}

/* ------------------------------------------------------- the candidates */

static void put_candidate(struct salvage *v, uint32_t number,
			  const struct e2lazy_candidate *c, char *text)
{
	struct cell cells[NR_COLUMNS];

	cell_number(&cells[NUMBER], number);
	cell_number(&cells[TXNS], c->txns);
	cell_number(&cells[PROVEN], c->proven);
	cell_number(&cells[FIRST], c->first_tid);
	cell_number(&cells[LAST], c->last_tid);
	cell_time(&cells[FROM], c->first_sec);
	cell_time(&cells[TO], c->last_sec);
	cell_number(&cells[CUT], c->ring.cut);
	cell_number(&cells[IN_FORCE], c->in_force);
	cell_number(&cells[NEWEST], c->reaches_now);
	cells[NEWEST].alarm = !c->reaches_now;
	cell_text(&cells[GEOMETRY], text);
	if (v->s->print.json_wanted)
		rows_open(&v->rows, cells);
	else
		rows_put(&v->rows, cells);
}

/* In JSON a candidate has its pieces inside, in text they are a table. */
static void begin_pieces(struct salvage *v, struct columns *columns,
			 struct rows *rows)
{
	bool json = v->s->print.json_wanted;

	columns_init(columns, piece_columns, NR_PIECE_COLUMNS,
		     json ? COLUMN_JSON : COLUMN_SHOWN);
	if (!json)
		out_char(&v->s->print.out, '\n');
	print_rows(&v->s->print, &v->listing, columns, "pieces", rows);
}

static bool print_candidate(struct salvage *v, uint32_t number,
			    const struct e2lazy_candidate *c)
{
	struct json *json = &v->s->print.json;
	char *text = geometry_text(c);
	struct columns columns;
	struct rows rows;

	if (!text) {
		session_fail(v->s, EXT2_ET_NO_MEMORY, NULL);
		return false;
	}
	put_candidate(v, number, c, text);
	free(text);
	if (!v->s->print.json_wanted)
		return true;
	begin_pieces(v, &columns, &rows);
	put_pieces(&rows, number, c);
	json_end(json);
	json_end(json);
	return true;
}

static void print_pieces(struct salvage *v)
{
	struct out *out = &v->s->print.out;
	size_t nr = e2lazy_salvage_count(v->found);
	struct columns columns;
	struct rows rows;

	begin_pieces(v, &columns, &rows);
	for (size_t i = 0; i < nr; i++)
		put_pieces(&rows, (uint32_t)i + 1,
			   e2lazy_salvage_candidate(v->found, i));
	for (size_t i = 0; i < nr && !v->listing.raw; i++) {
		char *text = geometry_text(
			e2lazy_salvage_candidate(v->found, i));

		out_format(out, _("%sTo read candidate %zu: --geometry %s\n"),
			   i ? "" : "\n", i + 1, text ? text : "");
		free(text);
	}
}

/* ----------------------------------------------------------- the verdict */

/* What the device lacks may be what the candidates lack. */
static void tell_device(struct salvage *v)
{
	struct json *json = print_json(&v->s->print);
	struct finding cut;
	size_t n = device_findings(e2lazy_salvage_device(v->found), &cut);

	while (json && json->depth > 1)
		json_end(json);
	if (json)
		session_json_damage(json, &cut, n);
	if (!n)
		return;
	print_make_way(&v->s->print);
	device_complain(v->device, &cut.where, cut.error, 0);
	v->s->status |= FSCK_LEFT;
}

static void json_carved(struct salvage *v)
{
	const struct e2lazy_carved *c = e2lazy_salvage_carved(v->found);
	struct json *json = &v->s->print.json;

	if (!v->s->source.geometry.carve)
		return;
	json_object(json, "carved", JSON_INLINE);
	json_u64(json, "dropped", c->dropped);
	json_u64(json, "failed", c->failed);
	json_end(json);
}

/* What the search did not see to the end may be the log. */
static void tell_carved(struct salvage *v)
{
	const struct e2lazy_carved *c = e2lazy_salvage_carved(v->found);

	if (c->dropped)
		session_complain(v->s, FSCK_LEFT,
			P_("%llu place that looks like a journal was not "
			   "searched; others have more control blocks",
			   "%llu places that look like a journal were not "
			   "searched; others have more control blocks",
			   c->dropped), (unsigned long long)c->dropped);
	if (!c->failed)
		return;
	device_complain(v->device, &c->where, c->error, c->failed - 1);
	v->s->status |= FSCK_LEFT;
}

static void tell_verdict(struct salvage *v)
{
	const struct e2lazy_candidate *c =
		e2lazy_salvage_candidate(v->found, 0);
	char text[DEVICE_TEXT];

	if (!c) {
		session_complain(v->s, FSCK_LEFT, "%s",
				 geometry_none(&v->s->source.geometry));
		return;
	}
	if (c->runs || !c->super_error)
		return;
	device_explain(text, NULL, c->super_error, 0);
	session_complain(v->s, FSCK_LEFT,
			 _("the journal superblock is lost (%s)"), text);
}

static void print_all(struct salvage *v)
{
	struct session *s = v->s;
	size_t nr = e2lazy_salvage_count(v->found);

	if (s->print.json_wanted) {
		session_document(s);
		json_carved(v);
	}
	print_rows(&s->print, &v->listing, &v->columns, "candidates",
		   &v->rows);
	for (size_t i = 0; i < nr && !rows_stop(&v->rows); i++)
		if (!print_candidate(v, (uint32_t)i + 1,
				     e2lazy_salvage_candidate(v->found, i)))
			break;
	if (!s->print.json_wanted && !v->listing.csv && nr)
		print_pieces(v);
	if (cancelled())
		return;
	tell_device(v);
	tell_carved(v);
	tell_verdict(v);
}

static bool find(struct salvage *v)
{
	struct session *s = v->s;
	const struct e2lazy_watch watch = session_watch(s);
	struct geometry *g = &s->source.geometry;
	struct e2lazy_where where;
	errcode_t err;

	v->device = device_resolve(s->operands[0], s->source.open.offset,
				   false);
	s->device = v->device;
	if (!v->device) {
		s->status |= FSCK_ERROR;
		return false;
	}
	status_catch_signals();
	s->print.progress.device = v->device;
	g->carve |= v->carve;
	err = geometry_find(v->device, &s->source.open, g, &watch, &v->found,
			    &where);
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	if (err && err != E2LAZY_ET_CANCELLED) {
		device_complain(v->device, &where, err, 0);
		s->status |= FSCK_ERROR;
		if (!v->carve && (err == E2LAZY_ET_NO_JOURNAL ||
				  e2lazy_problem_of(err)))
			session_complain(s, 0, _("the journal's place is "
						 "lost; --carve searches the "
						 "whole device for it"));
		else
			session_tell_way(s, err);
	}
	return !err;
}

/* ------------------------------------------------------ the command line */

static bool parse(struct salvage *v)
{
	char *arg;
	int id;

	v->listing.headings = true;
	while ((id = session_option(v->s, &v->listing, &arg)) != OPTION_END) {
		if (id == OPT_CARVE) {
			v->carve = true;
		} else if (id == OPT_PIECES) {
			const char *what = source_take(&v->s->source,
						       "geometry", arg);

			if (what)
				return session_refuse(v->s, "--geometry", arg,
						      _(what));
		} else {
			return false;
		}
	}
	return session_columns(v->s, &v->listing, candidate_columns,
			       NR_COLUMNS, &v->columns) &&
	       session_operands(v->s, 1, 1);
}

static int run_salvage(const struct command *self, int argc, char **argv)
{
	struct salvage v = { .s = session_begin(self, argc, argv) };
	int status;

	if (!v.s)
		return FSCK_ERROR;
	if (parse(&v) && find(&v))
		print_all(&v);
	e2lazy_salvage_free(v.found);
	status = session_end(v.s);
	free(v.device);
	return status;
}

static void salvage_help(struct out *out)
{
	columns_help(out, candidate_columns, NR_COLUMNS);
	out_text(out, _("\nBelow them, the pieces of each:"));
	columns_help(out, piece_columns, NR_PIECE_COLUMNS);
}

const struct command salvage_command = {
	.name = "salvage",
	.usage = "DEVICE",
	.summary = N_("Find a log whose superblock or inode is lost"),
	.run = run_salvage,
	.options = salvage_options,
	.lists = true,
	.help = salvage_help,
	.kind = COMMAND_MENDS,
};
