/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print.h - what a command shows, and how: text or JSON, colour, progress
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
	enum color	color;		/* as asked for */
	struct out	out;
	struct json	json;		/* on @out */
	struct progress	progress;
};

/* How a listing was asked for: --columns, --no-headings, --raw. */
#define MAX_LISTS	8

struct listing {
	char		*columns[MAX_LISTS];	/* arguments of --columns */
	unsigned	nr_columns;
	bool		headings;
	bool		raw;
};

void print_init(struct print *print);
/* NULL where people read. */
static inline struct json *print_json(struct print *print)
{
	return print->json_wanted ? &print->json : NULL;
}
/* Colours as asked for. */
void print_colors(struct print *print);
/* What was printed so far comes first, and the bar goes out of the way. */
void print_make_way(struct print *print);
/* A sheet that goes where the command prints, as JSON where that is wanted. */
void print_sheet(struct print *print, struct sheet *sheet);
/* Which of @listing's columns is unknown; NULL: they are as asked for. */
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
