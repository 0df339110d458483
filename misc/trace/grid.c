/* SPDX-License-Identifier: GPL-2.0-only */
/* grid.c - the requests of a trace, counted in a grid */
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"
#include "support/nls.h"
#include "support/scaled.h"
#include "support/status.h"

const char *const plot_class_names[NR_PLOT_CLASSES] = {
	[PLOT_READ] = "read",
	[PLOT_DATA] = "data",
	[PLOT_METADATA] = "metadata",
	[PLOT_JOURNAL] = "journal",
};

bool grid_begin(struct grid *g, unsigned width, unsigned height)
{
	g->width = width;
	g->height = height;
	for (unsigned i = 0; i < NR_PLOT_CLASSES; i++) {
		g->bytes[i] = calloc((size_t)width * height,
				     sizeof(*g->bytes[i]));
		if (!g->bytes[i])
			return false;
	}
	return true;
}

void grid_free(struct grid *g)
{
	for (unsigned i = 0; i < NR_PLOT_CLASSES; i++)
		free(g->bytes[i]);
}

uint64_t grid_at(const struct grid *g, unsigned cls, unsigned x, unsigned y)
{
	return g->bytes[cls][(size_t)y * g->width + x];
}

/* The cell of @part, if @whole has @cells; the last one for all beyond it. */
static unsigned cell_of(uint64_t part, uint64_t whole, unsigned cells)
{
	return part < whole ? (unsigned)scaled(part, cells, whole) : cells - 1;
}

static unsigned column_of(const struct grid *g, uint64_t x)
{
	return cell_of(x - g->x_first, g->x_span, g->width);
}

/* The value at which row @y begins. */
static uint64_t row_begins(const struct grid *g, unsigned y)
{
	uint64_t span = g->y_span;
	bool whole = span % g->height * y % g->height == 0;

	return g->y_first + scaled(span, y, g->height) + !whole;
}

/* Of seconds: so many that the ticks of a short axis differ. */
static int time_digits(uint64_t span)
{
	int digits = 1;

	for (; span < 1000000000 && digits < 9; span *= 10)
		digits++;
	return digits;
}

/* Far from the start, the unit is that of the axis's length. */
static void place_text(char text[AXIS_TEXT], uint64_t value, uint64_t first,
		       uint64_t span)
{
	static const char units[] = "KMGTPE";
	unsigned i = 0;

	if (first < span) {
		size_text(text, value);
		return;
	}
	while (i < 5 && span >> (10 * (i + 2)))
		i++;
	snprintf(text, AXIS_TEXT, "%.1f %ciB",
		 (double)value / (double)(UINT64_C(1) << 10 * (i + 1)),
		 units[i]);
}

void grid_axis_text(char text[AXIS_TEXT], enum plot_axis axis, uint64_t first,
		    uint64_t span, uint64_t value)
{
	switch (axis) {
	case AXIS_TIME:
		snprintf(text, AXIS_TEXT, "%.*f s", time_digits(span),
			 (double)value / 1e9);
		break;
	case AXIS_PLACE:
		place_text(text, value, first, span);
		break;
	case AXIS_BAND:
		snprintf(text, AXIS_TEXT, "%llu", (unsigned long long)value);
		break;
	case AXIS_BYTES:	/* eighths of powers of two */
		size_text(text, (UINT64_C(1) << value / 8) / 8 *
				(8 + value % 8));
		break;
	}
}

/* --------------------------------------------------- places over time --- */

/* Call @take for each request of the window but flushes and discards. */
static bool each_request(struct plot *p, struct trace_file *file,
			 void (*take)(struct plot *p,
				      const struct e2lazy_request *r))
{
	struct e2lazy_request r;

	p->show.fs = &file->fs;
	while (trace_next(file, &r))
		if ((r.op == E2LAZY_OP_READ || r.op == E2LAZY_OP_WRITE) &&
		    window_clip(&p->window, &r))
			take(p, &r);
	return !cancelled();
}

