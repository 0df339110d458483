/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.c - lists and explains the problems; needs no device
 */
#include "ck.h"
#include "session/names.h"
#include "support/nls.h"
#include "support/status.h"

/* Indent and width of the paragraphs. */
#define TEXT_INDENT	2
#define TEXT_WIDTH	74

/* ----------------------------------------------------------------- JSON */

static void json_problem(struct json *json, const struct e2lazy_problem *p)
{
	json_object(json, NULL, JSON_SPREAD);
	json_string(json, "id", p->id);
	json_string(json, "severity", severity_name(p->severity));
	json_string(json, "consent", consent_name(p->consent));
	json_string(json, "message", _(p->text));
	json_string(json, "meaning", _(p->meaning));
	json_string(json, "question", p->question ? _(p->question) : NULL);
	json_string(json, "second", p->second ? _(p->second) : NULL);
	json_string(json, "advice", _(p->advice));
	json_string(json, "verdict", status_name(p->status));
	json_end(json);
}

static void json_problems(struct session *s, const struct e2lazy_problem *p,
			  size_t count)
{
	session_document(s);
	json_array(&s->print.json, "problems", JSON_SPREAD);
	for (; count; count--, p++)
		json_problem(&s->print.json, p);
	json_end(&s->print.json);
	json_end(&s->print.json);
}

/* ----------------------------------------------------------------- text */

static void paragraph(struct out *out, const char *text)
{
	out_spaces(out, TEXT_INDENT);
	out_wrapped(out, text, TEXT_INDENT, TEXT_WIDTH);
}

static void explain(struct out *out, const struct e2lazy_problem *p)
{
	out_bold(out, p->id);
	out_format(out, " (%s)\n", severity_name(p->severity));
	paragraph(out, _(p->text));
	out_char(out, '\n');
	paragraph(out, _(p->meaning));
	out_char(out, '\n');
	paragraph(out, _("What to do:"));
	paragraph(out, _(p->advice));
	out_char(out, '\n');
	paragraph(out, _(consent_text(p->consent)));
	if (p->question)
		paragraph(out, _(p->question));
	if (p->second) {
		paragraph(out, _("After a no it asks:"));
		paragraph(out, _(p->second));
	}
}

void ck_explain(struct ck *ck)
{
	const struct e2lazy_problem *p = e2lazy_problem_find(ck->explain);

	if (!p)
		session_refuse(ck->s, "--explain", ck->explain,
			       _("an id that --list shows"));
	else if (ck->s->print.json_wanted)
		json_problems(ck->s, p, 1);
	else
		explain(&ck->s->print.out, p);
}

enum { COL_SEVERITY, COL_ID, COL_CONSENT, COL_MESSAGE, NR_COLS };

static const struct column columns[NR_COLS] = {
	[COL_SEVERITY] = { "SEVERITY", "severity", COLUMN_STRING, COLUMN_USUAL,
			   8, N_("grave, warning or note") },
	[COL_ID] = { "ID", "id", COLUMN_STRING, COLUMN_USUAL, 19,
		     N_("name of the problem, for --explain") },
	[COL_CONSENT] = { "CONSENT", "consent", COLUMN_STRING, COLUMN_USUAL, 7,
			  N_("effect on --checkpoint: go, ask or refuse") },
	[COL_MESSAGE] = { "MESSAGE", "message", COLUMN_STRING, COLUMN_USUAL,
			  7, N_("the problem in words") },
};

void ck_list_columns_help(struct out *out)
{
	columns_help(out, columns, NR_COLS);
}

void ck_list_problems(struct ck *ck)
{
	struct session *s = ck->s;
	struct cell cells[NR_COLS];
	struct columns picked;
	struct rows rows;
	size_t count;
	const struct e2lazy_problem *p = e2lazy_problems(&count);

	if (s->print.json_wanted) {
		json_problems(s, p, count);
		return;
	}
	if (!session_columns(s, &ck->listing, columns, NR_COLS, &picked))
		return;
	print_rows(&s->print, &ck->listing, &picked, NULL, &rows);
	for (; count; count--, p++) {
		cell_text(&cells[COL_SEVERITY], severity_name(p->severity));
		cell_text(&cells[COL_ID], p->id);
		cell_text(&cells[COL_CONSENT], consent_name(p->consent));
		cell_text(&cells[COL_MESSAGE], _(p->text));
		rows_put(&rows, cells);
	}
}
