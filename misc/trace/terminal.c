/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * terminal.c - pictures in characters
 *
 * With colours and UTF-8 a character is braille of 2 x 4 dots in the colour of
 * the class with the most bytes there.  Otherwise it is that class's letter.
 */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "plot.h"
#include "support/nls.h"
#include "support/scaled.h"

#define USUAL_COLUMNS	80
#define MARGIN		2
#define PANEL_ROWS	6

void terminal_size(unsigned *columns, unsigned *rows)
{
	const char *given = getenv("COLUMNS");
	struct winsize size = { .ws_col = 0 };
	uint64_t wide = 0;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		wide = size.ws_col;
	if (given)
		parse_number(given, 1000, &wide);
	if (wide < 20 || wide > 1000)
		wide = USUAL_COLUMNS;
	*columns = (unsigned)wide - MARGIN;
	*rows = 20;
}

bool terminal_has_dots(const struct out *out)
{
	return out->color && !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* The dots of column 0 and 1, from below: bits of U+2800. */
static const uint8_t dots[2][4] = {
	{ 0x40, 0x04, 0x02, 0x01 }, { 0x80, 0x20, 0x10, 0x08 },
};

static void put_braille(struct out *out, unsigned bits)
{
	out_char(out, '\xe2');
	out_char(out, (char)(0xa0 | bits >> 6));
	out_char(out, (char)(0x80 | (bits & 63)));
}

/* Bytes of each class in the character, and the dots that have any. */
static unsigned gather(const struct grid *g, unsigned x, unsigned y,
		       unsigned wide, unsigned high,
		       uint64_t bytes[NR_PLOT_CLASSES])
{
	unsigned bits = 0;

	memset(bytes, 0, NR_PLOT_CLASSES * sizeof(*bytes));
	for (unsigned i = 0; i < wide; i++)
		for (unsigned n = 0; n < high; n++)
			for (unsigned c = 0; c < NR_PLOT_CLASSES; c++) {
				uint64_t b = grid_at(g, c, x * wide + i,
						     y * high + n);

				bytes[c] += b;
				bits |= b ? dots[i][n] : 0;
			}
	return bits;
}

static unsigned largest(const uint64_t bytes[NR_PLOT_CLASSES])
{
	unsigned most = 0;

	for (unsigned c = 1; c < NR_PLOT_CLASSES; c++)
		if (bytes[c] > bytes[most])
			most = c;
	return most;
}

static void put_color(struct out *out, unsigned cls)
{
	static const char *const codes[NR_PLOT_CLASSES] = {
		[PLOT_READ] = "\033[90m", [PLOT_DATA] = "\033[34m",
		[PLOT_METADATA] = "\033[31m", [PLOT_JOURNAL] = "\033[32m",
	};

	if (out->color)
		out_text(out, codes[cls]);
}

/* @color is the class whose colour is on; NR_PLOT_CLASSES: none. */
static void put_char(const struct grid *g, unsigned x, unsigned y,
		     unsigned *color, struct out *out)
{
	bool braille = terminal_has_dots(out);
	uint64_t bytes[NR_PLOT_CLASSES];
	unsigned bits = gather(g, x, y, braille ? 2 : 1, braille ? 4 : 1,
			       bytes), cls = largest(bytes);

	if (!bits) {
		out_char(out, ' ');
		return;
	}
	if (cls != *color)
		put_color(out, cls);
	*color = cls;
	if (braille)
		put_braille(out, bits);
	else
		out_char(out, plot_class_names[cls][0]);
}

static void put_scale(const char *what, const char *from, const char *to,
		      struct out *out)
{
	out_format(out, _("%s: from %s to %s\n"), what, from, to);
}

static void put_axis(const char *what, enum plot_axis axis, uint64_t first,
		     uint64_t span, struct out *out)
{
	char from[AXIS_TEXT], to[AXIS_TEXT];

	grid_axis_text(from, axis, first, span, first);
	grid_axis_text(to, axis, first, span, first + span);
	put_scale(what, from, to, out);
}

static void put_key(struct out *out)
{
	for (unsigned c = 0; c < NR_PLOT_CLASSES; c++) {
		put_color(out, c);
		out_format(out, "%c", plot_class_names[c][0]);
		out_style(out, STYLE_PLAIN);
		out_format(out, " %s%s", plot_class_names[c],
			   c + 1 < NR_PLOT_CLASSES ? ", " : "\n");
	}
}

void terminal_grid(const struct plot *p, struct out *out)
{
	bool braille = terminal_has_dots(out);
	const struct grid *g = &p->grid;
	unsigned columns = g->width / (braille ? 2 : 1);
	unsigned rows = g->height / (braille ? 4 : 1);

	for (unsigned y = rows; y-- > 0;) {
		unsigned color = NR_PLOT_CLASSES;

		out_text(out, "| ");
		for (unsigned x = 0; x < columns; x++)
			put_char(g, x, y, &color, out);
		out_style(out, STYLE_PLAIN);
		out_char(out, '\n');
	}
	put_axis(g->x == AXIS_TIME ? _("across, time") : _("across, bands"),
		 g->x, g->x_first, g->x_span, out);
	put_axis(g->y == AXIS_PLACE ? _("up, place") : _("up, bytes"), g->y,
		 g->y_first, g->y_span, out);
	put_key(out);
}

/* ------------------------------------------------------------- a series --- */

/* Each column of time is as high as the largest sample in it. */
static unsigned height_at(const struct plot *p, const struct result *r,
			  unsigned panel, unsigned x, unsigned columns)
{
	const struct e2lazy_series *series = &r->series;
	uint64_t first, span, value = 0, at, end;
	uint64_t most = panel_most(p, panel);

	panel_times(p, &first, &span);
	at = scaled(span, x, columns);
	end = scaled(span, x + 1, columns);
	/* The result may begin later than the picture. */
	if (end <= r->first - first)
		return 0;
	at = at > r->first - first ? at - (r->first - first) : 0;
	end -= r->first - first;
	for (at /= series->period; at < series->count; at++) {
		if (panel_value(series, panel, at) > value)
			value = panel_value(series, panel, at);
		if ((at + 1) * series->period >= end)
			break;
	}
	return (unsigned)((double)value * PANEL_ROWS / (double)most + 0.999);
}

static void put_curve(const struct plot *p, const struct result *r,
		      unsigned panel, unsigned columns, struct out *out)
{
	for (unsigned y = PANEL_ROWS; y-- > 0;) {
		out_text(out, "| ");
		for (unsigned x = 0; x < columns; x++)
			out_char(out, height_at(p, r, panel, x, columns) > y ?
					      '#' : ' ');
		out_char(out, '\n');
	}
}

/* Results stand one below the other, and have the same scale. */
static void put_panel(const struct plot *p, unsigned panel, unsigned columns,
		      struct out *out)
{
	char text[SIZE_TEXT];

	panel_text(text, panel, panel_most(p, panel));
	out_bold(out, panel_title(panel));
	put_scale("", "0", text, out);
	for (unsigned i = 0; i < p->nr_results; i++) {
		if (p->nr_results > 1) {
			out_text(out, "+ ");
			out_printable(out, p->results[i].label, ' ');
			out_char(out, '\n');
		}
		put_curve(p, &p->results[i], panel, columns, out);
	}
}

void terminal_panels(const struct plot *p, struct out *out)
{
	unsigned columns, rows;
	uint64_t first, span;

	terminal_size(&columns, &rows);
	for (unsigned i = 0; i < NR_PANELS; i++)
		put_panel(p, i, columns, out);
	panel_times(p, &first, &span);
	put_axis(_("across, time"), AXIS_TIME, first, span, out);
}
