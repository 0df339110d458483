/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - a listing, row by row, as aligned text, bare fields or JSON
 *
 * It keeps no row.  The widths of text columns are fixed beforehand; a wider
 * cell pushes the rest of its row to the right.
 */
#ifndef SUPPORT_ROWS_H
#define SUPPORT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "column.h"
#include "json.h"
#include "out.h"

/* A value for one column; the column's type says which member counts. */
struct cell {
	union {
		uint64_t	number;	/* COLUMN_NUMBER, _REAL, _TIME,
					   _BOOL */
		const char	*text;	/* COLUMN_STRING */
	};
	size_t	length;		/* bytes of @text; 0: up to its NUL */
	bool	known;		/* false: "-", or null in JSON */
	bool	alarm;		/* red, if there is colour */
};

static inline void cell_number(struct cell *cell, uint64_t number)
{
	*cell = (struct cell){ .number = number, .known = true };
}

static inline void cell_text(struct cell *cell, const char *text)
{
	*cell = (struct cell){ .text = text, .known = true };
}

/* A name from a disk, which may contain a NUL. */
static inline void cell_name(struct cell *cell, const char *name, size_t length)
{
	*cell = (struct cell){ .text = name, .length = length, .known = true };
}

static inline void cell_none(struct cell *cell)
{
	cell->known = false;
}

struct rows {
	struct out		*out;
	struct json		*json;	/* NULL: text */
	const struct columns	*columns;
	bool			raw;	/* one space between fields, and a
					   space inside of one is '_' */
};

/* The headings; nothing in JSON, whose array the caller begins and ends. */
void rows_heading(const struct rows *rows);
/*
 * Print one row.  @cells is indexed by the columns' places in their table;
 * cells of other columns than the picked ones are ignored.
 */
void rows_put(const struct rows *rows, const struct cell *cells);
/* The same, but a JSON object stays open for more members: json_end(). */
void rows_open(const struct rows *rows, const struct cell *cells);
/* Must the rows stop?  The output failed, or a signal came. */
bool rows_stop(const struct rows *rows);

#endif