static void stretch(struct plot *p, const struct e2lazy_request *r)
{
	struct grid *g = &p->grid;
	uint64_t end = r->offset + r->length;

	g->y_first = r->offset < g->y_first ? r->offset : g->y_first;
	g->y_span = end > g->y_span ? end : g->y_span;
	g->x_span = r->t > g->x_span ? r->t : g->x_span;
}

static enum plot_class class_of(const struct e2lazy_request *r,
				const struct e2lazy_trace_part *part)
{
	static const enum plot_class written[] = {
		[E2LAZY_TRACE_DATA] = PLOT_DATA,
		[E2LAZY_TRACE_METADATA] = PLOT_METADATA,
		[E2LAZY_TRACE_JOURNAL] = PLOT_JOURNAL,
	};

	return r->op == E2LAZY_OP_READ ? PLOT_READ : written[part->cls];
}

/* A part may reach over several rows. */
static void add_part(struct grid *g, uint64_t *bytes, uint64_t at,
		     uint64_t end)
{
	while (at < end) {
		unsigned y = cell_of(at - g->y_first, g->y_span, g->height);
		uint64_t stop = y + 1 < g->height ? row_begins(g, y + 1) : end;

		stop = stop <= at || stop > end ? end : stop;
		bytes[(size_t)y * g->width] += stop - at;
		at = stop;
	}
}

static void add(struct plot *p, const struct e2lazy_request *r)
{
	uint64_t at = r->offset, end = at + r->length;
	unsigned x = column_of(&p->grid, r->t);
	struct e2lazy_trace_part part;

	for (; at < end; at = part.offset + part.length) {
		e2lazy_trace_part(p->show.fs, r, at, &part);
		add_part(&p->grid, p->grid.bytes[class_of(r, &part)] + x,
			 part.offset, part.offset + part.length);
	}
}

/* From the first and last value that was seen to the axes. */
static void give_bounds(struct grid *g, const struct window *w)
{
	uint64_t y_end = w->to < UINT64_MAX ? w->to : g->y_span;
	uint64_t x_end = w->until < UINT64_MAX ? w->until : g->x_span + 1;

	if (w->from)
		g->y_first = w->from;
	g->y_span = y_end > g->y_first ? y_end - g->y_first : 1;
	g->x_first = w->since;
	g->x_span = x_end > g->x_first ? x_end - g->x_first : 1;
}

bool grid_of_trace(struct plot *p)
{
	struct grid *g = &p->grid;
	struct trace_file file;
	bool ok;

	g->x = AXIS_TIME;
	g->y = AXIS_PLACE;
	g->y_first = UINT64_MAX;
	if (!trace_begin(&file, p->s, p->s->operands[0]))
		return false;
	ok = each_request(p, &file, stretch);
	if (g->y_first > g->y_span)	/* no request */
		g->y_first = g->y_span = p->window.from;
	give_bounds(g, &p->window);
	ok = ok && trace_again(&file) && each_request(p, &file, add);
	trace_end(&file);
	return ok;
}

void grid_tsv(const struct plot *p, struct out *out)
{
	const struct grid *g = &p->grid;

	out_text(out, "# time_s\toffset\tclass\tbytes\n");
	for (unsigned x = 0; x < g->width; x++)
		for (unsigned y = 0; y < g->height; y++)
			for (unsigned c = 0; c < NR_PLOT_CLASSES; c++) {
				if (!grid_at(g, c, x, y))
					continue;
				out_format(out, "%.6f\t%llu\t%s\t%llu\n",
					   ((double)g->x_first +
					    (double)g->x_span * x / g->width) /
					   1e9,
					   (unsigned long long)
					   row_begins(g, y),
					   plot_class_names[c],
					   (unsigned long long)
					   grid_at(g, c, x, y));
			}
}

