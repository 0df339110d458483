/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tools.c - what the stock tools make of a log
 *
 * They were run on an image of each kind; tests/matrix runs them again, and
 * counts the blocks.
 */
#include "support/nls.h"
#include "tools.h"

static const struct outcome outcomes[NR_OUTCOMES] = {
	[REPLAYS] = { "replays", N_("replays the log"), LOSS_NONE },
	[IDLE] = { "nothing", N_("finds nothing to replay"), LOSS_NONE },
	[CLEAN] = { "calls-clean",
		N_("calls it clean; writes nothing"),
		LOSS_NONE },
	[REPORTS] = { "reports", N_("reports it; writes nothing"), LOSS_NONE },
	[REFUSES] = { "refuses", N_("refuses; writes nothing"), LOSS_NONE },
	[NOTES_ERROR] = { "refuses-marks",
		N_("refuses, and notes the error in the superblock"),
		LOSS_NONE },
	[DROPS_TORN] = { "drops-torn",
		N_("replays the log up to the torn commit block, and drops "
		   "the rest"),
		LOSS_UNKNOWN },
	[LATE] = { "refuses-after",
		N_("replays the log, then refuses"),
		LOSS_NONE },
	[CHECKS] = { "replays-checks",
		N_("replays the log, then checks the whole file system"),
		LOSS_NONE },
	[CHECKS_ONLY] = { "checks",
		N_("checks the whole file system in place; writes nothing"),
		LOSS_NONE },
	[PARTLY] = { "refuses-halfway",
		N_("writes a part of the log in place, then refuses"),
		LOSS_NONE },
	[STOPS] = { "stops", N_("stops; the log stays as it is"), LOSS_NONE },
	[DISCARDS] = { "discards",
		N_("succeeds, and discards the log unread"),
		LOSS_ALL },
	[DROPS] = { "drops-all",
		N_("empties the log and replays nothing"),
		LOSS_ALL },
	[DELETES] = { "deletes",
		N_("deletes the journal with its log, and makes an empty one"),
		LOSS_ALL },
	[REMOVES] = { "removes",
		N_("deletes the journal with its log"),
		LOSS_ALL },
	[CUTS] = { "drops-end",
		N_("replays the log up to the damage, and drops the rest"),
		LOSS_END },
	[OLDER] = { "drops-copies",
		N_("replays all but the damaged copies, and empties the log"),
		LOSS_COPIES },
	[OVERWRITES] = { "overwrites",
		N_("replays an earlier file system's blocks over this one"),
		LOSS_STALE },
	[PUTS_BACK] = { "puts-back",
		N_("replays older blocks over newer ones"),
		LOSS_UNKNOWN },
	[MIXES] = { "mixes",
		N_("replays the log, and puts older copies over blocks that are right"),
		LOSS_UNKNOWN },
	[MISREADS] = { "misreads",
		N_("misreads the log, and empties it"),
		LOSS_UNKNOWN },
	[NOT_KNOWN] = { "not-known",
		N_("not known: this kernel does not say what it was built with"),
		LOSS_NONE },
	[UNMEASURED] = { "not-measured", N_("not measured"), LOSS_UNKNOWN },
	[PASSES] = { "drops-hidden",
		N_("treats the log as empty"),
		LOSS_HIDDEN },
	[WRONG] = { "replays-wrong",
		N_("replays a log that wraps from the wrong blocks"),
		LOSS_UNKNOWN },
	[RUINS] = { "ruins",
		N_("replays a damaged superblock over the sound one"),
		LOSS_UNKNOWN },
	[FRESH] = { "overwrites-ring",
		N_("succeeds; new transactions overwrite the copies in the ring"),
		LOSS_UNKNOWN },
	[FREES] = { "frees-ring",
		N_("deletes the journal; new files overwrite its blocks"),
		LOSS_UNKNOWN },
	[CARRIES_OUT] = { "replays-fast-commits",
		N_("replays the log and the fast commits; run e2fsck -f afterwards"),
		LOSS_NONE },
	[MISAPPLIES] = { "misapplies",
		N_("replays the fast commits wrongly: files get lost or come back"),
		LOSS_UNKNOWN },
};

const struct outcome *outcome_of(enum what what)
{
	return &outcomes[what];
}

bool outcome_gives_way(enum what first, enum what next)
{
	if (first == CUTS || first == OLDER || first == OVERWRITES ||
	    first == DROPS_TORN)
		return next == DROPS;
	return first == REPLAYS;
}

const char *tool_command(enum tool tool)
{
	static const char *const commands[] = {
		[TOOL_MOUNT] = "mount",
		[TOOL_PREEN] = "e2fsck -p",
		[TOOL_FORCE] = "e2fsck -fy",
		[TOOL_TUNE] = "tune2fs -O ^has_journal",
		[TOOL_LOOK] = "e2fsck -n",
	};

	return commands[tool];
}
