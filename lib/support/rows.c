/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.c - a listing, row by row, as aligned text, bare fields, CSV or JSON
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

static bool is_last(const struct rows *rows, unsigned id)
{
	return id == rows->columns->pick[rows->columns->picked - 1];
}

/* Write blanks to the end of a field; none in the last one. */
static void put_rest(const struct rows *rows, unsigned id, size_t columns)
{
	unsigned width = rows->columns->width[id];

	if (!rows->raw && !is_last(rows, id) && width > columns)
		out_spaces(rows->out, width - columns);
}

/* Write @length bytes of text in their column; right-aligned text is ASCII. */
static void put_padded(const struct rows *rows, unsigned id,
		       const char *text, size_t length, enum out_style style)
{
	bool right = right_aligned(&rows->columns->table[id]);

	if (right && !rows->raw && rows->columns->width[id] > length)
		out_spaces(rows->out, rows->columns->width[id] - length);
	if (style != STYLE_PLAIN)
		out_style(rows->out, style);
	out_bytes(rows->out, text, length);
	if (style != STYLE_PLAIN)
		out_style(rows->out, STYLE_PLAIN);
	if (!right)
		put_rest(rows, id, text_columns(text, length));
}

static void put_real(const struct rows *rows, unsigned id,
		     uint64_t thousandths)
{
	char text[OUT_DIGITS + 5];
	size_t n = put_u64(text, thousandths / 1000);

	text[n++] = '.';
	text[n++] = '0' + thousandths / 100 % 10;
	text[n++] = '0' + thousandths / 10 % 10;
	text[n++] = '0' + thousandths % 10;
	put_padded(rows, id, text, n, STYLE_PLAIN);
}

static void put_text(const struct rows *rows, unsigned id,
		     const struct cell *cell, const char *text)
{
	size_t length = cell->length ? cell->length : strlen(text);
	bool alarm = cell->alarm && !rows->raw;

	if (!length) {
		put_padded(rows, id, "-", 1, STYLE_PLAIN);
		return;
	}
	if (alarm)
		out_style(rows->out, STYLE_ALARM);
	length = out_printable_bytes(rows->out, text, length,
				     rows->raw ? '_' : ' ');
	if (alarm)
		out_style(rows->out, STYLE_PLAIN);
	put_rest(rows, id, length);
}

static void put_cell(const struct rows *rows, unsigned id,
		     const struct cell *cell)
{
	char time[TIME_TEXT];

	if (!cell->known) {
		put_padded(rows, id, "-", 1, STYLE_PLAIN);
		return;
	}
	switch (rows->columns->table[id].type) {
	case COLUMN_NUMBER:	/* row_number() */
		break;
	case COLUMN_REAL:
		put_real(rows, id, cell->number);
		break;
	case COLUMN_STRING:
		put_text(rows, id, cell, cell->text);
		break;
	case COLUMN_BOOL:
		put_text(rows, id, cell, cell->number ? "yes" : "no");
		break;
	case COLUMN_TIME:
		date_text(time, (int64_t)cell->number);
		put_text(rows, id, cell, time);
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
		json_date(json, column->json, (int64_t)cell->number);
		break;
	}
}

/* ------------------------------------------------------------------- CSV */

#define CSV_LINE_END	"\r\n"

/* What steers a terminal, and a byte that is not UTF-8, is \xNN; a backslash is \\. */
static void put_csv_char(struct out *out, const char *text, size_t length,
			 bool plain)
{
	if (!plain)
		for (size_t i = 0; i < length; i++)
			out_format(out, "\\x%02x", (unsigned char)text[i]);
	else if (*text == '"' || *text == '\\')
		out_format(out, "%c%c", *text, *text);
	else
		out_bytes(out, text, length);
}

static void put_csv_text(struct out *out, const char *text, size_t length)
{
	uint32_t code;
	size_t n;

	out_char(out, '"');
	for (; length; text += n, length -= n) {
		n = utf8_read(text, length, &code);
		put_csv_char(out, text, n ? n : 1,
			     n && code && !text_steers(code));
		n = n ? n : 1;
	}
	out_char(out, '"');
}

static void put_csv_known(struct out *out, const struct column *column,
			  const struct cell *cell)
{
	char time[TIME_TEXT];

	switch (column->type) {
	case COLUMN_NUMBER:
		out_u64(out, cell->number);
		break;
	case COLUMN_REAL:
		out_format(out, "%.3f", cell->number / 1000.0);
		break;
	case COLUMN_STRING:
		put_csv_text(out, cell->text, cell->length ? cell->length :
						   strlen(cell->text));
		break;
	case COLUMN_BOOL:
		out_text(out, cell->number ? "true" : "false");
		break;
	case COLUMN_TIME:
		if (date_text(time, (int64_t)cell->number))
			out_text(out, time);
		break;
	}
}

static void put_csv_cell(const struct rows *rows, unsigned id,
			 const struct cell *cell)
{
	if (id != rows->columns->pick[0])
		out_char(rows->out, ',');
	if (cell->known)
		put_csv_known(rows->out, &rows->columns->table[id], cell);
}

