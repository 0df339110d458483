/* SPDX-License-Identifier: GPL-2.0-only */
/* tools.h - what the stock tools make of a log, before they are run */
#ifndef MISC_STATES_TOOLS_H
#define MISC_STATES_TOOLS_H

#include <stdbool.h>

enum tool {
	TOOL_MOUNT,
	TOOL_PREEN,		/* as fsck at boot */
	TOOL_FORCE,
	TOOL_TUNE,
	TOOL_LOOK,
	NR_TOOLS
};

/* The blocks that a tool loses. */
enum loss {
	LOSS_NONE,
	LOSS_ALL,		/* each that is newer in the log than in place,
				   and the fast commits */
	LOSS_END,		/* those with their newest copy behind damage */
	LOSS_COPIES,		/* those whose newest copy is damaged */
	LOSS_STALE,		/* those that an earlier file system overwrites */
	LOSS_HIDDEN,		/* those of transactions that are passed over */
	LOSS_UNKNOWN,
};

struct outcome {
	const char	*id;		/* in JSON; never changes */
	const char	*text;
	enum loss	loss;
};

/* Each was measured, but for the first one. */
enum what {
	UNMEASURED, REPLAYS, IDLE, CLEAN, REPORTS, REFUSES, PARTLY, STOPS,
	DISCARDS, DROPS, DELETES, REMOVES, CUTS, OLDER, OVERWRITES, PUTS_BACK,
	MIXES, MISREADS, NOT_KNOWN, PASSES, WRONG, RUINS, FRESH, FREES,
	CARRIES_OUT, MISAPPLIES, NOTES_ERROR,
	DROPS_TORN, LATE, CHECKS, CHECKS_ONLY,
	NR_OUTCOMES
};

/* A row's cells, and the versions that they were measured with. */
struct tools {
	enum what	of[NR_TOOLS];
	const char	*kernel, *e2fsprogs;
};
#define TOOLS(mount, preen, force, tune, look)				\
	{ { mount, preen, force, tune, look }, "6.18", "1.47.0, 1.47.2" }
/* What the test has no image of. */
#define TOOLS_BY_HAND(mount, preen, force, tune, look)			\
	{ { mount, preen, force, tune, look }, "6.18", "1.47.0" }

const struct outcome *outcome_of(enum what what);
/*
 * A tool that replays the log of the first state, or a part of it, comes to the
 * next one.  Does @next replace @first then?
 */
bool outcome_gives_way(enum what first, enum what next);
/* The command line of a tool, without the device. */
const char *tool_command(enum tool tool);

#endif
