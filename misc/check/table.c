/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.c - lists and explains the problems; needs no device
 */
#include "ck.h"
#include "session/names.h"
#include "states/states.h"
#include "support/nls.h"
#include "support/status.h"

/* Indent and width of the paragraphs. */
#define TEXT_INDENT	2
#define TEXT_WIDTH	74
/* Columns of a tool's command. */
#define TOOL_COLUMNS	25

/* ----------------------------------------------------------------- JSON */

static void json_tools(struct json *json, const struct tools *tools)
{
	json_string(json, "kernel", tools->kernel);
	json_string(json, "e2fsprogs", tools->e2fsprogs);
	json_array(json, "tools", JSON_SPREAD);
	for (unsigned t = 0; t < NR_TOOLS; t++) {
		const struct outcome *o = outcome_of(tools->of[t]);

		json_object(json, NULL, JSON_INLINE);
		json_string(json, "command", tool_command(t));
		json_string(json, "outcome", o->id);
		json_string(json, "text", _(o->text));
		json_end(json);
	}
	json_end(json);
}

static void json_problem(struct json *json, const struct diagnosis *row)
{
	const struct e2lazy_problem *p = row->problem;

	json_object(json, NULL, JSON_SPREAD);
	json_string(json, "id", p->id);
	json_string(json, "severity", severity_name(p->severity));
	json_string(json, "consent", consent_name(p->consent));
	json_string(json, "message", _(row->text));
	json_string(json, "meaning", _(row->meaning));
	json_string(json, "question", row->question ? _(row->question) : NULL);
	json_string(json, "second", row->second ? _(row->second) : NULL);
	json_string(json, "advice", _(row->advice));
	json_string(json, "verdict", status_name(p->status));
	json_tools(json, &row->tools);
	json_end(json);
}

/* @only: NULL for all. */
static void json_problems(struct session *s, const struct diagnosis *only)
{
	const struct diagnosis *row = only;

	session_document(s);
	json_array(&s->print.json, "problems", JSON_SPREAD);
	if (only)
		json_problem(&s->print.json, only);
	else
		while ((row = diagnosis_next(row)))
			json_problem(&s->print.json, row);
	json_end(&s->print.json);
}

/* ----------------------------------------------------------------- text */

static void paragraph(struct out *out, const char *text)
{
	out_spaces(out, TEXT_INDENT);
	out_wrapped(out, text, TEXT_INDENT, TEXT_WIDTH);
}

static void explain_tools(struct out *out, const struct tools *tools)
{
	out_char(out, '\n');
	out_spaces(out, TEXT_INDENT);
	if (!tools->kernel) {
		out_text(out, _("Other tools: not measured\n"));
		return;
	}
	out_format(out, _("Other tools (Linux %s, e2fsprogs %s):\n"),
		   tools->kernel, tools->e2fsprogs);
	for (unsigned t = 0; t < NR_TOOLS; t++) {
		out_spaces(out, TEXT_INDENT);
		out_left(out, tool_command(t), TOOL_COLUMNS);
		out_wrapped(out, _(outcome_of(tools->of[t])->text),
			    TEXT_INDENT + TOOL_COLUMNS,
			    TEXT_WIDTH - TOOL_COLUMNS);
	}
}

static void explain(struct out *out, const struct diagnosis *row)
{
	const struct e2lazy_problem *p = row->problem;

	out_bold(out, p->id);
	out_format(out, " (%s)\n", severity_name(p->severity));
	paragraph(out, _(row->text));
	out_char(out, '\n');
	paragraph(out, _(row->meaning));
	out_char(out, '\n');
	paragraph(out, _("What to do:"));
	paragraph(out, _(row->advice));
	out_char(out, '\n');
	paragraph(out, _(consent_text(p->consent)));
	if (row->question)
		paragraph(out, _(row->question));
	if (row->second) {
		paragraph(out, _("After a no it asks:"));
		paragraph(out, _(row->second));
	}
	explain_tools(out, &row->tools);
}

void ck_explain(struct ck *ck)
{
	const struct diagnosis *row = diagnosis_find(ck->explain);

	if (!row)
		session_refuse(ck->s, "--explain", ck->explain,
			       _("an id that --list shows"));
	else if (ck->s->print.json_wanted)
		json_problems(ck->s, row);
	else
		explain(&ck->s->print.out, row);
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
	const struct diagnosis *row = NULL;

	if (s->print.json_wanted) {
		json_problems(s, NULL);
		return;
	}
	if (!session_columns(s, &ck->listing, columns, NR_COLS, &picked))
		return;
	print_rows(&s->print, &ck->listing, &picked, NULL, &rows);
	while ((row = diagnosis_next(row))) {
		const struct e2lazy_problem *p = row->problem;

		cell_text(&cells[COL_SEVERITY], severity_name(p->severity));
		cell_text(&cells[COL_ID], p->id);
		cell_text(&cells[COL_CONSENT], consent_name(p->consent));
		cell_text(&cells[COL_MESSAGE], _(row->text));
		rows_put(&rows, cells);
	}
}
