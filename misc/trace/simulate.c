/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * simulate.c - e2lazy simulate: how a modelled drive bears a trace
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/drive_list.h"
#include "simulation.h"
#include "support/nls.h"
#include "support/status.h"

enum { OPT_DRIVE = OPTION_COMMAND, OPT_SET, OPT_TIMED, OPT_FAST, OPT_START,
       OPT_SENSITIVITY, OPT_SERIES, OPT_PARAMETERS, OPT_LAZY };

static const struct option_line simulate_options[] = {
	{ OPT_DRIVE, "drive", "MODEL",
	  N_("model of the drive: ST8000AS0002, conventional,\n"
	     "dm-zoned or zone-cache; see mke2lazy-drives(5)") },
	{ OPT_SET, "set", "KEY=VALUE...", N_("set a parameter of the drive") },
	{ OPT_PARAMETERS, "parameters", NULL,
	  N_("print the parameters and their sources only") },
	{ OPT_TIMED, "timed", NULL,
	  N_("issue each request at its time, but after the answer\n"
	     "to the one before (default)") },
	{ OPT_FAST, "fast", NULL,
	  N_("issue each request when the one before is answered") },
	{ OPT_LAZY, "lazy", NULL,
	  N_("also run each trace as with a lazy journal") },
	{ OPT_START, "start", "SIZE",
	  N_("the trace's partition begins SIZE into the disk") },
	{ OPT_SENSITIVITY, "sensitivity", NULL,
	  N_("also run with each fitted or assumed parameter\n"
	     "changed") },
	{ OPT_SERIES, "series", NULL,
	  N_("with --json: add a time series") },
	{ 0 }
};

static void help(struct out *out)
{
	columns_help(out, simulate_columns, NR_RESULT_COLUMNS);
	out_text(out, _("\nTRACE is a file of e2lazy trace. Each TRACE is one "
			"row, with --lazy two.\n"));
}

/* The last of --set counts, as the others are of the drive. */
#define MOST_SETS	64

struct request_line {
	struct simulation m;
	const char	*sets[MOST_SETS];
	unsigned	nr_sets;
	bool		timed;
};

static bool take_set(struct request_line *r, const char *arg)
{
	if (r->nr_sets == MOST_SETS) {
		complain(r->m.s->command->name,
			 _("--set: at most %u of them"), MOST_SETS);
		session_usage(r->m.s);
		return false;
	}
	r->sets[r->nr_sets++] = arg;
	return true;
}

static bool take_option(struct request_line *r, int id, char *arg)
{
	struct simulation *m = &r->m;

	switch (id) {
	case OPT_DRIVE:		m->drive = arg;			return true;
	case OPT_SET:		return take_set(r, arg);
	case OPT_TIMED:		r->timed = true;		return true;
	case OPT_FAST:		m->fast = true;			return true;
	case OPT_SENSITIVITY:	m->sensitivity = true;		return true;
	case OPT_LAZY:		m->lazy = true;			return true;
	case OPT_SERIES:	m->series = true;		return true;
	case OPT_PARAMETERS:	m->only_params = true;		return true;
	case OPT_START:
		return parse_offset(arg, &m->start) ||
		       session_refuse(m->s, "--start", arg,
				      _("a multiple of 512 bytes"));
	}
	return false;
}

static bool refuse(struct session *s, const char *what)
{
	complain(s->command->name, "%s", what);
	session_usage(s);
	return false;
}

