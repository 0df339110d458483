/* SPDX-License-Identifier: GPL-2.0-only */
/* page.c - the page for people, and the JSON document */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "facts/newer.h"
#include "session/names.h"
#include "states/conditions.h"
#include "states/states.h"
#include "support/nls.h"

/* Indent and width of paragraphs. */
#define TEXT_INDENT	2
#define WHY_INDENT	6
#define TEXT_WIDTH	74
/* Columns of a tool's command. */
#define TOOL_COLUMNS	25

static void paragraph(struct out *out, const char *text, size_t indent)
{
	out_spaces(out, indent);
	out_wrapped(out, text, indent, TEXT_WIDTH);
}

/* -------------------------------------------------------------- the state */

static void text_log(const struct doctor *d, struct out *out)
{
	char *text;

	if (!d->counted)
		return;
	if (!d->f.txns) {
		out_line(out, _("transactions"), "%s", _("none"));
		return;
	}
	out_line(out, _("transactions"), _("%llu, from %u to %u"),
		 (unsigned long long)d->f.txns, d->first_tid, d->last_tid);
	if (facts_found(&d->f, "place-newer"))
		return;
	/* Do not subtract from a lower bound. */
	text = newer_text((unsigned long)d->all, d->super && !d->more);
	if (!text)
		return;
	out_line(out, _("blocks"), "%s%s", d->more ? _("at least ") : "",
		 text);
	free(text);
}

static void text_finding(const struct e2lazy_finding *f, struct out *out)
{
	char *text;

	if (!f->problem || f->problem->severity == E2LAZY_NOTE)
		return;
	if (asprintf(&text, "%s (%llu): %s", f->problem->id,
		     (unsigned long long)f->count, _(diagnosis_of(f->problem)->text)) < 0)
		return;
	paragraph(out, text, TEXT_INDENT);
	free(text);
}

static void text_metadata(const struct doctor *d, struct out *out)
{
	for (unsigned i = 0; i < NR_METADATA; i++) {
		if (!(d->f.metadata & 1U << i))
			continue;
		out_spaces(out, TEXT_INDENT);
		out_format(out, _("damaged, outside of the log: %s\n"),
			   _(metadata_name(i)->text));
	}
}

static void text_journals(const struct doctor *d, struct out *out)
{
	char tag[sizeof("UUID=") + sizeof(d->journal_uuid)];
	char **paths;

	snprintf(tag, sizeof(tag), "UUID=%s", d->journal_uuid);
	paths = e2lazy_tagged_devices(tag);
	for (size_t i = 0; paths && paths[i]; i++) {
		out_spaces(out, TEXT_INDENT);
		out_format(out, _("has that UUID: %s\n"), paths[i]);
	}
	e2lazy_free_paths(paths);
}

static void text_needs(const struct doctor *d, struct out *out)
{
	if (*d->journal_uuid) {
		out_spaces(out, TEXT_INDENT);
		out_format(out, _("needs the journal with UUID=%s\n"),
			   d->journal_uuid);
		if (has_several_journals(&d->f))
			text_journals(d, out);
	}
	if (*d->features) {
		out_spaces(out, TEXT_INDENT);
		out_format(out, _("unsupported features: %s\n"), d->features);
	}
	text_metadata(d, out);
	if (d->f.kernel.answer == KERNEL_MOUNTS)
		return;
	out_spaces(out, TEXT_INDENT);
	if (*d->f.kernel.why)
		out_format(out, _("for this kernel: the feature %s\n"),
			   d->f.kernel.why);
	else
		out_text(out, _("for this kernel: the block size\n"));
}

static void text_state(const struct doctor *d, struct out *out)
{
	const struct e2lazy_finding *f;

	out_heading(out, _("The log"));
	text_log(d, out);
	if (doctor_has_record(d))
		paragraph(out, _("a kernel with journal_lazy leaves this log "
				 "in use on purpose"), TEXT_INDENT);
	else if (doctor_is_marked(d) && d->f.txns)
		paragraph(out, _("the superblock has journal_lazy: a kernel "
				 "with this option leaves the log in use on "
				 "purpose"), TEXT_INDENT);
	for (size_t i = 0; d->f.verdict &&
	     (f = e2lazy_verdict_finding(d->f.verdict, i)); i++)
		text_finding(f, out);
	if (d->f.unopened)
		text_finding(&(struct e2lazy_finding){
			.problem = e2lazy_problem_of(d->f.unopened),
			.count = 1 }, out);
	text_needs(d, out);
	if (d->salvaged)
		paragraph(out, _("The numbers are those of the log that "
				 "'e2lazy salvage' finds."), TEXT_INDENT);
	if (!d->counted)
		paragraph(out, _("Its blocks cannot be counted."),
			  TEXT_INDENT);
}

