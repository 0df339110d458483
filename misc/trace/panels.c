/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * panels.c - series as three curves over the same time
 *
 * Curves of several results differ in colour and in dashes.
 */
#include <stdio.h>
#include <string.h>

#include "plot.h"
#include "support/nls.h"

#define LEFT		90
#define TOP		40
#define WIDTH		800
#define HEIGHT		120
#define DISTANCE	170
#define KEY_ROW		20
/* A document may say anything; this fits in the number. */
#define MOST_RATE	UINT64_C(1000000000000000000)

const char *panel_title(unsigned panel)
{
	static const char *const titles[NR_PANELS] = {
		[PANEL_RATE] = N_("Throughput, reads and writes"),
		[PANEL_FILL] = N_("Cache in use"),
		[PANEL_DIRTY] = N_("Dirty bands"),
	};

	return _(titles[panel]);
}

uint64_t panel_value(const struct e2lazy_series *series, unsigned panel,
		     unsigned i)
{
	const struct e2lazy_sample *s = &series->sample[i];
	double rate = ((double)s->read + (double)s->written) * 1e9 /
		      (double)series->period;

	switch (panel) {
	case PANEL_RATE:
		return rate < MOST_RATE ? (uint64_t)rate : MOST_RATE;
	case PANEL_FILL:
		return s->fill;
	}
	return s->dirty;
}

uint64_t panel_most(const struct plot *p, unsigned panel)
{
	uint64_t most = 1;

	for (unsigned r = 0; r < p->nr_results; r++) {
		const struct e2lazy_series *series = &p->results[r].series;

		for (unsigned i = 0; i < series->count; i++)
			if (panel_value(series, panel, i) > most)
				most = panel_value(series, panel, i);
	}
	return most;
}

void panel_times(const struct plot *p, uint64_t *first, uint64_t *span)
{
	uint64_t end = 0;

	*first = UINT64_MAX;
	for (unsigned i = 0; i < p->nr_results; i++) {
		const struct result *r = &p->results[i];
		uint64_t last = r->first + r->series.period * r->series.count;

		*first = r->first < *first ? r->first : *first;
		end = last > end ? last : end;
	}
	*span = end - *first;
}

void panel_text(char text[SIZE_TEXT], unsigned panel, uint64_t value)
{
	if (panel == PANEL_DIRTY)
		snprintf(text, SIZE_TEXT, "%llu", (unsigned long long)value);
	else
		size_text(text, value);
	if (panel == PANEL_RATE)
		strncat(text, "/s", SIZE_TEXT - strlen(text) - 1);
}

/* A sample stands in the middle of its time. */
static double middle(const struct plot *p, const struct result *r, unsigned i)
{
	uint64_t first, span;

	panel_times(p, &first, &span);
	return ((double)(r->first - first) +
		(double)r->series.period * (i + 0.5)) / (double)span;
}

static void curve(const struct plot *p, unsigned which, unsigned panel,
		  unsigned top, struct out *out)
{
	const struct result *r = &p->results[which];
	const struct e2lazy_series *series = &r->series;
	double most = (double)panel_most(p, panel);

	out_format(out, "<path class=\"line l%u\" d=\"M", which);
	for (unsigned i = 0; i < series->count; i++) {
		double value = (double)panel_value(series, panel, i);

		out_format(out, "%s%.1f %.1f", i ? " L" : "",
			   LEFT + WIDTH * middle(p, r, i),
			   top + HEIGHT - value * HEIGHT / most);
	}
	out_text(out, "\"/>\n");
}

/* Dirty bands are a number, all others bytes. */
static void values(unsigned which, uint64_t most, unsigned top, struct out *out)
{
	struct ticks t = ticks_of(which == PANEL_DIRTY ? AXIS_BAND : AXIS_PLACE,
				  0, most);
	char text[SIZE_TEXT];

	for (unsigned i = 0; i < t.count; i++) {
		uint64_t value = i * t.step;
		unsigned y = top + HEIGHT - (unsigned)(HEIGHT *
			     ((double)value / (double)most));

		out_format(out, "<path class=\"grid\" d=\"M%u %uh%u\"/>\n",
			   LEFT, y, WIDTH);
		panel_text(text, which, value);
		svg_text(out, LEFT - 6, y + 4, "end", text);
	}
}

static void panel(const struct plot *p, unsigned which, struct out *out)
{
	struct ticks t;
	uint64_t first, span;
	unsigned top = TOP + which * DISTANCE + 20;
	char text[SIZE_TEXT];

	svg_text(out, LEFT, top - 8, "start", panel_title(which));
	out_format(out, "<path class=\"grid\" d=\"M%u %uh%u\"/>\n"
			"<path class=\"axis\" d=\"M%u %uv%uh%u\"/>\n",
		   LEFT, top, WIDTH, LEFT, top, HEIGHT, WIDTH);
	values(which, panel_most(p, which), top, out);
	for (unsigned i = 0; i < p->nr_results; i++)
		curve(p, i, which, top, out);
	panel_times(p, &first, &span);
	t = ticks_of(AXIS_TIME, first, span);
	for (unsigned i = 0; i < t.count; i++) {
		uint64_t value = t.first + i * t.step;

		grid_axis_text(text, AXIS_TIME, first, span, value);
		svg_text(out, LEFT + (unsigned)((double)WIDTH *
			 (double)(value - first) / (double)span),
			 top + HEIGHT + 16, "middle", text);
	}
}

/* Below the panels, so that names may be long. */
static void key(const struct plot *p, struct out *out)
{
	unsigned y = TOP + NR_PANELS * DISTANCE;

	for (unsigned i = 0; i < p->nr_results; i++, y += KEY_ROW) {
		out_format(out, "<path class=\"line l%u\" d=\"M%u %uh30\"/>\n",
			   i, LEFT, y);
		svg_text(out, LEFT + 40, y + 4, "start", p->results[i].label);
	}
}

void svg_panels(const struct plot *p, struct out *out)
{
	svg_begin_titled(p, LEFT + WIDTH + 60, TOP + NR_PANELS * DISTANCE +
			 p->nr_results * KEY_ROW, LEFT, out);
	for (unsigned i = 0; i < NR_PANELS; i++)
		panel(p, i, out);
	key(p, out);
	svg_end(out);
}
