/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plot.c - e2lazy plot: the command line, and the form of the output
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot.h"
#include "session/quantities.h"
#include "support/nls.h"
#include "support/status.h"

/* Cells of a picture in a file. */
#define GRID_WIDTH	200
#define GRID_HEIGHT	100

enum { OPT_BY_BAND = OPTION_COMMAND, OPT_BAND, OPT_FORM, OPT_RESULT, OPT_SINCE,
       OPT_UNTIL, OPT_FROM, OPT_TO, OPT_TITLE };

static const struct option_line plot_options[] = {
	{ 'o', "output", "FILE",
	  N_("write FILE.svg or FILE.tsv; -: standard output\n"
	     "(default)") },
	{ OPT_FORM, "form", "svg|tsv|text",
	  N_("form of the output, if FILE's name does not say it;\n"
	     "text: for a terminal") },
	{ OPT_BY_BAND, "by-band", NULL,
	  N_("draw a point for each band: the bytes read and\n"
	     "written there") },
	{ OPT_BAND, "band", "SIZE",
	  N_("size of a band; default: 30M") },
	{ OPT_RESULT, "result", "N[,N...]",
	  N_("of a series: that of result N; default: 1; several\n"
	     "share a picture") },
	{ OPT_TITLE, "title", "TEXT",
	  N_("title of a picture; default: the file's name") },
	{ OPT_SINCE, "since", "TIME",
	  N_("leave out what came before TIME: 90s, 5min") },
	{ OPT_UNTIL, "until", "TIME",
	  N_("leave out what came at TIME or later") },
	{ OPT_FROM, "from", "SIZE",
	  N_("of a trace: leave out the places before SIZE") },
	{ OPT_TO, "to", "SIZE",
	  N_("of a trace: leave out the places from SIZE on") },
	{ 0 }
};

static bool take_form(struct plot *p, const char *arg)
{
	static const char *const names[] = {
		[FORM_SVG] = "svg", [FORM_TSV] = "tsv", [FORM_TEXT] = "text",
	};

	for (unsigned i = FORM_SVG; i <= FORM_TEXT; i++)
		if (!strcmp(names[i], arg)) {
			p->form = i;
			return true;
		}
	return session_refuse(p->s, "--form", arg, _("svg, tsv or text"));
}

static bool take_results(struct plot *p, char *arg)
{
	char *rest = arg, *word;

	p->nr_results = 0;
	p->chosen = true;
	while ((word = strsep(&rest, ",")))
		if (p->nr_results == MOST_RESULTS ||
		    !parse_number(word, 1000, &p->wanted[p->nr_results]) ||
		    !p->wanted[p->nr_results++])
			return session_refuse(p->s, "--result", word,
					      _("up to 4 numbers from 1 to "
						"1000"));
	return true;
}

static bool take_option(struct plot *p, int id, char *arg)
{
	struct window *w = &p->window;

	switch (id) {
	case 'o':		p->output = arg;		return true;
	case OPT_BY_BAND:	p->by_band = true;		return true;
	case OPT_TITLE:		p->title = arg;			return true;
	case OPT_FORM:		return take_form(p, arg);
	case OPT_BAND:
		return session_quantity(p->s, &quantity_band, arg,
					&p->show.sizes.band);
	case OPT_RESULT:
		return take_results(p, arg);
	case OPT_SINCE:	return window_time(p->s, "--since", arg, &w->since);
	case OPT_UNTIL:	return window_time(p->s, "--until", arg, &w->until);
	case OPT_FROM:	return window_place(p->s, "--from", arg, &w->from);
	case OPT_TO:	return window_place(p->s, "--to", arg, &w->to);
	}
	return false;
}

static bool ends_in(const char *name, const char *suffix)
{
	size_t n = strlen(name), s = strlen(suffix);

	return n > s && !strcmp(name + n - s, suffix);
}

/* The name says the form, or the terminal does. */
static bool choose_form(struct plot *p)
{
	if (p->form)
		return true;
	if (ends_in(p->output, ".svg"))
		p->form = FORM_SVG;
	else if (ends_in(p->output, ".tsv"))
		p->form = FORM_TSV;
	else if (!strcmp(p->output, "-") && isatty(STDOUT_FILENO))
		p->form = FORM_TEXT;
	else if (!strcmp(p->output, "-"))
		return session_wrong(p->s, _("standard output is no terminal: "
					     "give --form, or --output"));
	else
		return session_wrong(p->s, _("--output: the name ends neither "
					     "in .svg nor in .tsv: give "
					     "--form"));
	return true;
}

