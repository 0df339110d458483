/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.c - e2lazy trace show: the requests of a trace by their class
 *
 * A recorded trace knows the file system: there a class is data, metadata or
 * journal.  Otherwise it is the kernel's mark of metadata, which writes of the
 * journal have, too.  A request that has bytes of several classes is split.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2lazy_drive.h"
#include "show.h"
#include "support/nls.h"
#include "support/status.h"

enum { OPT_BAND = OPTION_COMMAND, OPT_STREAM, OPT_MARK, OPT_ROLE, OPT_BY_BAND,
       OPT_BY_TIME, OPT_LAZY, OPT_RING, OPT_COALESCE };

static const struct option_line show_options[] = {
	{ OPT_BAND, "band", "SIZE", N_("size of a band; default: 30M") },
	{ OPT_STREAM, "stream", "SIZE",
	  N_("least length of a streamable run; usually 8M") },
	{ OPT_ROLE, "by-role", NULL,
	  N_("a row for each type of block") },
	{ OPT_MARK, "by-mark", NULL,
	  N_("classes by the kernel's mark of metadata alone") },
	{ OPT_BY_BAND, "by-band", NULL, N_("a row for each band") },
	{ OPT_BY_TIME, "by-time", "TIME",
	  N_("a row for each TIME of the trace: 1s, 500ms") },
	{ OPT_LAZY, "lazy", NULL,
	  N_("what a lazy journal would have asked for") },
	{ OPT_RING, "ring", "SIZE",
	  N_("size of its log; default: the trace's") },
	{ OPT_COALESCE, "coalesce", "N",
	  N_("make N transactions in a row one; default: 1") },
	{ 0 }
};

enum { COL_CLASS, COL_REQUESTS, COL_BYTES, COL_STREAMABLE, COL_BANDS,
       COL_UNIQUE, NR_COLUMNS };

static const struct column table[NR_COLUMNS] = {
	[COL_CLASS] = { "CLASS", "class", COLUMN_STRING, COLUMN_USUAL, 14,
			N_("data, metadata or journal, read or write") },
	[COL_REQUESTS] = { "REQUESTS", "requests", COLUMN_NUMBER, COLUMN_USUAL,
			   10, N_("number of requests") },
	[COL_BYTES] = { "BYTES", "bytes", COLUMN_NUMBER, COLUMN_USUAL, 15,
			N_("bytes of the requests") },
	[COL_STREAMABLE] = { "STREAMABLE", "streamable", COLUMN_NUMBER,
			     COLUMN_USUAL, 15,
			     N_("bytes in sequential runs of --stream") },
	[COL_BANDS] = { "BANDS", "bands", COLUMN_NUMBER, COLUMN_USUAL, 8,
			N_("bands with at least one of these bytes") },
	[COL_UNIQUE] = { "UNIQUE", "unique", COLUMN_NUMBER, COLUMN_JSON, 15,
			 N_("bytes of distinct blocks; only where the trace "
			    "knows the file system") },
};

static const char *const mark_names[] = {
	"data read", "metadata read", "data write", "metadata write",
};
static const char *const class_names[] = {
	"data read", "metadata read", "journal read",
	"data write", "metadata write", "journal write",
};

/* Rows of requests that have an operation and a class; then two without. */
static unsigned placed_rows(enum show_by by)
{
	return by == BY_MARK ? 4 : by == BY_CLASS ? 6 : 2 * E2LAZY_NR_TYPES;
}

/* -------------------------------------------------------- command line */

static bool take_size(struct show *sh, int id, const char *arg)
{
	uint64_t *value = id == OPT_BAND ? &sh->sizes.band : &sh->sizes.stream;
	const char *option = id == OPT_BAND ? "--band" : "--stream";

	return (parse_size(arg, value) && *value >= E2LAZY_BAND_LEAST &&
		*value <= E2LAZY_BAND_MOST) ||
	       session_refuse(sh->s, option, arg, _("a size from 1M to 100T"));
}

static bool choose_by(struct show *sh, enum show_by by)
{
	if (sh->by_set && sh->by != by)
		return session_wrong(sh->s, _("only one option --by-... may "
					      "be given"));
	sh->by = by;
	sh->by_set = true;
	return true;
}

static bool take_option(struct show *sh, int id, char *arg)
{
	switch (id) {
	case OPT_MARK:		return choose_by(sh, BY_MARK);
	case OPT_ROLE:		return choose_by(sh, BY_ROLE);
	case OPT_BY_BAND:	return choose_by(sh, BY_BAND);
	case OPT_LAZY:
		sh->lazy = true;
		return true;
	case OPT_BY_TIME:
		if (!parse_time(arg, &sh->period) || !sh->period ||
		    sh->period > 86400000)
			return session_refuse(sh->s, "--by-time", arg,
					      _("a time from 1ms to a day"));
		sh->period *= 1000000;
		return choose_by(sh, BY_TIME);
	case OPT_RING:
		return (parse_size(arg, &sh->ring) &&
			sh->ring >= E2LAZY_BAND_LEAST) ||
		       session_refuse(sh->s, "--ring", arg,
				      _("a size of at least 1M"));
	case OPT_COALESCE:
		return (parse_number(arg, 1000000, &sh->coalesce) &&
			sh->coalesce) ||
		       session_refuse(sh->s, "--coalesce", arg,
				      _("a number from 1 to 1000000"));
	}
	return take_size(sh, id, arg);
}

