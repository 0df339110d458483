/* SPDX-License-Identifier: GPL-2.0-only */
/* print.c - the output of a command */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "print.h"
#include "support/saved.h"
#include "support/status.h"

void print_init(struct print *p)
{
	out_init(&p->out, STDOUT_FILENO);
	json_init(&p->json, &p->out);
	p->progress.fd = -1;
}

void print_lines(struct print *p)
{
	p->json_wanted = p->lines_wanted = true;
	/* A failed output drops all. */
	out_init(&p->nowhere, -1);
	p->nowhere.error = EBADF;
	json_lines(&p->json, &p->nowhere);
}

static bool color_wanted(const struct print *p)
{
	const char *no_color = getenv("NO_COLOR");

	if (p->json_wanted || p->color == COLOR_NEVER)
		return false;
	return p->color == COLOR_ALWAYS ||
	       (isatty(STDOUT_FILENO) && !(no_color && *no_color));
}

void print_colors(struct print *p)
{
	p->out.color = color_wanted(p);
}

void print_make_way(struct print *p)
{
	out_flush(&p->out);
	progress_hide(&p->progress);
}

bool print_save(struct print *p, const char *name, const char *begins,
		void (*put)(void *priv, struct out *out), void *priv)
{
	struct saved saved;

	print_make_way(p);
	if (!saved_begin(&saved, name, begins))
		return false;
	put(priv, &saved.out);
	return saved_end(&saved, !cancelled()) || cancelled();
}

void print_sheet(struct print *p, struct sheet *sheet)
{
	sheet_init(sheet, &p->out, print_json(p));
}

const char *print_columns(const struct print *p, const struct listing *listing,
			  const struct column *table, unsigned size,
			  struct columns *columns)
{
	const char *unknown = NULL;

	columns_init(columns, table, size,
		     p->json_wanted || listing->csv ? COLUMN_JSON :
							  COLUMN_SHOWN);
	for (unsigned i = 0; !unknown && i < listing->nr_columns; i++)
		unknown = columns_choose(columns, listing->columns[i]);
	return unknown;
}

void print_rows(struct print *p, const struct listing *listing,
		const struct columns *columns, const char *key,
		struct rows *rows)
{
	*rows = (struct rows){
		.out = &p->out,
		.json = print_json(p),
		.columns = columns,
		.raw = listing->raw,
		.csv = listing->csv,
	};
	if (p->json_wanted)
		json_rows(&p->json, key);
	else if (listing->headings)
		rows_heading(rows);
}
