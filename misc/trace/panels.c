/* SPDX-License-Identifier: GPL-2.0-only */
/* panels.c - a series as three curves over the same time */
#include <stdio.h>
#include <string.h>

#include "plot.h"
#include "support/nls.h"

#define LEFT		90
#define TOP		40
#define WIDTH		800
#define HEIGHT		120
#define DISTANCE	170
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

uint64_t panel_most(const struct e2lazy_series *series, unsigned panel)
{
	uint64_t most = 1;

	for (unsigned i = 0; i < series->count; i++)
		if (panel_value(series, panel, i) > most)
			most = panel_value(series, panel, i);
	return most;
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

static void curve(const struct e2lazy_series *series, unsigned panel,
		  unsigned top, struct out *out)
{
	double most = (double)panel_most(series, panel);

	out_text(out, "<path class=\"line\" d=\"M");
	for (unsigned i = 0; i < series->count; i++) {
		double value = (double)panel_value(series, panel, i);

		out_format(out, "%s%u %.1f", i ? " L" : "",
			   LEFT + (2 * i + 1) * WIDTH / (2 * series->count),
			   top + HEIGHT - value * HEIGHT / most);
	}
	out_text(out, "\"/>\n");
}

static void panel(const struct e2lazy_series *series, unsigned which,
		  struct out *out)
{
	unsigned top = TOP + which * DISTANCE + 20;
	char text[SIZE_TEXT];

	svg_text(out, LEFT, top - 8, "start", panel_title(which));
	out_format(out, "<path class=\"grid\" d=\"M%u %uh%u\"/>\n"
			"<path class=\"axis\" d=\"M%u %uv%uh%u\"/>\n",
		   LEFT, top, WIDTH, LEFT, top, HEIGHT, WIDTH);
	panel_text(text, which, panel_most(series, which));
	svg_text(out, LEFT - 6, top + 4, "end", text);
	svg_text(out, LEFT - 6, top + HEIGHT, "end", "0");
	curve(series, which, top, out);
	for (unsigned i = 0; i <= SVG_TICKS; i++) {
		grid_axis_text(text, AXIS_TIME, 0,
			       series->period * series->count, i, SVG_TICKS);
		svg_text(out, LEFT + WIDTH * i / SVG_TICKS, top + HEIGHT + 16,
			 "middle", text);
	}
}

void svg_panels(const struct plot *p, struct out *out)
{
	const char *name = p->s->operands[0];

	svg_begin(out, LEFT + WIDTH + 60, TOP + NR_PANELS * DISTANCE, name);
	svg_text(out, LEFT, TOP - 14, "start", name);
	for (unsigned i = 0; i < NR_PANELS; i++)
		panel(&p->series, i, out);
	svg_end(out);
}
