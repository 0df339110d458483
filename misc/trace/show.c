/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.c - e2lazy trace show: the requests of a trace by their class
 *
 * A class is what the kernel says: an operation, and whether it marks the
 * request as metadata, which writes of the journal are, too.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "e2lazy_drive.h"
#include "support/nls.h"
#include "support/status.h"
#include "traces.h"

enum { OPT_BAND = OPTION_COMMAND, OPT_STREAM };

static const struct option_line show_options[] = {
	{ OPT_BAND, "band", "SIZE", N_("size of a band; default: 30M") },
	{ OPT_STREAM, "stream", "SIZE",
	  N_("least length of a streamable run; usually 8M") },
	{ 0 }
};

enum { COL_CLASS, COL_REQUESTS, COL_BYTES, COL_STREAMABLE, COL_BANDS,
       NR_COLUMNS };

static const struct column table[NR_COLUMNS] = {
	[COL_CLASS] = { "CLASS", "class", COLUMN_STRING, COLUMN_USUAL, 14,
			N_("operation, and the kernel's mark of metadata") },
	[COL_REQUESTS] = { "REQUESTS", "requests", COLUMN_NUMBER, COLUMN_USUAL,
			   10, N_("number of requests") },
	[COL_BYTES] = { "BYTES", "bytes", COLUMN_NUMBER, COLUMN_USUAL, 15,
			N_("bytes of the requests") },
	[COL_STREAMABLE] = { "STREAMABLE", "streamable", COLUMN_NUMBER,
			     COLUMN_USUAL, 15,
			     N_("bytes in sequential runs of --stream") },
	[COL_BANDS] = { "BANDS", "bands", COLUMN_NUMBER, COLUMN_USUAL, 8,
			N_("bands with at least one of these bytes") },
};

enum class { DATA_READ, METADATA_READ, DATA_WRITE, METADATA_WRITE, DISCARD,
	     FLUSH, NR_CLASSES };

static const char *const class_names[NR_CLASSES] = {
	"data read", "metadata read", "data write", "metadata write",
	"discard", "flush",
};

/* A bitmap of at most 16 MiB: 4 PB in bands of 30 MiB. */
#define MOST_BANDS	((uint64_t)1 << 27)
/* A request has less than 4 GiB, and a discard is cut, too. */
#define MOST_BANDS_AT_ONCE	4097

struct tally {
	uint64_t	requests, bytes, streamable;
	uint64_t	next, run;	/* of the run that goes on */
	uint64_t	bands;
	bool		beyond;		/* some bands are not counted */
	uint8_t		*seen;
	size_t		room;		/* bytes of @seen */
};

struct show {
	struct session	*s;
	struct listing	listing;
	struct columns	columns;
	uint64_t	band, stream;
	struct tally	tally[NR_CLASSES];
};

static bool take_size(struct show *sh, int id, const char *arg)
{
	uint64_t *value = id == OPT_BAND ? &sh->band : &sh->stream;
	const char *option = id == OPT_BAND ? "--band" : "--stream";

	return (parse_size(arg, value) && *value >= E2LAZY_BAND_LEAST &&
		*value <= E2LAZY_BAND_MOST) ||
	       session_refuse(sh->s, option, arg, _("a size from 1M to 100T"));
}

