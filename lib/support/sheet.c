/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sheet.c - a report for people and scripts from one table
 *
 * For scripts it writes a fact at once; for people it keeps the fact until a
 * row of the section needs it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "markup.h"
#include "nls.h"
#include "sheet.h"
#include "units.h"

#define LINE_WIDTH	79		/* of a sentence */

void sheet_init(struct sheet *sheet, struct out *out, struct json *json)
{
	memset(sheet, 0, sizeof(*sheet));
	sheet->out = out;
	sheet->json = json;
}

void sheet_section(struct sheet *sheet, const char *key,
		   enum json_layout layout)
{
	if (sheet->json)
		json_object(sheet->json, key, layout);
	sheet->section = key;
	sheet->count = 0;
}

void sheet_group(struct sheet *sheet, const char *key)
{
	if (sheet->json)
		json_object(sheet->json, key, JSON_INLINE);
	sheet->group = key;
}

void sheet_group_end(struct sheet *sheet)
{
	if (sheet->json)
		json_end(sheet->json);
	sheet->group = NULL;
}

void sheet_end(struct sheet *sheet, const struct sheet_row *rows)
{
	if (sheet->json)
		json_end(sheet->json);
	if (sheet->tell)
		sheet->tell(sheet, sheet->priv);
	else
		sheet_print(sheet, rows);
	sheet_forget(sheet);
}

void sheet_forget(struct sheet *sheet)
{
	free(sheet->facts);
	sheet->facts = NULL;
	sheet->count = sheet->room = 0;
}

/* ----------------------------------------------------------------- facts */

/* Write to JSON at once?  An absent fact is null there. */
static bool to_json(struct sheet *sheet, const char *key)
{
	if (!sheet->json || *key == '.')
		return false;
	if (sheet->absent)
		json_null(sheet->json, key);
	return !sheet->absent;
}

/*
 * Keep a fact for people; JSON and absent facts need no room.  Without memory
 * the report fails like one that cannot be written.
 */
static struct sheet_fact *keep(struct sheet *sheet, const char *key,
			       enum sheet_kind kind)
{
	struct sheet_fact *fact = &sheet->unasked, *facts;

	if (!sheet->json && !sheet->absent) {
		facts = grow(sheet->facts, sheet->count, &sheet->room,
			     sizeof(*facts));
		if (facts) {
			sheet->facts = facts;
			fact = &facts[sheet->count++];
		} else {
			sheet->out->error = ENOMEM;
		}
	}
	snprintf(fact->name, sizeof(fact->name), "%s%s%s",
		 sheet->group ? sheet->group : "", sheet->group ? "." : "",
		 key);
	fact->kind = kind;
	return fact;
}

void sheet_absent(struct sheet *sheet, bool absent)
{
	sheet->absent = absent;
}

void sheet_u64(struct sheet *sheet, const char *key, uint64_t value)
{
	if (to_json(sheet, key))
		json_u64(sheet->json, key, value);
	keep(sheet, key, SHEET_COUNT)->count = value;
}

void sheet_i64(struct sheet *sheet, const char *key, int64_t value)
{
	if (to_json(sheet, key))
		json_i64(sheet->json, key, value);
	keep(sheet, key, SHEET_COUNT)->count = (uint64_t)value;
}

void sheet_real(struct sheet *sheet, const char *key, double value)
{
	if (to_json(sheet, key))
		json_real(sheet->json, key, value);
	keep(sheet, key, SHEET_REAL)->real = value;
}

void sheet_bool(struct sheet *sheet, const char *key, bool value)
{
	if (to_json(sheet, key))
		json_bool(sheet->json, key, value);
	keep(sheet, key, SHEET_COUNT)->count = value;
}

void sheet_time(struct sheet *sheet, const char *key, uint64_t seconds)
{
	if (to_json(sheet, key))
		json_time(sheet->json, key, seconds);
	keep(sheet, key, SHEET_TIME)->count = seconds;
}

void sheet_text(struct sheet *sheet, const char *key, const char *text)
{
	if (to_json(sheet, key))
		json_string(sheet->json, key, text);
	if (text)
		keep(sheet, key, SHEET_TEXT)->text = text;
}

void sheet_words(struct sheet *sheet, const char *key,
		 const char *const *words, size_t nr_words)
{
	struct sheet_fact *fact = keep(sheet, key, SHEET_WORDS);

	fact->words = words;
	fact->nr_words = nr_words;
	if (!to_json(sheet, key))
		return;
	json_array(sheet->json, key, JSON_INLINE);
	for (size_t i = 0; i < nr_words; i++)
		json_string(sheet->json, NULL, words[i]);
	json_end(sheet->json);
}

void sheet_known(struct sheet *sheet, const char *key, uint64_t value)
{
	if (value)
		sheet_u64(sheet, key, value);
	else
		sheet_null(sheet, key);
}

void sheet_name(struct sheet *sheet, const char *key, const char *text)
{
	sheet_text(sheet, key, *text ? text : NULL);
}

void sheet_null(struct sheet *sheet, const char *key)
{
	sheet_text(sheet, key, NULL);
}

/* ------------------------------------------------------------------ rows */

/* A word of a row's list of facts. */
struct word {
	char		mark;		/* '?', '!', '#', or 0 */
	const char	*name;
	size_t		length;
};

