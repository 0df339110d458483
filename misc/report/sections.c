/* SPDX-License-Identifier: GPL-2.0-only */
/* sections.c - the page's verdict, findings, types, plan and facts */
#include <stdlib.h>
#include <string.h>

#include "facts/newer.h"
#include "report.h"
#include "session/names.h"
#include "states/states.h"
#include "support/device.h"
#include "support/markup.h"
#include "support/nls.h"

#define BAR_WIDTH	240
#define BAR_HEIGHT	10

/* ------------------------------------------------------------- verdict --- */

static void newer(const struct report *r, struct out *out)
{
	const struct opened *log = r->s->log;
	unsigned long live = (unsigned long)r->info.live;
	char *text;

	if (!live) {
		paragraph(out, _("no block is newer in the log than in place"));
		return;
	}
	text = newer_text(live, newer_super(log->map, log->geo->blocksize));
	if (text)
		paragraph(out, text);
	else
		session_fail(r->s, EXT2_ET_NO_MEMORY, NULL);
	free(text);
}

static const char *words_of(enum e2lazy_status status)
{
	static const char *const words[] = {
		[E2LAZY_CLEAN] = N_("The log is clean."),
		[E2LAZY_SOUND_IN_USE] = N_("The log is sound and in use."),
		[E2LAZY_DAMAGED] = N_("The log is damaged."),
		[E2LAZY_UNUSABLE] = N_("The log is unusable."),
	};

	return _(words[status]);
}

void page_verdict(struct report *r, struct out *out)
{
	section_begin(out, "verdict", _("Verdict"));
	if (r->info.verdict) {
		enum e2lazy_status status =
			e2lazy_verdict_status(r->info.verdict);

		out_format(out, "<p class=\"verdict s%u\"><strong>", status);
		markup_text(out, words_of(status));
		out_text(out, "</strong></p>\n");
		newer(r, out);
		paragraph(out, r->info.thorough ?
			  _("All copies were read and verified.") :
			  _("The copies themselves were not read. Run with "
			    "--verify, or run e2lazyck, to verify them."));
	} else {
		paragraph(out, _("This is an earlier time, of which there is "
				 "no verdict."));
	}
	section_end(out);
}

/* ------------------------------------------------------------ findings --- */

static const struct e2lazy_finding *
found(const struct report *r, const struct e2lazy_problem *p)
{
	const struct e2lazy_finding *f;

	for (size_t i = 0; r->info.verdict &&
	     (f = e2lazy_verdict_finding(r->info.verdict, i)); i++)
		if (f->problem == p)
			return f;
	return NULL;
}

static void place(const struct e2lazy_finding *f, struct out *out)
{
	const struct e2lazy_where *w = &f->first;

	out_text(out, "<p>");
	markup_format(out, P_("%llu place", "%llu places", f->count),
		      (unsigned long long)f->count);
	if (w->has & E2LAZY_AT_LOGBLK)
		markup_format(out, _(", log block %u"), w->logblk);
	if (w->has & E2LAZY_AT_TID)
		markup_format(out, _(", transaction %u"), w->tid);
	if (w->has & E2LAZY_AT_FSBLK)
		markup_format(out, _(", block %llu"),
			      (unsigned long long)w->fsblk);
	out_text(out, "</p>\n");
}

static void explain(const struct report *r, const struct e2lazy_problem *p,
		    struct out *out)
{
	const struct e2lazy_finding *f = found(r, p);
	const struct diagnosis *row = diagnosis_of(p);

	out_format(out, "<article class=\"v%u\">\n", p->severity);
	out_text(out, "<h3>");
	markup_text(out, p->id);
	out_text(out, " <small>");
	markup_text(out, severity_name(p->severity));
	out_text(out, "</small></h3>\n");
	out_text(out, "<p><strong>");
	markup_text(out, _(row->text));
	out_text(out, "</strong></p>\n");
	if (f)
		place(f, out);
	paragraph(out, _(row->meaning));
	out_text(out, "<p>");
	markup_text(out, _("What to do:"));
	out_char(out, ' ');
	markup_text(out, _(row->advice));
	out_text(out, "</p>\n<p>");
	markup_text(out, _(consent_text(p->consent)));
	if (row->question) {
		out_char(out, ' ');
		markup_text(out, _(row->question));
	}
	out_text(out, "</p>\n</article>\n");
}

void page_findings(struct report *r, struct out *out)
{
	const struct e2lazy_problem *p;
	bool any = false;
	size_t at = 0;

	section_begin(out, "findings", _("Findings and hazards"));
	while ((p = next_hazard(&r->info, &at))) {
		explain(r, p, out);
		any = true;
	}
	if (!any)
		paragraph(out, _("none"));
	section_end(out);
}

