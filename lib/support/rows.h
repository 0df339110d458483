/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - a listing, row by row, as aligned text, bare fields or JSON
 *
 * No row is kept.  Text is aligned by widths that are known beforehand; a cell
 * that is wider pushes the rest of its row to the right.
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
		uint64_t	number;	/* COLUMN_NUMBER, _TIME, _BOOL */
		const char	*text;	/* COLUMN_STRING */
	};
	size_t	length;		/* bytes of @text; 0: up to its NUL */
	bool	known;		/* otherwise "-", or null in JSON */
	bool	alarm;		/* in red where there is colour */
};

static inline void cell_number(struct cell *cell, uint64_t number)
{
	*cell = (struct cell){ .number = number, .known = true };
}

static inline void cell_text(struct cell *cell, const char *text)
{
	*cell = (struct cell){ .text = text, .known = true };
}

/* A name from a disk, in which there may be a NUL. */
static inline void cell_name(struct cell *cell, const char *name,
			     size_t length)
{
	*cell = (struct cell){ .text = name, .length = length, .known = true };
}

static inline void cell_none(struct cell *cell)
{
	*cell = (struct cell){ .known = false };
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
 * One row. @cells is indexed by the columns' places in their table; only those
 * of picked columns are looked at.
 */
void rows_put(const struct rows *rows, const struct cell *cells);
/* The same, but a JSON object stays open for more members: json_end(). */
void rows_open(const struct rows *rows, const struct cell *cells);
/* Nobody will read more: the output failed, or a signal came. */
bool rows_stop(const struct rows *rows);

#endif
