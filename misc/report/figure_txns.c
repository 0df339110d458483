/* SPDX-License-Identifier: GPL-2.0-only */
/* figure_txns.c - transactions over time, and their sizes */
#include "report.h"
#include "support/markup.h"
#include "support/nls.h"

#define BAR_WIDTH	4
#define BAR_ROOM	3
#define HEIGHT		160
#define TABLE_ROWS	24
#define SIZE_BAR	240
#define SIZE_HEIGHT	10

#define SECOND		1000000000ULL

static void when(uint64_t ns, struct out *out)
{
	char text[TIME_TEXT];

	time_text(text, ns / SECOND);
	markup_text(out, text);
}

/* The time of cell @i, or of the picture's end. */
static uint64_t begins(const struct txn_picture *p, unsigned i)
{
	return i < p->cells ? p->begins + i * p->each : p->ends;
}

static unsigned height_of(uint64_t copies, uint64_t most)
{
	return copies ? 1 + (unsigned)((copies - 1) * (HEIGHT - 1) / most) : 0;
}

static void bar(const struct txn_picture *p, unsigned i, struct out *out)
{
	const struct txn_cell *c = &p->cell[i];
	unsigned all = height_of(c->logged, p->most);
	unsigned live = (unsigned)(all * c->live / (c->logged + !c->logged));

	out_text(out, "<g><title>");
	when(begins(p, i), out);
	if (c->first_tid == c->last_tid)
		markup_format(out, _(", transaction %u"), c->first_tid);
	else
		markup_format(out, _(", transactions %u to %u"), c->first_tid,
			      c->last_tid);
	markup_format(out, _(": copies %llu, still live %llu, revokes %llu"),
		      (unsigned long long)c->logged,
		      (unsigned long long)c->live,
		      (unsigned long long)c->revokes);
	out_text(out, "</title>");
	figure_box(out, 'k', E2LAZY_SUPERSEDED, i * BAR_WIDTH, HEIGHT - all,
		   BAR_ROOM, all - live);
	figure_box(out, 'k', E2LAZY_LIVE, i * BAR_WIDTH, HEIGHT - live,
		   BAR_ROOM, live);
	out_text(out, "</g>\n");
}

static void over_time(const struct txn_picture *p, struct out *out)
{
	markup_element(out, "h3", _("Copies over time"));
	figure_begin(out, TIME_CELLS * BAR_WIDTH, HEIGHT,
		     _("Copies logged over time; the numbers are below"));
	for (unsigned i = 0; i < p->cells; i++)
		if (p->cell[i].txns)
			bar(p, i, out);
	figure_end(out);
	out_text(out, "<p class=\"ends\"><span>");
	when(p->begins, out);
	out_text(out, "</span> <span>");
	markup_format(out, _("the tallest bar: %llu copies; blue: still live"),
		      (unsigned long long)p->most);
	out_text(out, "</span> <span>");
	when(p->ends, out);
	out_text(out, "</span></p>\n");
}

static void table_row(const struct txn_picture *p, unsigned from,
		      unsigned end, struct out *out)
{
	struct txn_cell sum = { .txns = 0 };

	for (unsigned i = from; i < end && i < p->cells; i++) {
		sum.txns += p->cell[i].txns;
		sum.logged += p->cell[i].logged;
		sum.live += p->cell[i].live;
		sum.revokes += p->cell[i].revokes;
	}
	if (!sum.txns)
		return;
	out_text(out, "<tr><td>");
	when(begins(p, from), out);
	out_text(out, "</td>");
	number_cell(out, sum.txns);
	number_cell(out, sum.logged);
	number_cell(out, sum.live);
	if (sum.live)
		out_format(out, "<td>%.2f</td>",
			   (double)sum.logged / (double)sum.live);
	else
		out_text(out, "<td>-</td>");
	number_cell(out, sum.revokes);
	out_text(out, "</tr>\n");
}

static void table(const struct txn_picture *p, struct out *out)
{
	static const char *const headings[] = {
		N_("from"), N_("transactions"), N_("copies"), N_("still live"),
		N_("copies per live one"), N_("revokes"),
	};
	unsigned each = TIME_CELLS / TABLE_ROWS;

	numbers_begin(out, headings, 6);
	for (unsigned i = 0; i < p->cells; i += each)
		table_row(p, i, i + each, out);
	numbers_end(out);
}

static void size_row(unsigned i, uint64_t count, uint64_t most,
		     struct out *out)
{
	uint64_t first = i ? UINT64_C(1) << (i - 1) : 0;

	out_text(out, "<tr><th scope=\"row\">");
	out_u64(out, first);
	if (i > 1)
		out_format(out, " - %llu", (unsigned long long)(2 * first - 1));
	out_text(out, "</th>");
	number_cell(out, count);
	out_format(out, "<td><svg class=\"bar\" viewBox=\"0 0 %u %u\" "
			"aria-hidden=\"true\">", SIZE_BAR, SIZE_HEIGHT);
	figure_box(out, 'k', E2LAZY_LIVE, 0, 0,
		   (unsigned)(count * SIZE_BAR / most) + !!count,
		   SIZE_HEIGHT);
	out_text(out, "</svg></td></tr>\n");
}

static void sizes(const struct txn_picture *p, struct out *out)
{
	unsigned first = 0, last = SIZE_CELLS - 1;
	uint64_t most = 1;

	while (first < last && !p->size[first])
		first++;
	while (last > first && !p->size[last])
		last--;
	for (unsigned i = first; i <= last; i++)
		if (p->size[i] > most)
			most = p->size[i];
	markup_element(out, "h3", _("Sizes"));
	out_text(out, "<table>\n<thead><tr><th scope=\"col\">");
	markup_text(out, _("copies"));
	out_text(out, "</th><th scope=\"col\">");
	markup_text(out, _("transactions"));
	out_text(out, "</th><td></td></tr></thead>\n<tbody>\n");
	for (unsigned i = first; i <= last; i++)
		size_row(i, p->size[i], most, out);
	out_text(out, "</tbody></table>\n");
}

void page_txns(struct report *r, struct out *out)
{
	const struct txn_picture *p = &r->txns;

	section_begin(out, "transactions", _("Transactions"));
	if (p->count) {
		over_time(p, out);
		table(p, out);
		sizes(p, out);
	} else {
		paragraph(out, _("The log has no whole transaction."));
	}
	section_end(out);
}
