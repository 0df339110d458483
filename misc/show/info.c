/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * info.c - e2lazy info: the facts about a journal
 */
#include "facts/info.h"
#include "session/quantities.h"
#include "support/nls.h"
#include "support/saved.h"
#include "support/status.h"

enum { OPT_IDENTIFY = OPTION_COMMAND, OPT_BAND, OPT_METRICS };

/* The first bytes of each file of metrics. */
#define METRICS_BEGIN	"# HELP e2lazy_"

static const struct option_line info_options[] = {
	{ OPT_IDENTIFY, "identify", NULL,
	  N_("read blocks of type other to find their type") },
	{ OPT_BAND, "band", "SIZE",
	  N_("count the bands with fixed metadata on a shingled\n"
	     "drive, and the cost of cleaning them") },
	{ OPT_METRICS, "metrics", NULL,
	  N_("print metrics in the text format of Prometheus") },
	{ 'o', "output", "FILE",
	  N_("with --metrics: write them to FILE, which a reader\n"
	     "sees whole or not at all") },
	{ 0 }
};

struct request {
	struct info	info;
	bool		metrics;
	bool		up;		/* the log could be read */
	const char	*output;	/* NULL: standard output */
};

static bool take_option(struct request *r, int id, const char *arg)
{
	switch (id) {
	case OPT_IDENTIFY:	return r->info.identify = true;
	case OPT_METRICS:	return r->metrics = true;
	case 'o':		r->output = arg;		return true;
	case OPT_BAND:
		return session_quantity(r->info.s, &quantity_band, arg,
					&r->info.band);
	}
	return false;
}

static bool parse(struct request *r)
{
	struct session *s = r->info.s;
	char *arg;
	int id;

	while ((id = session_option(s, NULL, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(r, id, arg))
			return false;
	if (!session_operands(s, 1, 1))
		return false;
	if (!session_needs(s, "output", r->metrics, "--metrics") ||
	    !session_without(s, "--metrics", r->metrics, "band"))
		return false;
	if (r->metrics && s->print.json_wanted)
		return session_wrong(s, _("--json and --metrics are mutually "
					  "exclusive"));
	return true;
}

/* Superseded copies are verified by the map. */
static bool build(struct session *s)
{
	unsigned csums = s->source.limits.check_data ? E2LAZY_JMAP_CSUMS : 0;

	return session_build(s, E2LAZY_JMAP_STATES | csums, false);
}

static void put_metrics(void *priv, struct out *out)
{
	struct request *r = priv;

	if (r->up)
		info_metrics(&r->info, out);
	else
		info_metrics_down(&r->info, out);
}

/* One of them is the exit status, so all is said before. */
static void show_metrics(struct request *r)
{
	struct session *s = r->info.s;

	if (r->up && !s->log->told)
		session_tell_damage(s);
	if (!r->output)
		put_metrics(r, &s->print.out);
	else if (!print_save(&s->print, r->output, METRICS_BEGIN, put_metrics,
			     r))
		s->status |= FSCK_ERROR;
}

static bool look(struct session *s)
{
	return session_open(s) && build(s) && session_look(s);
}

static void run(struct request *r)
{
	r->up = look(r->info.s);
	if (r->up)
		info_gather(&r->info);
	if (cancelled())
		return;
	if (r->metrics)
		show_metrics(r);
	else if (r->up)
		info_print(&r->info);
}

/* A shell must not give up its own rights. */
static bool confine_output(const struct command *self, const char *output)
{
	if (!self->lender)
		saved_confine(output);
	return true;
}

static int run_info(const struct command *self, int argc, char **argv)
{
	struct request r = { .info.s = session_begin(self, argc, argv) };
	struct session *s = r.info.s;

	if (!s)
		return FSCK_ERROR;
	if (parse(&r) && confine_output(self, r.output))
		run(&r);
	e2lazy_verdict_free(r.info.verdict);
	return session_end(s);
}

const struct command info_command = {
	.name = "info",
	.usage = "DEVICE",
	.summary = N_("Show the journal's geometry, contents, hazards and "
		      "costs"),
	.run = run_info,
	.options = info_options,
	.writes = WRITES_BELOW,
};
