/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg.c - the frame of a picture, and the points of a grid
 *
 * A cell is a square; neighbours of one class in a row become one rectangle.
 * The key stands outside of the plot.
 */
#include "plot.h"
#include "support/markup.h"
#include "support/nls.h"

#define LEFT		90
#define TOP		40
#define CELL		4
#define BOTTOM		40
#define KEY		130

static const char style[] =
"text{font:12px system-ui,sans-serif;fill:#1b1b1b}"
".back{fill:#fff}.axis{stroke:#8a8a8a;fill:none}.grid{stroke:#dcdcdc}"
".c0{fill:#a3a3a3}.c1{fill:#0072b2}.c2{fill:#d55e00}.c3{fill:#009e73}"
".line{fill:none;stroke:#0072b2;stroke-width:1.5}"
".l1{stroke:#d55e00;stroke-dasharray:6 3}"
".l2{stroke:#009e73;stroke-dasharray:2 2}"
".l3{stroke:#a3a3a3;stroke-dasharray:8 3 2 3}"
"@media(prefers-color-scheme:dark){text{fill:#e8e8e8}.back{fill:#16181b}"
".grid{stroke:#33373c}.c0{fill:#777}.c1{fill:#4aa3e0}"
".l0{stroke:#4aa3e0}}";

void svg_begin(struct out *out, unsigned width, unsigned height,
	       const char *label)
{
	out_format(out, SVG_BEGINS "viewBox=\"0 0 %u %u\" width=\"%u\" "
			"height=\"%u\" role=\"img\" aria-label=\"",
		   width, height, width, height);
	markup_text(out, label);
	out_text(out, "\">\n<title>");
	markup_text(out, label);
	out_text(out, "</title>\n<style>");
	out_text(out, style);
	out_format(out, "</style>\n<rect class=\"back\" width=\"%u\" "
			"height=\"%u\"/>\n", width, height);
}

void svg_end(struct out *out)
{
	out_text(out, "</svg>\n");
}

void svg_text(struct out *out, unsigned x, unsigned y, const char *anchor,
	      const char *text)
{
	out_format(out, "<text x=\"%u\" y=\"%u\" text-anchor=\"%s\">", x, y,
		   anchor);
	markup_text(out, text);
	out_text(out, "</text>\n");
}

void svg_begin_titled(const struct plot *p, unsigned width, unsigned height,
		      unsigned left, struct out *out)
{
	const char *title = p->title ? p->title : p->s->operands[0];

	svg_begin(out, width, height, title);
	svg_text(out, left, TOP - 14, "start", title);
}

static void x_axis(const struct grid *g, struct out *out)
{
	unsigned width = g->width * CELL, height = g->height * CELL;
	struct ticks t = ticks_of(g->x, g->x_first, g->x_span);
	char text[AXIS_TEXT];

	for (unsigned i = 0; i < t.count; i++) {
		uint64_t value = t.first + i * t.step;
		unsigned x = LEFT + (unsigned)((double)width *
			     (double)(value - g->x_first) / (double)g->x_span);

		out_format(out, "<path class=\"grid\" d=\"M%u %uv%u\"/>\n", x,
			   TOP, height);
		grid_axis_text(text, g->x, g->x_first, g->x_span, value);
		svg_text(out, x, TOP + height + 18, "middle", text);
	}
}

static void y_axis(const struct grid *g, struct out *out)
{
	unsigned width = g->width * CELL, height = g->height * CELL;
	struct ticks t = ticks_of(g->y, g->y_first, g->y_span);
	char text[AXIS_TEXT];

	for (unsigned i = 0; i < t.count; i++) {
		uint64_t value = t.first + i * t.step;
		unsigned y = TOP + height - (unsigned)((double)height *
			     (double)(value - g->y_first) / (double)g->y_span);

		out_format(out, "<path class=\"grid\" d=\"M%u %uh%u\"/>\n",
			   LEFT, y, width);
		grid_axis_text(text, g->y, g->y_first, g->y_span, value);
		svg_text(out, LEFT - 6, y + 4, "end", text);
	}
}

static void axes(const struct grid *g, struct out *out)
{
	unsigned width = g->width * CELL, height = g->height * CELL;

	x_axis(g, out);
	y_axis(g, out);
	out_format(out, "<path class=\"axis\" d=\"M%u %uv%uh%u\"/>\n", LEFT,
		   TOP, height, width);
}

static void points(const struct grid *g, unsigned cls, struct out *out)
{
	out_format(out, "<path class=\"c%u\" d=\"", cls);
	for (unsigned y = 0; y < g->height; y++) {
		unsigned top = TOP + (g->height - 1 - y) * CELL;

		for (unsigned x = 0, n; x < g->width; x += n + !n) {
			for (n = 0; x + n < g->width &&
			     grid_at(g, cls, x + n, y); n++)
				;
			if (n)
				out_format(out, "M%u %uh%uv%uh-%uz",
					   LEFT + x * CELL, top, n * CELL,
					   CELL, n * CELL);
		}
	}
	out_text(out, "\"/>\n");
}

static void key(const struct grid *g, struct out *out)
{
	unsigned x = LEFT + g->width * CELL + 16, y = TOP + 10;

	for (unsigned c = 0; c < NR_PLOT_CLASSES; c++, y += 20) {
		out_format(out, "<path class=\"c%u\" d=\"M%u %uh10v10h-10z\"/>",
			   c, x, y - 9);
		svg_text(out, x + 16, y, "start", plot_class_names[c]);
	}
}

void svg_grid(const struct plot *p, struct out *out)
{
	const struct grid *g = &p->grid;

	svg_begin_titled(p, LEFT + g->width * CELL + KEY,
			 TOP + g->height * CELL + BOTTOM, LEFT, out);
	axes(g, out);
	for (unsigned c = 0; c < NR_PLOT_CLASSES; c++)
		points(g, c, out);
	key(g, out);
	svg_text(out, LEFT + g->width * CELL + 40, TOP + g->height * CELL + 18,
		 "start", g->x == AXIS_TIME ? _("time") : _("band"));
	svg_text(out, LEFT - 6, TOP - 14, "end",
		 g->y == AXIS_PLACE ? _("place") : _("bytes"));
	svg_end(out);
}
