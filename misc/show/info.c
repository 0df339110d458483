/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * info.c - e2lazy info: the facts about a journal
 */
#include "facts/info.h"
#include "session/quantities.h"
#include "support/nls.h"
#include "support/status.h"

enum { OPT_IDENTIFY = OPTION_COMMAND, OPT_BAND };

static const struct option_line info_options[] = {
	{ OPT_IDENTIFY, "identify", NULL,
	  N_("read blocks of type other to find their type") },
	{ OPT_BAND, "band", "SIZE",
	  N_("count the bands with fixed metadata on a shingled\n"
	     "drive, and the cost of cleaning them") },
	{ 0 }
};

static bool take_option(struct info *info, int id, const char *arg)
{
	if (id == OPT_IDENTIFY)
		return info->identify = true;
	if (id != OPT_BAND)
		return false;
	return session_quantity(info->s, &quantity_band, arg, &info->band);
}

/* Superseded copies are verified by the map. */
static bool build(struct session *s)
{
	unsigned csums = s->source.limits.check_data ? E2LAZY_JMAP_CSUMS : 0;

	return session_build(s, E2LAZY_JMAP_STATES | csums, false);
}

static int run_info(const struct command *self, int argc, char **argv)
{
	struct info info = { .s = session_begin(self, argc, argv) };
	char *arg;
	int id;

	if (!info.s)
		return FSCK_ERROR;
	do {
		id = session_option(info.s, NULL, &arg);
	} while (take_option(&info, id, arg));
	if (id == OPTION_END && session_operands(info.s, 1, 1) &&
	    session_open(info.s) && build(info.s) && session_look(info.s)) {
		info_gather(&info);
		if (!cancelled())
			info_print(&info);
	}
	e2lazy_verdict_free(info.verdict);
	return session_end(info.s);
}

const struct command info_command = {
	.name = "info",
	.usage = "DEVICE",
	.summary = N_("Show the journal's geometry, contents, hazards and "
		      "costs"),
	.run = run_info,
	.options = info_options,
};
