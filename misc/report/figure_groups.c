/* SPDX-License-Identifier: GPL-2.0-only */
/* figure_groups.c - the block groups, by the live and older copies of each */
#include "report.h"
#include "support/markup.h"
#include "support/nls.h"

#define CELL	12
#define GAP	1
#define LEVELS	5

static uint64_t older(const struct group_cell *c)
{
	return c->logged - c->live;
}

/* Level 0 is none; the others divide the range evenly. */
static unsigned level(uint64_t value, uint64_t most)
{
	if (!value)
		return 0;
	return 1 + (unsigned)((value - 1) * (LEVELS - 1) / most);
}

static void cell(const struct group_picture *p, unsigned i, bool overwrites,
		 struct out *out)
{
	const struct group_cell *c = &p->cell[i];
	uint64_t first, n = groups_of_cell(p, i, &first);
	unsigned heat = overwrites ? level(older(c), p->most_logged) :
				     level(c->live, p->most_live);

	out_text(out, "<g><title>");
	if (n == 1)
		markup_format(out, _("group %llu"), (unsigned long long)first);
	else
		markup_format(out, _("groups %llu to %llu"),
			      (unsigned long long)first,
			      (unsigned long long)(first + n - 1));
	markup_format(out, _(": live copies %llu, overwritten %llu"),
		      (unsigned long long)c->live,
		      (unsigned long long)older(c));
	out_text(out, "</title>");
	figure_box(out, 'h', heat, i % GROUP_ACROSS * CELL,
		   i / GROUP_ACROSS * CELL, CELL - GAP, CELL - GAP);
	out_text(out, "</g>\n");
}

static void picture(const struct group_picture *p, bool overwrites,
		    const char *label, struct out *out)
{
	unsigned rows = (p->count + GROUP_ACROSS - 1) / GROUP_ACROSS;
	uint64_t most = overwrites ? p->most_logged : p->most_live;

	markup_element(out, "h3", label);
	figure_begin(out, GROUP_ACROSS * CELL, rows * CELL, label);
	for (unsigned i = 0; i < p->count; i++)
		cell(p, i, overwrites, out);
	figure_end(out);
	out_text(out, "<p class=\"scale\">0 ");
	for (unsigned i = 0; i < LEVELS; i++)
		out_format(out, "<svg viewBox=\"0 0 12 12\" "
				"aria-hidden=\"true\"><path class=\"h%u\" "
				"d=\"M0 0h12v12h-12z\"/></svg>", i);
	out_char(out, ' ');
	out_u64(out, most);
	out_text(out, "</p>\n");
}

static void table(const struct group_picture *p, struct out *out)
{
	static const char *const headings[] = {
		N_("from group"), N_("live copies"), N_("overwritten copies"),
	};
	uint64_t live, overwritten;

	numbers_begin(out, headings, 3);
	for (unsigned i = 0; i < p->count; i += GROUP_ACROSS) {
		live = overwritten = 0;
		for (unsigned n = i; n < p->count && n < i + GROUP_ACROSS;
		     n++) {
			live += p->cell[n].live;
			overwritten += older(&p->cell[n]);
		}
		out_text(out, "<tr>");
		number_cell(out, i * p->each);
		number_cell(out, live);
		number_cell(out, overwritten);
		out_text(out, "</tr>\n");
	}
	numbers_end(out);
}

void page_groups(struct report *r, struct out *out)
{
	const struct group_picture *p = &r->groups;

	section_begin(out, "groups", _("Block groups"));
	out_text(out, "<p>");
	markup_format(out, P_("Each cell is %llu block group of the file "
			      "system, by the static place of its copies.",
			      "Each cell is %llu block groups of the file "
			      "system, by the static place of their copies.",
			      p->each), (unsigned long long)p->each);
	out_text(out, "</p>\n");
	picture(p, false, _("Live copies, which a checkpoint writes there"),
		out);
	picture(p, true, _("Overwritten copies, which the log has spared the "
			   "disk"), out);
	table(p, out);
	section_end(out);
}
