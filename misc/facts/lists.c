/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lists.c - the lists of block types and of hazards
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libsmartcols.h>

#include "info.h"
#include "session/names.h"
#include "support/nls.h"

/* Indent and width of the clauses of a hazard. */
#define TEXT_INDENT	4
#define TEXT_WIDTH	74

/* ----------------------------------------------------------------- types */

static int type_line(struct libscols_table *table, const struct info *info,
		     enum e2lazy_type type)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char blocks[OUT_DIGITS + 1], size[SIZE_TEXT];

	if (!line)
		return -1;
	blocks[put_u64(blocks, info->types[type])] = 0;
	size_text(size, info->types[type] * info->s->log->geo->blocksize);
	return scols_line_set_data(line, 0, e2lazy_type_name(type)) ||
	       scols_line_set_data(line, 1, blocks) ||
	       scols_line_set_data(line, 2, size);
}

/* False: no memory. */
static bool type_table(struct libscols_table *table, const struct info *info,
		       char **text)
{
	unsigned i;

	if (!scols_table_new_column(table, "TYPE", 0, 0) ||
	    !scols_table_new_column(table, "BLOCKS", 0, SCOLS_FL_RIGHT) ||
	    !scols_table_new_column(table, "SIZE", 0, SCOLS_FL_RIGHT))
		return false;
	for (i = 0; i < E2LAZY_NR_TYPES; i++)
		if (info->types[i] && type_line(table, info, i))
			return false;
	return !scols_print_table_to_string(table, text);
}

/* libsmartcols cannot indent a table. */
static void indented(struct out *out, const char *text)
{
	size_t length;

	for (; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		out_text(out, "  ");
		out_bytes(out, text, length);
		out_char(out, '\n');
	}
}

static void text_types(struct info *info)
{
	struct libscols_table *table;
	char *text = NULL;

	if (!info->typed || !info->live ||
	    info->s->log->end->reason == E2LAZY_END_EMPTY)
		return;
	out_heading(&info->s->print.out, _("Live blocks"));
	table = scols_new_table();
	if (table && type_table(table, info, &text))
		indented(&info->s->print.out, text);
	else
		session_fail(info->s, EXT2_ET_NO_MEMORY, NULL);
	free(text);
	scols_unref_table(table);
}

static void json_types(struct info *info)
{
	struct json *json = &info->s->print.json;
	unsigned i;

	if (!info->typed) {
		json_null(json, "types");
		return;
	}
	json_array(json, "types", JSON_SPREAD);
	for (i = 0; i < E2LAZY_NR_TYPES; i++) {
		if (!info->types[i])
			continue;
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "type", e2lazy_type_name(i));
		json_u64(json, "blocks", info->types[i]);
		json_u64(json, "bytes",
			 info->types[i] * info->s->log->geo->blocksize);
		json_end(json);
	}
	json_end(json);
}

void info_types(struct info *info)
{
	if (info->s->print.json_wanted)
		json_types(info);
	else
		text_types(info);
}

/* --------------------------------------------------------------- hazards */

/* A clause of a hazard, in a @format that ends it. False: no memory. */
__attribute__((format(printf, 2, 0)))
static bool clause(struct out *out, const char *format, const char *text)
{
	char *whole;

	if (asprintf(&whole, format, text) < 0)
		return false;
	out_spaces(out, TEXT_INDENT);
	out_wrapped(out, whole, TEXT_INDENT, TEXT_WIDTH);
	free(whole);
	return true;
}

static void text_hazards(struct info *info)
{
	struct out *out = &info->s->print.out;
	const struct e2lazy_problem *p;
	bool any = false;
	size_t at = 0;

	out_heading(out, _("Hazards"));
	while ((p = next_hazard(info, &at))) {
		bool grave = p->severity == E2LAZY_GRAVE;

		any = true;
		out_text(out, "  ");
		if (grave)
			out_style(out, STYLE_ALARM);
		out_format(out, "%s: %s", severity_name(p->severity), p->id);
		if (grave)
			out_style(out, STYLE_PLAIN);
		out_char(out, '\n');
		/* TRANSLATORS: what is wrong, and on the next line... */
		if (!clause(out, _("%s;"), _(p->text)) ||
		    /* TRANSLATORS: ...what to do about it */
		    !clause(out, _("%s."), _(p->advice)))
			session_fail(info->s, EXT2_ET_NO_MEMORY, NULL);
	}
	if (!any)
		out_text(out, _("  none\n"));
}

static void json_hazards(struct info *info)
{
	struct json *json = &info->s->print.json;
	const struct e2lazy_problem *p;
	size_t at = 0;

	json_array(json, "hazards", JSON_SPREAD);
	while ((p = next_hazard(info, &at))) {
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "id", p->id);
		json_string(json, "severity", severity_name(p->severity));
		json_string(json, "text", p->text);
		json_string(json, "advice", p->advice);
		json_end(json);
	}
	json_end(json);
}

void info_hazards(struct info *info)
{
	if (info->s->print.json_wanted)
		json_hazards(info);
	else
		text_hazards(info);
}