static void csv_heading(const struct rows *rows)
{
	for (unsigned place = 0; place < rows->columns->picked; place++) {
		unsigned id = rows->columns->pick[place];

		out_format(rows->out, "%s%s", place ? "," : "",
			   rows->columns->table[id].json);
	}
	out_text(rows->out, CSV_LINE_END);
}

/* --------------------------------------------------------------- headings */

void rows_heading(const struct rows *rows)
{
	const char *name;

	if (rows->json)
		return;
	if (rows->csv) {
		csv_heading(rows);
		return;
	}
	for (unsigned place = 0; place < rows->columns->picked; place++) {
		unsigned id = rows->columns->pick[place];

		if (place)
			out_char(rows->out, ' ');
		name = rows->columns->table[id].name;
		put_padded(rows, id, name, strlen(name), STYLE_BOLD);
	}
	out_char(rows->out, '\n');
}

/* ------------------------------------------------------------- one row */

static const unsigned *width_of(const struct rows *rows)
{
	static const unsigned no_width[MAX_COLUMNS];

	return rows->raw ? no_width : rows->columns->width;
}

char *row_begin(struct row_line *line, const struct rows *rows)
{
	line->rows = rows;
	line->width = width_of(rows);
	if (rows->csv)
		return NULL;
	if (!rows->json)
		return out_room(rows->out, ROW_ROOM);
	json_object(rows->json, NULL, JSON_INLINE);
	return NULL;
}

char *row_align(char *number, size_t length, size_t width)
{
	size_t pad = width - length;

	if (pad > NUMBER_ROOM - OUT_DIGITS - 1)
		pad = NUMBER_ROOM - OUT_DIGITS - 1;
	memmove(number + pad, number, length);
	memset(number, ' ', pad);
	return number + pad + length;
}

/*
 * Copy a text that is short and shows itself as it is, as most do, but for
 * blanks.  Returns its length, or 0 for another text.
 */
static size_t copy_plain(char *to, const char *text, char blank)
{
	size_t n = 0;

	for (; n < NUMBER_ROOM - 1; n++) {
		char c = text[n];

		if ((unsigned char)(c - '!') < 0x7f - '!')
			to[n] = c;
		else if (c == ' ')
			to[n] = blank;
		else
			break;
	}
	return text[n] ? 0 : n;
}

/* The same in its column; 0 if that takes more, and nothing is put. */
static size_t append_plain(const struct row_line *line, char *to, unsigned id,
			   const struct cell *cell)
{
	const struct rows *rows = line->rows;
	size_t width = is_last(rows, id) ? 0 : line->width[id], n;

	if (cell->length || width >= NUMBER_ROOM ||
	    (cell->alarm && !rows->raw))
		return 0;
	n = copy_plain(to, cell->text, rows->raw ? '_' : ' ');
	if (!n || n >= width)
		return n;
	memset(to + n, ' ', width - n);
	return width;
}

void row_word_make(struct row_word *word, const struct rows *rows, unsigned id,
		   const char *text)
{
	char shown[NUMBER_ROOM] = "";
	struct row_line line;
	struct cell cell;

	word->length = 0;
	if (rows->json || rows->csv)
		return;
	cell_text(&cell, text);
	line = (struct row_line){ rows, width_of(rows) };
	word->length = append_plain(&line, shown, id, &cell);
	if (word->length > WORD_ROOM)
		word->length = 0;
	memcpy(word->text, shown, WORD_ROOM);
}

/* Append a cell of a rarer kind. */
static char *put_any_cell(const struct rows *rows, char *to, unsigned id,
			  const struct cell *cell)
{
	struct out *out = rows->out;

	out->used = to - out->buf;
	put_cell(rows, id, cell);
	return out_room(out, ROW_ROOM);
}

char *row_cell(const struct row_line *line, char *to, unsigned id,
	       const struct cell *cell)
{
	const struct rows *rows = line->rows;
	const struct column *column = &rows->columns->table[id];
	size_t n = 0;

	if (!to && rows->csv) {
		put_csv_cell(rows, id, cell);
		return NULL;
	}
	if (!to) {
		put_json_cell(rows->json, column, cell);
		return NULL;
	}
	if (cell->known && column->type == COLUMN_NUMBER)
		return row_number(line, to, id, cell->number);
	if (cell->known && column->type == COLUMN_STRING)
		n = append_plain(line, to, id, cell);
	to = n ? to + n : put_any_cell(rows, to, id, cell);
	*to = ' ';
	return to + 1;
}

/* The blank behind the last cell becomes the end of the line. */
static void end_text(const struct rows *rows, char *to)
{
	to[-1] = '\n';
	rows->out->used = to - rows->out->buf;
}

void row_end(const struct row_line *line, char *to)
{
	if (to)
		end_text(line->rows, to);
	else if (line->rows->csv)
		out_text(line->rows->out, CSV_LINE_END);
	else
		json_end(line->rows->json);
}

void rows_open(const struct rows *rows, const struct cell *cells)
{
	const struct columns *columns = rows->columns;
	struct row_line line;
	char *to = row_begin(&line, rows);

	for (unsigned place = 0; place < columns->picked; place++)
		to = row_cell(&line, to, columns->pick[place],
			      &cells[columns->pick[place]]);
	if (to)
		end_text(rows, to);
	else if (rows->csv)
		out_text(rows->out, CSV_LINE_END);
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
