/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * column.h - the columns of a listing
 *
 * One table describes a listing's columns: --help, --columns, headings, JSON
 * keys and types come from it.
 */
#ifndef SUPPORT_COLUMN_H
#define SUPPORT_COLUMN_H

#include <stdbool.h>

#include "out.h"

#define MAX_COLUMNS	24

enum column_type {
	COLUMN_NUMBER,		/* right-aligned; a number in JSON */
	COLUMN_REAL,		/* thousandths, with three decimals; the same */
	COLUMN_STRING,
	COLUMN_BOOL,		/* yes or no; true or false in JSON */
	COLUMN_TIME,		/* seconds since 1970 or, if negative, before,
				   as ISO-8601 UTC */
};

#define COLUMN_SHOWN	0x1	/* in text unless --columns says otherwise */
#define COLUMN_JSON	0x2	/* in JSON unless --columns says otherwise */
#define COLUMN_USUAL	(COLUMN_SHOWN | COLUMN_JSON)

struct column {
	const char *name;
	const char *json;
	enum column_type type;
	unsigned flags;
	unsigned width;		/* at least; 0: length of the name */
	const char *help;
};

/* Chosen columns of a table, in the order of printing. */
struct columns {
	const struct column *table;
	unsigned size;			/* of the table */
	unsigned picked;
	unsigned char pick[MAX_COLUMNS];
	unsigned width[MAX_COLUMNS];	/* by place in the table */
};

/* Pick the columns that have @flag. */
void columns_init(struct columns *columns, const struct column *table,
		  unsigned size, unsigned flag);
/*
 * "A,B" picks these, "+A,B" adds them; names in any case, each once.  Returns
 * NULL, or the first name that is not in the table.  Cuts @list into pieces.
 */
const char *columns_choose(struct columns *columns, char *list);
bool columns_has(const struct columns *columns, unsigned id);
void columns_add(struct columns *columns, unsigned id);
/* Make room for numbers up to @value in column @id. */
void columns_fit(struct columns *columns, unsigned id, uint64_t value);
void columns_help(struct out *out, const struct column *table, unsigned size);

#endif