/* ------------------------------------------------------ a point a band --- */

static void add_to_bands(struct plot *p, const struct e2lazy_request *r)
{
	if (!series_add(&p->show, r))
		p->s->print.out.error = ENOMEM;
}

static void bytes_of(const struct bucket *b, uint64_t bytes[NR_PLOT_CLASSES])
{
	bytes[PLOT_READ] = b->read;
	bytes[PLOT_DATA] = b->data;
	bytes[PLOT_METADATA] = b->metadata;
	bytes[PLOT_JOURNAL] = b->journal;
}

/* Eight steps to each power of two; 0 for 0. */
static unsigned steps_of(uint64_t bytes)
{
	unsigned log;

	if (bytes < 8)
		return 0;
	log = 63 - (unsigned)__builtin_clzll(bytes);
	return 8 * log + (bytes >> (log - 3) & 7);
}

static void measure_bytes(struct plot *p, size_t *last)
{
	struct grid *g = &p->grid;
	uint64_t bytes[NR_PLOT_CLASSES];

	g->y_first = UINT64_MAX;
	for (size_t i = 0; i < p->show.nr_buckets; i++) {
		bytes_of(&p->show.buckets[i], bytes);
		for (unsigned c = 0; c < NR_PLOT_CLASSES; c++) {
			unsigned y = steps_of(bytes[c]);

			if (!bytes[c])
				continue;
			*last = i;
			g->y_first = y < g->y_first ? y : g->y_first;
			g->y_span = y > g->y_span ? y : g->y_span;
		}
	}
	if (g->y_first > g->y_span)
		g->y_first = 0;
	g->y_span = g->y_span - g->y_first + 1;
}

static void give_bands(struct plot *p, size_t last)
{
	uint64_t band = p->show.sizes.band, to = p->window.to;
	struct grid *g = &p->grid;
	uint64_t end = to < UINT64_MAX ? to / band + (to % band != 0) :
					 last + 1;

	g->x_first = p->window.from / band;
	g->x_span = end > g->x_first ? end - g->x_first : 1;
}

bool grid_of_bands(struct plot *p)
{
	struct grid *g = &p->grid;
	struct trace_file file;
	uint64_t bytes[NR_PLOT_CLASSES];
	size_t last = 0;
	bool ok;

	g->x = AXIS_BAND;
	g->y = AXIS_BYTES;
	p->show.by = BY_BAND;
	if (!trace_begin(&file, p->s, p->s->operands[0]))
		return false;
	ok = each_request(p, &file, add_to_bands);
	trace_end(&file);
	if (!ok)
		return false;
	if (p->show.beyond)
		session_complain(p->s, FSCK_LEFT,
				 _("some requests are too far away to be "
				   "drawn: use longer bands"));
	measure_bytes(p, &last);
	give_bands(p, last);
	for (size_t i = 0; i < p->show.nr_buckets && i <= last; i++) {
		bytes_of(&p->show.buckets[i], bytes);
		for (unsigned c = 0; c < NR_PLOT_CLASSES; c++) {
			unsigned y = cell_of(steps_of(bytes[c]) - g->y_first,
					   g->y_span, g->height);

			if (bytes[c])
				g->bytes[c][(size_t)y * g->width +
					    column_of(g, i)] += bytes[c];
		}
	}
	return true;
}

void bands_tsv(const struct plot *p, struct out *out)
{
	out_text(out, "# band\tread\tdata\tmetadata\tjournal\n");
	for (size_t i = 0; i < p->show.nr_buckets; i++) {
		const struct bucket *b = &p->show.buckets[i];

		if (b->read || b->data || b->metadata || b->journal)
			out_format(out, "%zu\t%llu\t%llu\t%llu\t%llu\n", i,
				   (unsigned long long)b->read,
				   (unsigned long long)b->data,
				   (unsigned long long)b->metadata,
				   (unsigned long long)b->journal);
	}
}