static bool parse(struct request_line *r)
{
	struct simulation *m = &r->m;
	char *arg;
	int id;

	m->listing.headings = true;
	while ((id = session_option(m->s, &m->listing, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(r, id, arg))
			return false;
	if (!m->drive)
		return refuse(m->s, _("--drive is missing"));
	if (m->fast && r->timed)
		return refuse(m->s, _("--timed and --fast are mutually "
				      "exclusive"));
	if (!session_needs(m->s, "series", m->s->print.json_wanted, "--json") ||
	    !session_without(m->s, "--parameters", m->only_params,
			     "lazy sensitivity series start"))
		return false;
	if (m->only_params)
		return session_operands(m->s, 0, 0);
	return session_operands(m->s, 1, 1024) &&
	       session_columns(m->s, &m->listing, simulate_columns,
			       NR_RESULT_COLUMNS, &m->columns);
}

static bool fail_list(struct simulation *m, errcode_t err, const char *list,
		      unsigned line)
{
	int error = errno;

	if (err == ENOENT)
		return session_refuse(m->s, "--drive", m->drive,
				      _("a model in the list of drives; see "
					"mke2lazy-drives(5)"));
	m->s->status |= FSCK_ERROR;
	if (err != E2LAZY_ET_DRIVE_LIST)
		complain_error(list, err);
	else if (line)
		complain(list, _("line %u: %s"), line, _(error_message(err)));
	else
		complain_error(list, error);
	return false;
}

static bool load_params(struct request_line *r)
{
	struct simulation *m = &r->m;
	errcode_t err = EXT2_ET_NO_MEMORY;
	unsigned line = 0;
	char *list;
	bool ok;

	if (!drive_list(&list)) {
		m->s->status |= FSCK_ERROR;
		return false;
	}
	if (list)
		err = e2lazy_drive_params(list, m->drive, &m->params, &line);
	ok = !err || fail_list(m, err, list, line);
	free(list);
	for (unsigned i = 0; ok && i < r->nr_sets; i++)
		ok = e2lazy_params_set(&m->params, r->sets[i],
				       E2LAZY_ORIGIN_GIVEN, "--set") ||
		     session_refuse(m->s, "--set", r->sets[i],
				    _("a parameter and a valid value; see "
				      "--parameters"));
	return ok;
}

static void begin_document(struct simulation *m)
{
	struct json *json = &m->s->print.json;

	if (!m->s->print.json_wanted)
		return;
	session_document(m->s);
	json_string(json, "drive", m->drive);
	json_string(json, "mode", m->fast ? "fast" : "timed");
	/* Whatever the figures are: it is a model. */
	json_bool(json, "drive_used", false);
}

static bool run_all(struct simulation *m)
{
	struct session *s = m->s;

	m->outcomes = calloc(simulate_rows(m), sizeof(*m->outcomes));
	if (!m->outcomes) {
		session_fail(s, EXT2_ET_NO_MEMORY, NULL);
		return false;
	}
	for (unsigned i = 0; i < simulate_rows(m); i++) {
		bool lazy;
		const char *path = simulate_row(m, i, &lazy);

		if (!simulate_trace(m, path, lazy, &m->params,
				    &m->outcomes[i]))
			return false;
	}
	return true;
}

static void simulate(struct simulation *m)
{
	bool ok = true;

	print_colors(&m->s->print);
	m->s->device = NULL;
	if (!m->only_params && !run_all(m))
		return;
	begin_document(m);
	if (m->only_params || m->s->print.json_wanted)
		simulate_params(m);
	if (!m->only_params) {
		simulate_results(m);
		if (m->sensitivity)
			ok = simulate_sensitivity(m);
		if (ok)
			simulate_caution(m);
	}
}

static int run_simulate(const struct command *self, int argc, char **argv)
{
	struct request_line r = { .nr_sets = 0 };

	r.m.s = session_begin(self, argc, argv);
	if (!r.m.s)
		return FSCK_ERROR;
	if (parse(&r) && load_params(&r)) {
		status_catch_signals();
		simulate(&r.m);
	}
	free(r.m.outcomes);
	return session_end(r.m.s);
}

const struct command simulate_command = {
	.name = "simulate",
	.usage = "TRACE...",
	.summary = N_("Run traces on a model of a drive"),
	.run = run_simulate,
	.options = simulate_options,
	.lists = true,
	.help = help,
	.kind = COMMAND_READS,
};