static bool parse(struct show *sh)
{
	const struct column *columns = table;
	unsigned nr = NR_COLUMNS;
	char *arg;
	int id;

	sh->listing.headings = true;
	while ((id = session_option(sh->s, &sh->listing, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(sh, id, arg))
			return false;
	if (sh->by == BY_BAND || sh->by == BY_TIME) {
		columns = sh->by == BY_BAND ? band_columns : time_columns;
		nr = NR_SERIES_COLUMNS;
	}
	if (!session_needs(sh->s, "ring coalesce", sh->lazy, "--lazy") ||
	    !session_without(sh->s, "--by-band", sh->by == BY_BAND, "stream") ||
	    !session_without(sh->s, "--by-time", sh->by == BY_TIME,
			     "band stream"))
		return false;
	if (sh->lazy && sh->by_set)
		return session_wrong(sh->s, _("--lazy excludes --by-..."));
	return session_operands(sh->s, 1, 1) &&
	       session_columns(sh->s, &sh->listing, columns, nr, &sh->columns);
}

/* --------------------------------------------------------------- count */

static unsigned row_of(const struct show *sh, const struct e2lazy_request *r,
		       const struct e2lazy_trace_part *part)
{
	bool writes = r->op == E2LAZY_OP_WRITE;

	if (sh->by == BY_MARK)
		return 2 * writes + ((r->flags & E2LAZY_REQ_META) != 0);
	if (sh->by == BY_CLASS)
		return 3 * writes + part->cls;
	return E2LAZY_NR_TYPES * writes + part->type;
}

/*
 * A lazy journal writes no metadata home, and reads from the log what the log
 * holds.  False: nobody asks for this part.
 */
static bool make_lazy(const struct show *sh, const struct e2lazy_request *r,
		      struct e2lazy_trace_part *part)
{
	if (part->cls != E2LAZY_TRACE_METADATA)
		return true;
	if (r->op == E2LAZY_OP_WRITE)
		return false;
	if (log_newest(&sh->log, part->offset))
		part->cls = E2LAZY_TRACE_JOURNAL;
	return true;
}

static bool count_part(struct show *sh, const struct e2lazy_request *r,
		       struct e2lazy_trace_part *part, unsigned *last)
{
	unsigned row;

	sh->log.now = r->t;
	if (r->op == E2LAZY_OP_WRITE && sh->fs->blocksize)
		log_note(&sh->log, part);
	if (sh->lazy && !make_lazy(sh, r, part))
		return true;
	row = row_of(sh, r, part);
	sh->tally[row].requests += row != *last;
	*last = row;
	return tally_add(&sh->tally[row], &sh->sizes, part->offset,
			 part->length);
}

/* One block at a time where each may have its newest copy in the log. */
static void next_part(const struct show *sh, const struct e2lazy_request *r,
		      uint64_t at, struct e2lazy_trace_part *part)
{
	uint64_t size = sh->fs->blocksize, most;

	e2lazy_trace_part(sh->fs, r, at, part);
	if (!sh->lazy || r->op != E2LAZY_OP_READ ||
	    part->cls != E2LAZY_TRACE_METADATA)
		return;
	most = size - at % size;
	if (part->length > most)
		part->length = most;
}

static bool count(struct show *sh, const struct e2lazy_request *r)
{
	unsigned rows = placed_rows(sh->by), last = MOST_ROWS;
	uint64_t at = r->offset, end = at + r->length;
	struct e2lazy_trace_part part;

	if (sh->by == BY_BAND || sh->by == BY_TIME)
		return series_add(sh, r);
	if (r->op == E2LAZY_OP_DISCARD || r->op == E2LAZY_OP_FLUSH) {
		struct tally *t = &sh->tally[rows +
					     (r->op == E2LAZY_OP_FLUSH)];

		t->requests++;
		return tally_add(t, &sh->sizes, r->offset, r->length);
	}
	for (; at < end; at += part.length) {
		next_part(sh, r, at, &part);
		if (sh->by == BY_MARK)
			part.length = end - at;
		if (!count_part(sh, r, &part, &last))
			return false;
	}
	return true;
}

/* What depends on whether the trace knows its file system. */
static bool prepare(struct show *sh, struct trace_file *file)
{
	sh->fs = &file->fs;
	if (!sh->by_set && !sh->fs->blocksize)
		sh->by = BY_MARK;
	if (sh->fs->blocksize && sh->by != BY_MARK)
		sh->sizes.block = sh->fs->blocksize;
	if (sh->lazy && !(sh->fs->flags & E2LAZY_TRACE_LOGGED)) {
		session_complain(sh->s, FSCK_ERROR,
				 _("the trace has no transactions, which "
				   "--lazy needs: record one of an ext4 file "
				   "system"));
		return false;
	}
	if (log_begin(&sh->log, sh->fs))
		return true;
	session_fail(sh->s, EXT2_ET_NO_MEMORY, NULL);
	return false;
}

static bool read_all(struct show *sh, struct trace_file *file)
{
	struct e2lazy_request r;
	bool ok = true;

	while (ok && trace_next(file, &r))
		ok = count(sh, &r);
	if (!ok)
		session_fail(sh->s, EXT2_ET_NO_MEMORY, NULL);
	return ok && !cancelled();
}

/* --------------------------------------------------------------- print */

/* Returns the row's name, made in @text if it has to be. */
static const char *name_of(const struct show *sh, unsigned row, char text[64])
{
	unsigned rows = placed_rows(sh->by);

	if (row >= rows)
		return row == rows ? "discard" : "flush";
	if (sh->by == BY_MARK)
		return mark_names[row];
	if (sh->by == BY_CLASS)
		return class_names[row];
	snprintf(text, 64, "%s %s", e2lazy_type_name(row % E2LAZY_NR_TYPES),
		 row < E2LAZY_NR_TYPES ? "read" : "write");
	return text;
}

static void print_row(struct show *sh, const struct rows *rows, unsigned row)
{
	const struct tally *t = &sh->tally[row];
	struct cell cells[NR_COLUMNS];
	char text[64];

	cell_text(&cells[COL_CLASS], name_of(sh, row, text));
	cell_number(&cells[COL_REQUESTS], t->requests);
	cell_number(&cells[COL_BYTES], t->bytes);
	cell_number(&cells[COL_STREAMABLE], t->streamable);
	cell_number(&cells[COL_BANDS], t->bands.count);
	cell_number(&cells[COL_UNIQUE], t->blocks.count * sh->sizes.block);
	if (t->bands.beyond)
		cell_none(&cells[COL_BANDS]);
	if (t->blocks.beyond || !sh->sizes.block)
		cell_none(&cells[COL_UNIQUE]);
	rows_put(rows, cells);
}

static void print(struct show *sh)
{
	struct print *print = &sh->s->print;
	unsigned count = placed_rows(sh->by) + 2;
	struct rows rows;

	if (print->json_wanted)
		session_document(sh->s);
	if (sh->by == BY_BAND || sh->by == BY_TIME) {
		series_print(sh);
		return;
	}
	print_rows(print, &sh->listing, &sh->columns,
		   sh->by == BY_ROLE ? "roles" : "classes", &rows);
	for (unsigned i = 0; i < count; i++)
		if (sh->by != BY_ROLE || sh->tally[i].requests)
			print_row(sh, &rows, i);
	if (print->json_wanted)
		json_end(&print->json);
	/* A script that picks columns gets no more than those. */
	if (sh->by == BY_CLASS && (print->json_wanted || !sh->listing.raw))
		show_log_facts(sh);
}

static void help(struct out *out)
{
	columns_help(out, table, NR_COLUMNS);
	out_text(out, _("\nWith --by-band:\n"));
	columns_help(out, band_columns, NR_SERIES_COLUMNS);
	out_text(out, _("\nWith --by-time:\n"));
	columns_help(out, time_columns, NR_SERIES_COLUMNS);
}

static void show(struct show *sh)
{
	struct trace_file file;

	print_colors(&sh->s->print);
	sh->s->device = sh->s->operands[0];
	if (!trace_begin(&file, sh->s, sh->s->operands[0]))
		return;
	if (prepare(sh, &file) && read_all(sh, &file)) {
		progress_end(&sh->s->print.progress);
		print(sh);
	}
	trace_end(&file);
}

static int run_show(const struct command *self, int argc, char **argv)
{
	struct show *sh = calloc(1, sizeof(*sh));
	int status = FSCK_ERROR;

	if (!sh) {
		complain_error(NULL, EXT2_ET_NO_MEMORY);
		return status;
	}
	sh->sizes = (struct tally_sizes){ .band = 30 << 20, .stream = 8 << 20 };
	sh->coalesce = 1;
	sh->s = session_begin(self, argc, argv);
	if (sh->s) {
		if (parse(sh)) {
			status_catch_signals();
			show(sh);
		}
		status = session_end(sh->s);
	}
	for (unsigned i = 0; i < MOST_ROWS; i++)
		tally_free(&sh->tally[i]);
	log_end(&sh->log);
	free(sh->buckets);
	free(sh);
	return status;
}

const struct command trace_show_command = {
	.name = "trace show",
	.usage = "TRACE",
	.summary = N_("Count the requests of a trace by class"),
	.run = run_show,
	.options = show_options,
	.lists = true,
	.help = help,
	.kind = COMMAND_READS,
};