static void json_finding(const struct e2lazy_finding *f, struct json *json)
{
	json_object(json, NULL, JSON_INLINE);
	json_string(json, "id", f->problem->id);
	json_string(json, "severity", severity_name(f->problem->severity));
	json_u64(json, "count", f->count);
	json_end(json);
}

static void json_findings(const struct doctor *d, struct json *json)
{
	const struct e2lazy_finding unopened = {
		.problem = e2lazy_problem_of(d->f.unopened), .count = 1 };
	const struct e2lazy_finding *f;

	json_array(json, "findings", JSON_SPREAD);
	for (size_t i = 0; d->f.verdict &&
	     (f = e2lazy_verdict_finding(d->f.verdict, i)); i++)
		json_finding(f, json);
	if (unopened.problem)
		json_finding(&unopened, json);
	json_end(json);
}

static const char *const kernel_words[] = {
	[KERNEL_MOUNTS] = "mounts", [KERNEL_UNKNOWN] = "unknown",
	[KERNEL_REFUSES] = "refuses",
};

static void json_state(const struct doctor *d, struct json *json)
{
	bool known = d->counted && d->f.txns;

	json_object(json, "log", JSON_SPREAD);
	json_known(json, "transactions", d->counted, d->f.txns);
	json_known(json, "first_tid", known, d->first_tid);
	json_known(json, "last_tid", known, d->last_tid);
	json_known(json, "newer", d->counted, d->all);
	json_bool(json, "at_least", d->more);
	json_bool(json, "salvaged", d->salvaged);
	json_bool(json, "lazy_marker", doctor_is_marked(d));
	json_bool(json, "mounted", d->f.mounted);
	json_string(json, "kernel", kernel_words[d->f.kernel.answer]);
	json_string(json, "kernel_needs",
		    d->f.kernel.answer == KERNEL_MOUNTS ? NULL :
		    *d->f.kernel.why ? d->f.kernel.why : "block_size");
	json_string(json, "journal_uuid",
		    *d->journal_uuid ? d->journal_uuid : NULL);
	json_string(json, "unsupported_features",
		    *d->features ? d->features : NULL);
	json_bool(json, "read_only", d->f.read_only);
	json_end(json);
	json_findings(d, json);
	json_array(json, "metadata", JSON_SPREAD);
	for (unsigned i = 0; i < NR_METADATA; i++)
		if (d->f.metadata & 1U << i)
			json_string(json, NULL, metadata_name(i)->id);
	json_end(json);
}

/* -------------------------------------------------------------- the tools */

static bool is_exact(const struct doctor *d, enum loss loss)
{
	return !d->more || loss == LOSS_COPIES;
}

/* "loses N blocks; loses N records" */
static void text_loss(const struct doctor *d, enum loss loss, struct out *out)
{
	uint64_t count, records = records_lost(d, loss);
	unsigned long n;

	if (loss == LOSS_NONE)
		return;
	if (!loss_count(d, loss, &count) || (!count && !is_exact(d, loss))) {
		out_text(out, _("; the loss is unknown"));
		return;
	}
	n = (unsigned long)count;
	if (is_exact(d, loss))
		out_format(out, P_("; loses %lu block", "; loses %lu blocks",
				   n), n);
	else
		out_format(out, P_("; loses %lu block or more",
				   "; loses %lu blocks or more", n), n);
	n = (unsigned long)records;
	if (n)
		out_format(out, P_("; loses %lu record", "; loses %lu records",
				   n), n);
}

/* @row: the state that the page is named after. */
static void text_source(const struct doctor *d, const struct diagnosis *row,
			struct out *out)
{
	char *text;

	if (doctor_rehearses(d))
		return;
	if (!row->tools.kernel) {
		paragraph(out, _("Nobody has measured this state; --rehearse "
				 "runs e2fsck on an overlay of this device."),
			  TEXT_INDENT);
		return;
	}
	if (asprintf(&text, _("This is from a table, which was measured with "
			      "Linux %s and e2fsprogs %s; --rehearse runs "
			      "e2fsck on an overlay of this device."),
		     row->tools.kernel, row->tools.e2fsprogs) < 0)
		return;
	paragraph(out, text, TEXT_INDENT);
	free(text);
}

static bool has_measured(const struct doctor *d)
{
	unsigned t = 0;

	while (t < NR_TOOLS && tool_outcome(d, t) == outcome_of(UNMEASURED))
		t++;
	return t < NR_TOOLS;
}

static void text_tools(const struct doctor *d, const struct diagnosis *row,
		       struct out *out)
{
	const struct outcome *o;

	out_heading(out, _("Other tools, if you ran them now"));
	for (unsigned t = 0; has_measured(d) && t < NR_TOOLS; t++) {
		o = tool_outcome(d, t);
		out_spaces(out, TEXT_INDENT);
		out_left(out, tool_command(t), TOOL_COLUMNS);
		out_text(out, _(o->text));
		if (o != outcome_of(UNMEASURED))
			text_loss(d, o->loss, out);
		out_char(out, '\n');
	}
	text_source(d, row, out);
}

