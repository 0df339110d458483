/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * column.c - the columns of a listing
 */
#include <string.h>
#include <strings.h>

#include "column.h"
#include "nls.h"
#include "units.h"

void columns_init(struct columns *columns, const struct column *table,
		  unsigned size, unsigned flag)
{
	unsigned i, width;

	memset(columns, 0, sizeof(*columns));
	columns->table = table;
	columns->size = size;
	for (i = 0; i < size; i++) {
		width = strlen(table[i].name);
		if (width < table[i].width)
			width = table[i].width;
		if (table[i].type == COLUMN_TIME)
			width = strlen("2026-01-31T23:59:59Z");
		columns->width[i] = width;
		if (table[i].flags & flag)
			columns->pick[columns->picked++] = i;
	}
}

bool columns_has(const struct columns *columns, unsigned id)
{
	return memchr(columns->pick, id, columns->picked) != NULL;
}

void columns_add(struct columns *columns, unsigned id)
{
	if (!columns_has(columns, id))
		columns->pick[columns->picked++] = id;
}

static bool add_named(struct columns *columns, const char *name)
{
	unsigned i;

	if (*name == '+')	/* "+A,+B" can mean nothing else */
		name++;
	for (i = 0; i < columns->size; i++) {
		if (!strcasecmp(columns->table[i].name, name)) {
			columns_add(columns, i);
			return true;
		}
	}
	return false;
}

const char *columns_choose(struct columns *columns, char *list)
{
	const char *name;

	if (*list == '+')
		list++;
	else
		columns->picked = 0;
	while ((name = strsep(&list, ",")))
		if (!add_named(columns, name))
			return name;
	return NULL;
}

void columns_fit(struct columns *columns, unsigned id, uint64_t value)
{
	unsigned width = digits_u64(value);

	if (columns->width[id] < width)
		columns->width[id] = width;
}

void columns_help(struct out *out, const struct column *table, unsigned size)
{
	unsigned i;

	out_text(out, _("\nColumns (* shown unless --columns is given):\n"));
	for (i = 0; i < size; i++)
		out_format(out, "  %-9s %c %s\n", table[i].name,
			   table[i].flags & COLUMN_SHOWN ? '*' : ' ',
			   _(table[i].help));
}
