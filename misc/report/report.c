/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.c - e2lazy report: the command line
 */
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "session/quantities.h"
#include "support/memory.h"
#include "support/nls.h"
#include "support/saved.h"
#include "support/status.h"

enum { OPT_QUICK = OPTION_COMMAND, OPT_VERIFY, OPT_BAND, OPT_THROUGHPUT,
       OPT_HASH, OPT_FILES };

static const struct option_line report_options[] = {
	{ 'o', "output", "FILE",
	  N_("write the page to FILE, -: standard output") },
	{ OPT_QUICK, "quick", NULL,
	  N_("do not read the ring past the log") },
	{ OPT_VERIFY, "verify", NULL,
	  N_("read and verify all copies, as e2lazyck does") },
	{ OPT_HASH, "hash", NULL,
	  N_("read the whole device, too, and show its SHA-256") },
	{ OPT_FILES, "files", NULL,
	  N_("show deleted files and a timeline, too") },
	{ OPT_BAND, "band", "SIZE",
	  N_("size of a shingled drive's bands, 0: none; default:\n"
	     "30M") },
	{ OPT_THROUGHPUT, "throughput", "RATE",
	  N_("sequential rate of the disk, for the time of a\n"
	     "checkpoint; default: 190M") },
	{ 0 }
};

/* As e2lazyck's --memory without an argument. */
#define MEMORY_PART	4
#define LEAST_MEMORY	(1 << 20)
#define USUAL_BAND	(30 << 20)

static bool take_option(struct report *r, int id, char *arg)
{
	switch (id) {
	case 'o':		r->output = arg;		return true;
	case OPT_QUICK:		r->quick = true;		return true;
	case OPT_HASH:		r->hash = true;			return true;
	case OPT_FILES:		r->files.wanted = true;		return true;
	case OPT_VERIFY:	r->info.thorough = true;	return true;
	case OPT_BAND:
		return session_quantity(r->s, &quantity_band_or_none, arg,
					&r->info.band);
	case OPT_THROUGHPUT:
		return session_quantity(r->s, &quantity_throughput, arg,
					&r->throughput);
	}
	return false;
}

static bool parse(struct report *r)
{
	struct session *s = r->s;
	char *arg;
	int id;

	while ((id = session_option(s, NULL, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(r, id, arg))
			return false;
	if (!session_operands(s, 1, 1))
		return false;
	if (r->quick && r->info.thorough)
		return session_wrong(s, _("--quick and --verify are mutually "
					  "exclusive"));
	if (r->quick && r->files.wanted)
		return session_wrong(s, _("--quick and --files are mutually "
					  "exclusive"));
	if (!r->output && !s->print.json_wanted)
		return session_wrong(s, _("--output is missing"));
	if (r->output && !strcmp(r->output, "-") && s->print.json_wanted)
		return session_wrong(s, _("--json and --output - are mutually "
					  "exclusive"));
	return true;
}

static bool prepare(struct report *r)
{
	struct session *s = r->s;
	bool view = r->info.thorough || r->files.wanted;
	bool csums = view || s->source.limits.check_data;

	return session_open(s) &&
	       session_build(s, E2LAZY_JMAP_STATES |
				(csums ? E2LAZY_JMAP_CSUMS : 0), true) &&
	       session_look(s) && (!view || session_view(s));
}

static bool confine_output(const struct report *r)
{
	saved_confine(r->output);
	return true;
}

static int run_report(const struct command *self, int argc, char **argv)
{
	struct report *r = calloc(1, sizeof(*r));
	int status = FSCK_ERROR;

	if (!r) {
		complain_error(NULL, EXT2_ET_NO_MEMORY);
		return status;
	}
	r->memory = memory_there_is() / MEMORY_PART;
	if (r->memory < LEAST_MEMORY)
		r->memory = LEAST_MEMORY;
	r->throughput = E2LAZY_PAPER_RATE;
	r->info.band = USUAL_BAND;
	r->info.s = r->s = session_begin(self, argc, argv);
	if (r->s) {
		if (parse(r) && confine_output(r) && prepare(r) &&
		    report_take_input(r) && report_look(r) &&
		    report_look_at_files(r) && report_page(r) &&
		    r->s->print.json_wanted)
			report_json(r);
		e2lazy_verdict_free(r->info.verdict);
		status = session_end(r->s);
	}
	report_free_files(r);
	free(r);
	return status;
}

const struct command report_command = {
	.name = "report",
	.usage = "DEVICE",
	.summary = N_("Make a page with pictures of the journal"),
	.run = run_report,
	.options = report_options,
	.writes = WRITES_BELOW,
};