static void json_tools(const struct doctor *d, struct json *json)
{
	const struct outcome *o;
	uint64_t count, records;
	bool known;

	json_array(json, "tools", JSON_SPREAD);
	for (unsigned t = 0; t < NR_TOOLS; t++) {
		o = tool_outcome(d, t);
		known = loss_count(d, o->loss, &count);
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "command", tool_command(t));
		json_string(json, "outcome", o->id);
		records = records_lost(d, o->loss);
		json_known(json, "blocks_lost", known, count);
		json_known(json, "records_lost", known && records, records);
		json_bool(json, "at_least", o->loss != LOSS_NONE &&
					    !is_exact(d, o->loss));
		json_string(json, "text", _(o->text));
		json_end(json);
	}
	json_end(json);
}

/* ----------------------------------------------------------- the commands */

static void put_command(const struct doctor *d, const struct step_text *t,
			struct out *out)
{
	char until[64];

	snprintf(until, sizeof(until), "%s %u", t->command, d->last_tid - 1);
	spell_command(d->s, t->needs == NEEDS_BAD_LAST ? until : t->command,
		      t->takes, out);
	if (t->rest) {
		out_char(out, ' ');
		out_text(out, t->rest);
	}
}

static void text_steps(const struct doctor *d, const struct diagnosis *row,
		       struct out *out)
{
	const struct step_text *t;
	size_t at = 0;

	out_heading(out, _("Commands, safest first"));
	while ((t = next_step(d, row, &at))) {
		out_spaces(out, TEXT_INDENT);
		put_command(d, t, out);
		out_char(out, '\n');
		paragraph(out, _(t->why), WHY_INDENT);
	}
}

/* A JSON string is made of a whole text: print it to memory first. */
static void json_command(const struct doctor *d, const struct step_text *t,
			 struct json *json)
{
	struct out *line = malloc(sizeof(*line));
	char *text = NULL;

	if (line) {
		out_init(line, -1);
		put_command(d, t, line);
		text = strndup(line->buf, line->used);
	}
	json_object(json, NULL, JSON_INLINE);
	json_string(json, "command", text);
	json_string(json, "why", _(t->why));
	json_end(json);
	free(text);
	free(line);
}

static void json_steps(const struct doctor *d, const struct diagnosis *row,
		       struct json *json)
{
	const struct step_text *t;
	size_t at = 0;

	json_array(json, "commands", JSON_SPREAD);
	while ((t = next_step(d, row, &at)))
		json_command(d, t, json);
	json_end(json);
}

/* ----------------------------------------------------------------- a page */

/* The library's findings follow, with their texts. */
static void text_others(const struct doctor *d, const struct diagnosis *row,
			struct out *out)
{
	bool any = false;

	while ((row = next_state(d, row))) {
		if (diagnosis_is_found(row) || diagnosis_is_sound(row))
			continue;
		if (!any)
			out_heading(out, _("Also"));
		any = true;
		out_format(out, "  %s: ", row->problem->id);
		out_wrapped(out, _(row->text), TEXT_INDENT, TEXT_WIDTH);
	}
}

static void text_page(struct doctor *d)
{
	struct out *out = &d->s->print.out;
	const struct diagnosis *row = next_state(d, NULL);

	out_printable(out, d->s->device, ' ');
	out_text(out, ": ");
	out_style(out, diagnosis_is_sound(row) ? STYLE_BOLD : STYLE_ALARM);
	out_wrapped(out, _(row->text), TEXT_INDENT, TEXT_WIDTH);
	out_style(out, STYLE_PLAIN);
	paragraph(out, _(row->meaning), TEXT_INDENT);
	text_others(d, row, out);
	text_state(d, out);
	text_tools(d, row, out);
	doctor_print_rehearsed(d);
	text_steps(d, row, out);
	doctor_print_machine(d);
	doctor_print_dmesg(d);
}

static void json_page(struct doctor *d)
{
	struct json *json = &d->s->print.json;
	const struct diagnosis *row = next_state(d, NULL);

	session_document(d->s);
	json_object(json, "story", JSON_SPREAD);
	json_string(json, "id", row->problem->id);
	json_bool(json, "sound", diagnosis_is_sound(row));
	json_string(json, "title", _(row->text));
	json_string(json, "text", _(row->meaning));
	json_end(json);
	json_state(d, json);
	json_tools(d, json);
	json_steps(d, row, json);
	json_array(json, "also", JSON_SPREAD);
	while ((row = next_state(d, row)))
		if (!diagnosis_is_sound(row))
			json_string(json, NULL, row->problem->id);
	json_end(json);
	doctor_print_rehearsed(d);
	doctor_print_machine(d);
	doctor_print_dmesg(d);
}

void doctor_print(struct doctor *d)
{
	if (d->s->print.json_wanted)
		json_page(d);
	else
		text_page(d);
}