static bool next_word(const char **list, struct word *word)
{
	*list += strspn(*list, "~ ");
	word->mark = **list && strchr("?!#", **list) ? *(*list)++ : 0;
	word->name = *list;
	word->length = strcspn(*list, " ");
	*list += word->length;
	return word->length > 0;
}

static bool is_condition(const struct word *word)
{
	return word->mark == '?' || word->mark == '!';
}

static const struct sheet_fact *find(const struct sheet *sheet,
				     const struct word *word)
{
	for (size_t i = 0; i < sheet->count; i++) {
		const struct sheet_fact *fact = &sheet->facts[i];

		if (strlen(fact->name) == word->length &&
		    !strncmp(fact->name, word->name, word->length))
			return fact;
	}
	return NULL;
}

static bool is_set(const struct sheet_fact *fact)
{
	if (!fact)
		return false;
	switch (fact->kind) {
	case SHEET_TEXT:	return *fact->text != 0;
	case SHEET_WORDS:	return fact->nr_words > 0;
	case SHEET_REAL:	return fact->real != 0;
	case SHEET_COUNT:
	case SHEET_TIME:	break;
	}
	return fact->count != 0;
}

static bool is_wanted(const struct sheet *sheet, const struct sheet_row *row)
{
	const char *list = row->facts;
	struct word word;

	while (next_word(&list, &word)) {
		const struct sheet_fact *fact = find(sheet, &word);

		if (is_condition(&word) ? is_set(fact) != (word.mark == '?') :
					  !fact)
			return false;
	}
	return true;
}

static void put_text(FILE *to, int width, const struct sheet_fact *fact)
{
	char text[SIZE_TEXT > TIME_TEXT ? SIZE_TEXT : TIME_TEXT];

	switch (fact->kind) {
	case SHEET_COUNT:
		size_text(text, fact->count);
		break;
	case SHEET_TIME:
		time_text(text, fact->count);
		break;
	case SHEET_WORDS:
		for (size_t i = 0; i < fact->nr_words; i++)
			fprintf(to, "%s%s", i ? " " : "", fact->words[i]);
		return;
	default:
		fprintf(to, "%*s", width, fact->text);
		return;
	}
	fprintf(to, "%*s", width, text);
}

/* Print one conversion; returns the rest of @format. */
static const char *put_fact(FILE *to, const char *format,
			    const struct sheet_fact *fact)
{
	bool sign = *format == '+';
	char *end;
	int width = (int)strtol(format + sign, &end, 10), digits = 0;

	if (*end == '.')
		digits = (int)strtol(end + 1, &end, 10);
	end += strspn(end, "lz");
	if (*end == 's')
		put_text(to, width, fact);
	else if (*end == 'f')
		fprintf(to, "%*.*f", width, digits, fact->real);
	else if (*end == 'd')
		fprintf(to, sign ? "%+*" PRId64 : "%*" PRId64, width,
			(int64_t)fact->count);
	else
		fprintf(to, "%*" PRIu64, width, fact->count);
	return end + 1;
}

static void put_format(FILE *to, const struct sheet *sheet, const char *format,
		       const char *list)
{
	struct word word;

	while (*format) {
		if (*format != '%') {
			fputc(*format++, to);
		} else if (format[1] == '%') {
			fputc('%', to);
			format += 2;
		} else {
			do
				if (!next_word(&list, &word))
					return;
			while (is_condition(&word));
			format = put_fact(to, format + 1, find(sheet, &word));
		}
	}
}

/* The row's text in the user's language, in the form for its number. */
static const char *format_of(const struct sheet *sheet,
			     const struct sheet_row *row)
{
	const char *list = row->facts, *many;
	struct word word;

	while (next_word(&list, &word)) {
		if (word.mark != '#')
			continue;
		many = row->format + strlen(row->format) + 1;
		return P_(row->format, many, find(sheet, &word)->count);
	}
	return _(row->format);
}

/* A row as a definition; its lines after the first have no label. */
static void mark_up(struct sheet *sheet, const struct sheet_row *row,
		    const char *text)
{
	struct out *out = sheet->out;

	if (!row->label) {
		markup_element(out, "h3", text);
		return;
	}
	if (!sheet->listing)
		out_text(out, "<dl>\n");
	sheet->listing = true;
	if (*row->label)
		markup_element(out, "dt", _(row->label));
	markup_element(out, "dd", text);
}

static void print_row(struct sheet *sheet, const struct sheet_row *row)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	bool failed = !to;

	if (to) {
		put_format(to, sheet, format_of(sheet, row), row->facts);
		failed = fclose(to) != 0;
	}
	if (failed) {	/* out_flush() tells */
		sheet->out->error = ENOMEM;
	} else if (sheet->markup) {
		mark_up(sheet, row, text);
	} else if (!row->label) {
		out_heading(sheet->out, text);
	} else if (*row->facts == '~') {
		out_label(sheet->out, *row->label ? _(row->label) : "");
		out_wrapped(sheet->out, text, OUT_VALUE,
			    LINE_WIDTH - OUT_VALUE);
	} else {
		out_line(sheet->out, *row->label ? _(row->label) : "", "%s",
			 text);
	}
	free(text);
}

void sheet_print(struct sheet *sheet, const struct sheet_row *rows)
{
	if (sheet->json)
		return;
	for (; rows->format; rows++) {
		if (is_wanted(sheet, rows))
			print_row(sheet, rows);
		else if (!rows->label)
			break;
	}
	if (sheet->listing)
		out_text(sheet->out, "</dl>\n");
	sheet->listing = false;
}