static bool parse(struct plot *p)
{
	char *arg;
	int id;

	while ((id = session_option(p->s, NULL, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(p, id, arg))
			return false;
	if (!session_needs(p->s, "band", p->by_band, "--by-band"))
		return false;
	if (window_is_empty(&p->window))
		return session_wrong(p->s, _("nothing is left between --since "
					     "and --until, or --from and "
					     "--to"));
	return session_operands(p->s, 1, 1) && choose_form(p) &&
	       session_needs(p->s, "title", p->form == FORM_SVG, "--form svg");
}

/* --------------------------------------------------------------- output --- */

static void put_series(void *priv, struct out *out)
{
	const struct plot *p = priv;

	out->color = p->s->print.out.color;
	if (p->form == FORM_SVG)
		svg_panels(p, out);
	else if (p->form == FORM_TSV)
		samples_tsv(p, out);
	else
		terminal_panels(p, out);
}

static void put_grid(void *priv, struct out *out)
{
	const struct plot *p = priv;

	out->color = p->s->print.out.color;
	if (p->form == FORM_SVG)
		svg_grid(p, out);
	else if (p->form == FORM_TEXT)
		terminal_grid(p, out);
	else if (p->by_band)
		bands_tsv(p, out);
	else
		grid_tsv(p, out);
}

static void save(struct plot *p, void (*put)(void *priv, struct out *out))
{
	static const char *const begins[] = {
		[FORM_SVG] = SVG_BEGINS, [FORM_TSV] = "# ", [FORM_TEXT] = "|",
	};

	if (!print_save(&p->s->print, p->output, begins[p->form], put, p))
		p->s->status |= FSCK_ERROR;
}

/* A character has several cells, if it is braille. */
static bool make_room(struct plot *p)
{
	unsigned width = GRID_WIDTH, height = GRID_HEIGHT;
	bool dots = terminal_has_dots(&p->s->print.out);

	if (p->form == FORM_TEXT) {
		terminal_size(&width, &height);
		width *= dots ? 2 : 1;
		height *= dots ? 4 : 1;
	}
	if (grid_begin(&p->grid, width, height))
		return true;
	session_fail(p->s, EXT2_ET_NO_MEMORY, NULL);
	return false;
}

static void plot_series(struct plot *p)
{
	if (p->by_band)
		session_wrong(p->s, _("--by-band needs a trace"));
	else if (p->window.from || p->window.to != UINT64_MAX)
		session_wrong(p->s, _("--from and --to need a trace"));
	else if (samples_read(p))
		save(p, put_series);
}

static void plot(struct plot *p)
{
	print_colors(&p->s->print);
	p->s->device = p->s->operands[0];
	if (samples_are(p->s->operands[0]))
		plot_series(p);
	else if (p->chosen)
		session_wrong(p->s, _("--result needs a series"));
	else if (make_room(p) &&
		 (p->by_band ? grid_of_bands(p) : grid_of_trace(p)))
		save(p, put_grid);
}

static int run_plot(const struct command *self, int argc, char **argv)
{
	struct plot *p = calloc(1, sizeof(*p));
	int status = FSCK_ERROR;

	if (!p) {
		complain_error(NULL, EXT2_ET_NO_MEMORY);
		return status;
	}
	p->output = "-";
	p->wanted[0] = p->nr_results = 1;
	p->window.until = p->window.to = UINT64_MAX;
	p->show.sizes.band = 30 << 20;
	p->s = session_begin(self, argc, argv);
	if (p->s) {
		if (parse(p)) {
			saved_confine(p->output);
			status_catch_signals();
			plot(p);
		}
		status = session_end(p->s);
	}
	grid_free(&p->grid);
	free(p->show.buckets);
	free(p);
	return status;
}

const struct command plot_command = {
	.name = "plot",
	.usage = "TRACE",
	.summary = N_("Draw a trace, or the series of a simulation"),
	.run = run_plot,
	.options = plot_options,
	.writes = WRITES_BELOW,
	.kind = COMMAND_DRAWS,
};
