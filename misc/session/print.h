/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print.h - the output of a command: text, CSV or JSON, colour, progress
 */
#ifndef MISC_PRINT_H
#define MISC_PRINT_H

#include <stdbool.h>

#include "support/json.h"
#include "support/out.h"
#include "support/progress.h"
#include "support/rows.h"
#include "support/sheet.h"

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct print {
	bool		json_wanted;
	bool		lines_wanted;	/* --json-lines: rows alone, and an end */
	enum color	color;		/* --color */
	struct out	out;
	struct json	json;		/* on @out */
	struct out	nowhere;	/* what --json-lines leaves out */
	struct progress	progress;
};

/* The options of a listing: --columns, --no-headings, --raw. */
#define MAX_LISTS	8

struct listing {
	char		*columns[MAX_LISTS];	/* arguments of --columns */
	unsigned	nr_columns;
	bool		headings;
	bool		raw;
	bool		csv;		/* and @raw: no sentences */
};

void print_init(struct print *print);
/* The JSON document; NULL for text. */
static inline struct json *print_json(struct print *print)
{
	return print->json_wanted ? &print->json : NULL;
}
/* From now on JSON is rows, one a line. */
void print_lines(struct print *print);
/* Are colours on? */
void print_colors(struct print *print);
/* Flush the output and hide the progress bar, before a message. */
void print_make_way(struct print *print);
/*
 * Make the file @name by @put, as saved.h has it.  False after a complaint; true
 * also if a signal came, and then the file is as it was.
 */
bool print_save(struct print *print, const char *name, const char *begins,
		void (*put)(void *priv, struct out *out), void *priv);
/* Begin a sheet on the command's output, as JSON with --json. */
void print_sheet(struct print *print, struct sheet *sheet);
/* Returns an unknown column of @listing; NULL: all are known, and selected. */
const char *print_columns(const struct print *print,
			  const struct listing *listing,
			  const struct column *table, unsigned size,
			  struct columns *columns);
/*
 * Begin a listing: headings, or the JSON array @key, which the caller ends.
 * @rows keeps pointers to @print and @columns.
 */
void print_rows(struct print *print, const struct listing *listing,
		const struct columns *columns, const char *key,
		struct rows *rows);

#endif