static bool parse(struct show *sh)
{
	char *arg;
	int id;

	sh->listing.headings = true;
	while ((id = session_option(sh->s, &sh->listing, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_size(sh, id, arg))
			return false;
	return session_operands(sh->s, 1, 1) &&
	       session_columns(sh->s, &sh->listing, table, NR_COLUMNS,
			       &sh->columns);
}

static enum class class_of(const struct e2lazy_request *r)
{
	bool metadata = r->flags & E2LAZY_REQ_META;

	switch (r->op) {
	case E2LAZY_OP_READ:	return metadata ? METADATA_READ : DATA_READ;
	case E2LAZY_OP_WRITE:	return metadata ? METADATA_WRITE : DATA_WRITE;
	case E2LAZY_OP_DISCARD:	return DISCARD;
	default:		return FLUSH;
	}
}

static bool make_room(struct tally *t, uint64_t band)
{
	size_t room = band / 8 + 1;
	uint8_t *seen;

	if (room <= t->room)
		return true;
	room += room / 2;
	seen = realloc(t->seen, room);
	if (!seen)
		return false;
	memset(seen + t->room, 0, room - t->room);
	t->seen = seen;
	t->room = room;
	return true;
}

/* A trace may tell of a request that no disk gets: its bands are not counted. */
static bool note_bands(struct tally *t, uint64_t first, uint64_t last)
{
	if (last >= MOST_BANDS || last - first >= MOST_BANDS_AT_ONCE) {
		t->beyond = true;
		return true;
	}
	if (!make_room(t, last))
		return false;
	for (uint64_t band = first; band <= last; band++) {
		uint8_t bit = 1U << band % 8;

		t->bands += !(t->seen[band / 8] & bit);
		t->seen[band / 8] |= bit;
	}
	return true;
}

/* A run counts whole, once it is long enough. */
static void note_run(struct tally *t, const struct e2lazy_request *r,
		     uint64_t stream)
{
	bool was = t->run >= stream;

	if (r->offset != t->next) {
		t->run = 0;
		was = false;
	}
	t->run += r->length;
	t->next = r->offset + r->length;
	if (t->run >= stream)
		t->streamable += was ? r->length : t->run;
}

static bool count(struct show *sh, const struct e2lazy_request *r)
{
	struct tally *t = &sh->tally[class_of(r)];

	t->requests++;
	t->bytes += r->length;
	if (!r->length)
		return true;
	note_run(t, r, sh->stream);
	return note_bands(t, r->offset / sh->band,
			  (r->offset + r->length - 1) / sh->band);
}

static bool read_all(struct show *sh)
{
	struct e2lazy_request r;
	struct trace_file file;
	bool ok;

	ok = trace_begin(&file, sh->s, sh->s->operands[0]);
	while (ok && trace_next(&file, &r))
		ok = count(sh, &r);
	if (file.trace && !ok)
		session_fail(sh->s, EXT2_ET_NO_MEMORY, NULL);
	ok = ok && file.trace && !cancelled();
	trace_end(&file);
	return ok;
}

static void print(struct show *sh)
{
	struct print *print = &sh->s->print;
	struct cell cells[NR_COLUMNS];
	struct rows rows;

	if (print->json_wanted)
		session_document(sh->s);
	print_rows(print, &sh->listing, &sh->columns, "classes", &rows);
	for (unsigned i = 0; i < NR_CLASSES; i++) {
		const struct tally *t = &sh->tally[i];

		cell_text(&cells[COL_CLASS], class_names[i]);
		cell_number(&cells[COL_REQUESTS], t->requests);
		cell_number(&cells[COL_BYTES], t->bytes);
		cell_number(&cells[COL_STREAMABLE], t->streamable);
		cell_number(&cells[COL_BANDS], t->bands);
		if (t->beyond)
			cell_none(&cells[COL_BANDS]);
		rows_put(&rows, cells);
	}
}

static void help(struct out *out)
{
	columns_help(out, table, NR_COLUMNS);
}

static int run_show(const struct command *self, int argc, char **argv)
{
	struct show sh = { .band = 30 << 20, .stream = 8 << 20 };

	sh.s = session_begin(self, argc, argv);
	if (!sh.s)
		return FSCK_ERROR;
	if (parse(&sh)) {
		status_catch_signals();
		print_colors(&sh.s->print);
		sh.s->device = sh.s->operands[0];
		if (read_all(&sh))
			print(&sh);
	}
	while (sh.s->print.json.depth)
		json_end(&sh.s->print.json);
	for (unsigned i = 0; i < NR_CLASSES; i++)
		free(sh.tally[i].seen);
	return session_end(sh.s);
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
