/* SPDX-License-Identifier: GPL-2.0-only */
/* figure_ring.c - the ring: each cell is some blocks, split by their kinds */
#include "report.h"
#include "support/markup.h"
#include "support/nls.h"

#define CELL_WIDTH	12
#define CELL_HEIGHT	16
#define GAP		1

static void cell_title(const struct ring_picture *p, unsigned i,
		       struct out *out)
{
	const struct ring_cell *c = &p->cell[i];
	uint32_t first = p->first + i * p->each;

	out_text(out, "<title>");
	markup_format(out, _("log blocks %u to %u"), first,
		      first + ring_cell_blocks(p, i) - 1);
	if (c->known && c->first_tid == c->last_tid)
		markup_format(out, _(", transaction %u"), c->first_tid);
	else if (c->known)
		markup_format(out, _(", transactions %u to %u"), c->first_tid,
			      c->last_tid);
	for (unsigned kind = 0; kind < NR_RING_KINDS; kind++)
		if (c->blocks[kind])
			markup_format(out, "; %s: %u", ring_kind_name(kind),
				      c->blocks[kind]);
	out_text(out, "</title>");
}

/* Each kind that is there gets a pixel at least. */
static void cell_boxes(const struct ring_picture *p, unsigned i,
		       struct out *out)
{
	const struct ring_cell *c = &p->cell[i];
	uint32_t left = ring_cell_blocks(p, i);
	unsigned x = i % RING_ACROSS * CELL_WIDTH;
	unsigned y = i / RING_ACROSS * CELL_HEIGHT, rest = CELL_HEIGHT - GAP;
	unsigned height;

	for (unsigned kind = 0; kind < NR_RING_KINDS && left && rest; kind++) {
		if (!c->blocks[kind])
			continue;
		height = (unsigned)((uint64_t)rest * c->blocks[kind] / left);
		height += !height;
		left -= c->blocks[kind] < left ? c->blocks[kind] : left;
		figure_box(out, 'k', kind, x, y, CELL_WIDTH - GAP, height);
		y += height;
		rest -= height;
	}
}

static void legend(const struct ring_picture *p, struct out *out)
{
	out_text(out, "<ul class=\"legend\">\n");
	for (unsigned kind = 0; kind < NR_RING_KINDS; kind++) {
		uint64_t blocks = ring_total(p, kind);

		if (!blocks)
			continue;
		out_format(out, "<li><svg viewBox=\"0 0 12 12\" "
				"aria-hidden=\"true\"><path class=\"k%u\" "
				"d=\"M0 0h12v12h-12z\"/></svg> <b>%s</b> ",
			   kind, ring_kind_name(kind));
		markup_format(out, P_("%llu block, %.1f%%",
				      "%llu blocks, %.1f%%", blocks),
			      (unsigned long long)blocks,
			      blocks * 100.0 / p->size);
		out_text(out, "<br><small>");
		markup_text(out, _(ring_kind_text(kind)));
		out_text(out, "</small></li>\n");
	}
	out_text(out, "</ul>\n");
}

/* A row of the picture is a row of the table. */
static void table_row(const struct ring_picture *p, unsigned from,
		      struct out *out)
{
	uint64_t sums[NR_RING_KINDS] = { 0 };
	unsigned end = from + RING_ACROSS < p->count ? from + RING_ACROSS :
						       p->count;

	for (unsigned i = from; i < end; i++)
		for (unsigned kind = 0; kind < NR_RING_KINDS; kind++)
			sums[kind] += p->cell[i].blocks[kind];
	out_text(out, "<tr>");
	number_cell(out, p->first + from * p->each);
	for (unsigned kind = 0; kind < NR_RING_KINDS; kind++)
		number_cell(out, sums[kind]);
	out_text(out, "</tr>\n");
}

static void table(const struct ring_picture *p, struct out *out)
{
	const char *headings[1 + NR_RING_KINDS] = { N_("from log block") };

	for (unsigned kind = 0; kind < NR_RING_KINDS; kind++)
		headings[1 + kind] = ring_kind_name(kind);
	numbers_begin(out, headings, 1 + NR_RING_KINDS);
	for (unsigned i = 0; i < p->count; i += RING_ACROSS)
		table_row(p, i, out);
	numbers_end(out);
}

void page_ring(struct report *r, struct out *out)
{
	const struct ring_picture *p = &r->ring;
	unsigned rows = (p->count + RING_ACROSS - 1) / RING_ACROSS;

	section_begin(out, "ring", _("The ring"));
	out_text(out, "<p>");
	markup_format(out, P_("Each cell is %u log block. The ring goes from "
			      "left to right and from top to bottom, and "
			      "begins again at its end.",
			      "Each cell is %u log blocks. The ring goes from "
			      "left to right and from top to bottom, and "
			      "begins again at its end.", p->each), p->each);
	out_text(out, "</p>\n");
	figure_begin(out, RING_ACROSS * CELL_WIDTH, rows * CELL_HEIGHT,
		     _("Picture of the ring; its numbers are below"));
	for (unsigned i = 0; i < p->count; i++) {
		out_text(out, "<g>");
		cell_title(p, i, out);
		cell_boxes(p, i, out);
		out_text(out, "</g>\n");
	}
	figure_end(out);
	legend(p, out);
	table(p, out);
	section_end(out);
}