/* --------------------------------------------------------------- types --- */

static void type_row(const struct report *r, unsigned type, uint64_t most,
		     struct out *out)
{
	uint64_t blocks = r->info.types[type];
	char size[SIZE_TEXT];

	size_text(size, blocks * r->s->log->geo->blocksize);
	out_text(out, "<tr><th scope=\"row\">");
	markup_text(out, e2lazy_type_name(type));
	out_text(out, "</th>");
	number_cell(out, blocks);
	out_text(out, "<td>");
	markup_text(out, size);
	out_format(out, "</td><td><svg class=\"bar\" viewBox=\"0 0 %u %u\" "
			"aria-hidden=\"true\">", BAR_WIDTH, BAR_HEIGHT);
	figure_box(out, 'k', E2LAZY_LIVE, 0, 0,
		   (unsigned)(blocks * BAR_WIDTH / most) + 1, BAR_HEIGHT);
	out_text(out, "</svg></td></tr>\n");
}

static void type_table(const struct report *r, struct out *out)
{
	uint64_t most = 1;

	for (unsigned i = 0; i < E2LAZY_NR_TYPES; i++)
		if (r->info.types[i] > most)
			most = r->info.types[i];
	out_text(out, "<table>\n<thead><tr><th scope=\"col\">");
	markup_text(out, _("type"));
	out_text(out, "</th><th scope=\"col\">");
	markup_text(out, _("blocks"));
	out_text(out, "</th><th scope=\"col\">");
	markup_text(out, _("size"));
	out_text(out, "</th><td></td></tr></thead>\n<tbody>\n");
	for (unsigned i = 0; i < E2LAZY_NR_TYPES; i++)
		if (r->info.types[i])
			type_row(r, i, most, out);
	out_text(out, "</tbody></table>\n");
}

void page_types(struct report *r, struct out *out)
{
	section_begin(out, "types", _("Live blocks"));
	if (r->info.typed && r->info.live)
		type_table(r, out);
	else
		paragraph(out, r->info.live ?
			  _("Their types are not known.") : _("none"));
	section_end(out);
}

/* ---------------------------------------------------------- checkpoint --- */

static void markup_sheet(struct sheet *sheet, struct out *out)
{
	sheet_init(sheet, out, NULL);
	sheet->markup = true;
}

void report_plan(struct report *r, struct sheet *sheet)
{
	sheet_section(sheet, "plan", JSON_SPREAD);
	plan_facts(sheet, &(struct plan_shown){
		.plan = &r->plan, .memory = r->memory, .band = r->info.band,
		.bands = r->checkpoint.changes,
		.replay_bands = r->replay.changes,
		.throughput = r->throughput });
	sheet_text(sheet, ".source", _("not measured"));
	sheet_end(sheet, plan_rows);
}

void page_plan(struct report *r, struct out *out)
{
	struct sheet sheet;

	section_begin(out, "checkpoint", _("A checkpoint"));
	markup_sheet(&sheet, out);
	if (r->planned)
		report_plan(r, &sheet);
	else
		paragraph(out, _("There is nothing to write back, or it is "
				 "not known."));
	section_end(out);
}

/* --------------------------------------------------------------- facts --- */

static const struct sheet_row volume_rows[] = {
	{ NULL, N_("Volume"), "" },
	{ N_("label"), "%s", "label" },
	{ N_("last mounted on"), "%s", "last_mounted" },
	{ 0 }
};

/* A field that is full has no NUL. */
static char *field(const void *bytes, size_t size)
{
	char *text = strndup(bytes, size);

	if (text && !*text) {
		free(text);
		text = NULL;
	}
	return text;
}

void report_volume(struct report *r, struct sheet *sheet)
{
	const struct ext2_super_block *super = r->fs->super;
	char *label = field(super->s_volume_name,
			    sizeof(super->s_volume_name));
	char *mounted = field(super->s_last_mounted,
			      sizeof(super->s_last_mounted));

	sheet_section(sheet, "volume", JSON_SPREAD);
	sheet_text(sheet, "label", label);
	sheet_text(sheet, "last_mounted", mounted);
	sheet_end(sheet, volume_rows);
	free(label);
	free(mounted);
}

void page_facts(struct report *r, struct out *out)
{
	struct sheet sheet;

	section_begin(out, "facts", _("Facts"));
	markup_sheet(&sheet, out);
	report_input(r, &sheet);
	report_volume(r, &sheet);
	info_sheet(&r->info, &sheet);
	section_end(out);
}
