/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - a listing, row by row, as aligned text, bare fields, CSV or JSON
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
	uint32_t length;	/* bytes of @text; 0: up to its NUL */
	bool	known;		/* false: "-", or null in JSON */
	bool	alarm;		/* red, if there is colour */
};

static inline void cell_number(struct cell *cell, uint64_t number)
{
	*cell = (struct cell){ .number = number, .known = true };
}

/* A time before 1970 or after; 0 is the begin of 1970. */
static inline void cell_date(struct cell *cell, int64_t seconds)
{
	*cell = (struct cell){ .number = (uint64_t)seconds, .known = true };
}

/*
 * A commit time has no sign.  0 is an unknown time, and so is one that would be
 * a date before 1970.
 */
static inline void cell_time(struct cell *cell, uint64_t seconds)
{
	*cell = (struct cell){ .number = seconds,
			       .known = seconds && seconds <= INT64_MAX };
}

static inline void cell_text(struct cell *cell, const char *text)
{
	*cell = (struct cell){ .text = text, .known = true };
}

/* A name from a disk, which may contain a NUL. */
static inline void cell_name(struct cell *cell, const char *name, size_t length)
{
	*cell = (struct cell){ .text = name, .length = (uint32_t)length,
			       .known = true };
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
	bool			csv;	/* as in RFC 4180 */
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

/*
 * A row in the making, for a listing of millions: the cells follow each other
 * in the order of the picked columns, and their text in the buffer of the
 * output.  Each function takes the place of the next cell there and returns the
 * one behind it, so that a caller's compiler keeps it in a register.
 */
struct row_line {
	const struct rows *rows;
	const unsigned	*width;		/* of each column of the table */
};

/* Bytes that a number takes with its blanks, at most; and a row of them. */
#define NUMBER_ROOM	64
#define ROW_ROOM	(MAX_COLUMNS * NUMBER_ROOM)

/* The place has ROW_ROOM; NULL: JSON or CSV. */
char *row_begin(struct row_line *line, const struct rows *rows);
/* @id: place of the column in its table. */
char *row_cell(const struct row_line *line, char *to, unsigned id,
	       const struct cell *cell);
void row_end(const struct row_line *line, char *to);
/* Move a number of @length digits right; returns its end. */
char *row_align(char *number, size_t length, size_t width);

/* As row_cell(), for a column of numbers: most cells of a long listing. */
static inline char *row_number(const struct row_line *line, char *to,
			       unsigned id, uint64_t value)
{
	struct cell cell;
	size_t n;

	if (!to) {
		cell_number(&cell, value);
		return row_cell(line, to, id, &cell);
	}
	n = put_u64(to, value);
	to = n < line->width[id] ? row_align(to, n, line->width[id]) : to + n;
	*to = ' ';
	return to + 1;
}

/*
 * A text that many rows show, ready for its column: row_word() puts what
 * row_cell() would.
 */
#define WORD_ROOM	32

struct row_word {
	char		text[WORD_ROOM];
	size_t		length;		/* with blanks; 0: use row_cell() */
};

/* The length is 0 in JSON and CSV, too, and for a text that takes more room. */
void row_word_make(struct row_word *word, const struct rows *rows, unsigned id,
		   const char *text);

static inline char *row_word(char *to, const struct row_word *word)
{
	memcpy(to, word->text, WORD_ROOM);
	to[word->length] = ' ';
	return to + word->length + 1;
}

/* Must the rows stop?  The output failed, or a signal came. */
bool rows_stop(const struct rows *rows);

#endif
