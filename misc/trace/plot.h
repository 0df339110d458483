/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plot.h - e2lazy plot: pictures of a trace, or of a simulation
 *
 *	plot.c		the command line, and the form of the output
 *	window.c	the part that is drawn
 *	grid.c		the requests of a trace, counted in a grid
 *	samples.c	the series in a document of e2lazy simulate
 *	ticks.c		round values along an axis
 *	svg.c		the frame of a picture, and points of a grid
 *	panels.c	three curves of each series
 *	terminal.c	both of them in characters
 *
 * A grid has a fixed size, so a picture stays small however long the trace is.
 */
#ifndef MISC_PLOT_H
#define MISC_PLOT_H

#include "show.h"
#include "support/saved.h"

enum plot_class { PLOT_READ, PLOT_DATA, PLOT_METADATA, PLOT_JOURNAL,
		  NR_PLOT_CLASSES };
/* Names for scripts and for people; the first letters differ. */
extern const char *const plot_class_names[NR_PLOT_CLASSES];

enum plot_form { FORM_UNKNOWN, FORM_SVG, FORM_TSV, FORM_TEXT };
enum plot_axis { AXIS_TIME, AXIS_PLACE, AXIS_BAND, AXIS_BYTES };

/* Bytes by place and class.  Row 0 is the lowest. */
struct grid {
	unsigned	width, height;
	enum plot_axis	x, y;
	uint64_t	x_first, x_span, y_first, y_span;	/* spans: not 0 */
	uint64_t	*bytes[NR_PLOT_CLASSES];
};

/* Since and until in ns from the trace's start, from and to in bytes. */
struct window {
	uint64_t	since, until, from, to;
};

/* One result of a simulation. */
#define MOST_RESULTS	4
struct result {
	char		label[96];	/* the trace, and the journal */
	uint64_t	first;		/* ns: sample 0 begins */
	struct e2lazy_series series;
};

struct plot {
	struct session	*s;
	const char	*output;
	const char	*title;		/* NULL: the file's name */
	enum plot_form	form;
	bool		by_band;
	struct window	window;
	uint64_t	wanted[MOST_RESULTS];	/* results; from 1 */
	unsigned	nr_results;
	bool		chosen;		/* by --result */
	struct result	results[MOST_RESULTS];
	struct show	show;		/* counts of bands */
	struct grid	grid;
};

/* window.c: false after a complaint. */
bool window_time(struct session *s, const char *option, const char *arg,
		 uint64_t *ns);
bool window_place(struct session *s, const char *option, const char *arg,
		  uint64_t *bytes);
bool window_is_empty(const struct window *w);
/* What the window has of it; false: nothing. */
bool window_clip(const struct window *w, struct e2lazy_request *r);
bool window_crop(const struct window *w, struct result *r);

/* grid.c: false after a complaint. */
bool grid_begin(struct grid *g, unsigned width, unsigned height);
void grid_free(struct grid *g);
bool grid_of_trace(struct plot *p);
bool grid_of_bands(struct plot *p);
uint64_t grid_at(const struct grid *g, unsigned cls, unsigned x, unsigned y);
/* A value of an axis, in words. */
#define AXIS_TEXT	SIZE_TEXT
void grid_axis_text(char text[AXIS_TEXT], enum plot_axis axis, uint64_t first,
		    uint64_t span, uint64_t value);
void grid_tsv(const struct plot *p, struct out *out);
void bands_tsv(const struct plot *p, struct out *out);

/* samples.c: false after a complaint. */
bool samples_are(const char *path);
bool samples_read(struct plot *p);
void samples_tsv(const struct plot *p, struct out *out);

/* ticks.c: up to SVG_TICKS + 1 of them, from @first on, @step apart. */
struct ticks {
	uint64_t	first, step;
	unsigned	count;
};
struct ticks ticks_of(enum plot_axis axis, uint64_t first, uint64_t span);

/* svg.c */
#define SVG_BEGINS	"<svg xmlns=\"http://www.w3.org/2000/svg\" "
#define SVG_TICKS	6
void svg_begin(struct out *out, unsigned width, unsigned height,
	       const char *label);
void svg_text(struct out *out, unsigned x, unsigned y, const char *anchor,
	      const char *text);
void svg_end(struct out *out);
/* The frame with the title above. */
void svg_begin_titled(const struct plot *p, unsigned width, unsigned height,
		      unsigned left, struct out *out);
void svg_grid(const struct plot *p, struct out *out);

/* panels.c */
enum { PANEL_RATE, PANEL_FILL, PANEL_DIRTY, NR_PANELS };
uint64_t panel_value(const struct e2lazy_series *series, unsigned panel,
		     unsigned i);
/* All results have the same axes. */
uint64_t panel_most(const struct plot *p, unsigned panel);
void panel_times(const struct plot *p, uint64_t *first, uint64_t *span);
const char *panel_title(unsigned panel);
void panel_text(char text[SIZE_TEXT], unsigned panel, uint64_t value);
void svg_panels(const struct plot *p, struct out *out);

/* terminal.c */
void terminal_size(unsigned *columns, unsigned *rows);
/* Is it UTF-8, so that it has braille? */
bool terminal_has_dots(const struct out *out);
void terminal_grid(const struct plot *p, struct out *out);
void terminal_panels(const struct plot *p, struct out *out);

#endif
