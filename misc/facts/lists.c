/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lists.c - the lists of block types and of hazards
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"
#include "session/names.h"
#include "states/states.h"
#include "support/nls.h"

/* Indent and width of the clauses of a hazard. */
#define TEXT_INDENT	4
#define TEXT_WIDTH	74

/* ----------------------------------------------------------------- types */

/* A row of the table; the first one has the headings. */
struct type_row {
	const char	*type;
	char		blocks[OUT_DIGITS + 1];
	char		size[SIZE_TEXT];
};

static void fill_row(struct type_row *row, const struct info *info,
		     enum e2lazy_type type)
{
	row->type = e2lazy_type_name(type);
	row->blocks[put_u64(row->blocks, info->types[type])] = 0;
	size_text(row->size,
		  info->types[type] * info->s->log->geo->blocksize);
}

static size_t wider(size_t width, const char *text)
{
	size_t length = strlen(text);

	return length > width ? length : width;
}

static void right(struct out *out, const char *text, size_t width)
{
	out_spaces(out, width + 1 - strlen(text));
	out_text(out, text);
}

static void put_rows(struct out *out, const struct type_row *rows,
		     unsigned count)
{
	size_t type = 0, blocks = 0, size = 0;

	for (unsigned i = 0; i < count; i++) {
		type = wider(type, rows[i].type);
		blocks = wider(blocks, rows[i].blocks);
		size = wider(size, rows[i].size);
	}
	for (unsigned i = 0; i < count; i++) {
		out_text(out, "  ");
		out_text(out, rows[i].type);
		out_spaces(out, type - strlen(rows[i].type));
		right(out, rows[i].blocks, blocks);
		right(out, rows[i].size, size);
		out_char(out, '\n');
	}
}

static void text_types(struct info *info)
{
	struct type_row rows[E2LAZY_NR_TYPES + 1] = {
		{ "TYPE", "BLOCKS", "SIZE" },
	};
	unsigned count = 1;

	if (!info->typed || !info->live ||
	    info->s->log->end->reason == E2LAZY_END_EMPTY)
		return;
	out_heading(&info->s->print.out, _("Live blocks"));
	for (unsigned i = 0; i < E2LAZY_NR_TYPES; i++)
		if (info->types[i])
			fill_row(&rows[count++], info, i);
	put_rows(&info->s->print.out, rows, count);
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

static bool is_found(const struct info *i, const struct e2lazy_problem *p)
{
	return i->verdict && finding_of(i->verdict, p->id);
}

const struct e2lazy_problem *next_hazard(const struct info *i, size_t *at)
{
	size_t count;
	const struct e2lazy_problem *problems = e2lazy_problems(&count);

	while (*at < count) {
		const struct e2lazy_problem *p = &problems[(*at)++];
		bool (*sees)(const struct info *i) = diagnosis_of(p)->hazard;

		if (is_found(i, p) || (sees && sees(i)))
			return p;
	}
	return NULL;
}

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
		const struct diagnosis *row = diagnosis_of(p);
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
		if (!clause(out, _("%s;"), _(row->text)) ||
		    /* TRANSLATORS: ...what to do about it */
		    !clause(out, _("%s."), _(row->advice)))
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
		const struct diagnosis *row = diagnosis_of(p);

		json_object(json, NULL, JSON_INLINE);
		json_string(json, "id", p->id);
		json_string(json, "severity", severity_name(p->severity));
		json_string(json, "text", row->text);
		json_string(json, "advice", row->advice);
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
