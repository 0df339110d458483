/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.c - a listing, row by row, as aligned text, bare fields or JSON
 */
#include <string.h>

#include "nls.h"
#include "rows.h"
#include "status.h"
#include "units.h"

static bool right_aligned(const struct column *column)
{
	return column->type == COLUMN_NUMBER || column->type == COLUMN_REAL;
}

/* Write blanks to the end of a field; none in the last one. */
static void put_rest(const struct rows *rows, unsigned place, size_t columns)
{
	unsigned width = rows->columns->width[rows->columns->pick[place]];

	if (!rows->raw && place + 1 < rows->columns->picked && width > columns)
		out_spaces(rows->out, width - columns);
}

/* Write @length bytes of text in their column; right-aligned text is ASCII. */
static void put_padded(const struct rows *rows, unsigned place,
		       const char *text, size_t length, enum out_style style)
{
	unsigned id = rows->columns->pick[place];
	bool right = right_aligned(&rows->columns->table[id]);

	if (right && !rows->raw && rows->columns->width[id] > length)
		out_spaces(rows->out, rows->columns->width[id] - length);
	if (style != STYLE_PLAIN)
		out_style(rows->out, style);
	out_bytes(rows->out, text, length);
	if (style != STYLE_PLAIN)
		out_style(rows->out, STYLE_PLAIN);
	if (!right)
		put_rest(rows, place, text_columns(text, length));
}

static void put_number(const struct rows *rows, unsigned place, uint64_t value)
{
	char digits[OUT_DIGITS];
	size_t n = put_u64(digits, value);

	put_padded(rows, place, digits, n, STYLE_PLAIN);
}

static void put_real(const struct rows *rows, unsigned place,
		     uint64_t thousandths)
{
	char text[OUT_DIGITS + 5];
	size_t n = put_u64(text, thousandths / 1000);

	text[n++] = '.';
	text[n++] = '0' + thousandths / 100 % 10;
	text[n++] = '0' + thousandths / 10 % 10;
	text[n++] = '0' + thousandths % 10;
	put_padded(rows, place, text, n, STYLE_PLAIN);
}

/* Does the character need no out_printable()? */
static bool is_plain_char(char c)
{
	return (signed char)c >= ' ' && c != 0x7f;
}

static bool is_plain(const char *text)
{
	while (is_plain_char(*text))
		text++;
	return !*text;
}

#define SHORT_TEXT 64

/* False, and nothing put, if @text is empty, or longer, or not plain. */
static bool put_short_raw(struct out *out, const char *text)
{
	char *to = out_room(out, SHORT_TEXT);
	size_t n = 0;

	for (; n < SHORT_TEXT && is_plain_char(text[n]); n++)
		to[n] = text[n] == ' ' ? '_' : text[n];
	if (!n || n == SHORT_TEXT || text[n])
		return false;
	out->used += n;
	return true;
}

static void put_text(const struct rows *rows, unsigned place,
		     const struct cell *cell, const char *text)
{
	if (cell->length)
		put_rest(rows, place,
			 out_printable_bytes(rows->out, text, cell->length,
					     rows->raw ? '_' : ' '));
	else if (rows->raw && put_short_raw(rows->out, text))
		return;
	else if (!*text)
		put_padded(rows, place, "-", 1, STYLE_PLAIN);
	else if (rows->raw || !is_plain(text))
		put_rest(rows, place, out_printable(rows->out, text,
						    rows->raw ? '_' : ' '));
	else
		put_padded(rows, place, text, strlen(text),
			   cell->alarm ? STYLE_ALARM : STYLE_PLAIN);
}

static void put_cell(const struct rows *rows, unsigned place, unsigned id,
		     const struct cell *cell)
{
	char time[TIME_TEXT];

	if (!cell->known) {
		put_padded(rows, place, "-", 1, STYLE_PLAIN);
		return;
	}
	switch (rows->columns->table[id].type) {
	case COLUMN_NUMBER:
		put_number(rows, place, cell->number);
		break;
	case COLUMN_REAL:
		put_real(rows, place, cell->number);
		break;
	case COLUMN_STRING:
		put_text(rows, place, cell, cell->text);
		break;
	case COLUMN_BOOL:
		put_text(rows, place, cell, cell->number ? "yes" : "no");
		break;
	case COLUMN_TIME:
		time_text(time, cell->number);
		put_text(rows, place, cell, time);
		break;
	}
}

static void put_json_cell(struct json *json, const struct column *column,
			  const struct cell *cell)
{
	if (!cell->known) {
		json_null(json, column->json);
		return;
	}
	switch (column->type) {
	case COLUMN_NUMBER:
		json_u64(json, column->json, cell->number);
		break;
	case COLUMN_REAL:
		json_real(json, column->json, cell->number / 1000.0);
		break;
	case COLUMN_STRING:
		if (cell->length)
			json_bytes(json, column->json, cell->text,
				   cell->length);
		else
			json_string(json, column->json, cell->text);
		break;
	case COLUMN_BOOL:
		json_bool(json, column->json, cell->number);
		break;
	case COLUMN_TIME:
		json_time(json, column->json, cell->number);
		break;
	}
}

void rows_heading(const struct rows *rows)
{
	const char *name;
	unsigned place;

	if (rows->json)
		return;
	for (place = 0; place < rows->columns->picked; place++) {
		if (place)
			out_char(rows->out, ' ');
		name = rows->columns->table[rows->columns->pick[place]].name;
		put_padded(rows, place, name, strlen(name), STYLE_BOLD);
	}
	out_char(rows->out, '\n');
}

static void open_json(const struct rows *rows, const struct cell *cells)
{
	const struct columns *columns = rows->columns;

	json_object(rows->json, NULL, JSON_INLINE);
	for (unsigned place = 0; place < columns->picked; place++) {
		unsigned id = columns->pick[place];

		put_json_cell(rows->json, &columns->table[id], &cells[id]);
	}
}

static inline void put_raw_number(struct out *out, uint64_t value, char end)
{
	char *to = out_room(out, OUT_DIGITS + 1);
	size_t n = put_u64(to, value);

	to[n] = end;
	out->used += n + 1;
}

/* Most cells of a long listing are numbers. */
static void put_line(const struct rows *rows, const struct cell *cells)
{
	const struct column *table = rows->columns->table;
	unsigned picked = rows->columns->picked;
	struct out *out = rows->out;
	bool raw = rows->raw;

	for (unsigned place = 0; place < picked; place++) {
		unsigned id = rows->columns->pick[place];
		const struct cell *cell = &cells[id];
		char end = place + 1 < picked ? ' ' : '\n';

		if (raw && cell->known && table[id].type == COLUMN_NUMBER) {
			put_raw_number(out, cell->number, end);
		} else {
			put_cell(rows, place, id, cell);
			out_char(out, end);
		}
	}
}

void rows_open(const struct rows *rows, const struct cell *cells)
{
	if (rows->json)
		open_json(rows, cells);
	else
		put_line(rows, cells);
}

void rows_put(const struct rows *rows, const struct cell *cells)
{
	rows_open(rows, cells);
	if (rows->json)
		json_end(rows->json);
}

bool rows_stop(const struct rows *rows)
{
	return rows->out->error || cancelled();
}
