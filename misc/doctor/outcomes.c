/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * outcomes.c - what the stock tools make of a log
 *
 * Linux 6.18 and e2fsprogs 1.47 were run on an image of each kind; the tests
 * doctor-tools and doctor-mount run them again and count the blocks.
 */
#include <stddef.h>

#include "outcomes.h"
#include "support/nls.h"

#define OUTCOME(name, ...) static const struct outcome name = { __VA_ARGS__ }

OUTCOME(replays, "replays", N_("replays the log"), LOSS_NONE);
OUTCOME(idle, "nothing", N_("finds nothing to replay"), LOSS_NONE);
OUTCOME(clean, "calls-clean", N_("calls it clean; writes nothing"), LOSS_NONE);
OUTCOME(reports, "reports", N_("reports it; writes nothing"), LOSS_NONE);
OUTCOME(refuses, "refuses", N_("refuses; writes nothing"), LOSS_NONE);
OUTCOME(partly, "refuses-halfway",
	N_("writes a part of the log in place, then refuses"), LOSS_NONE);
OUTCOME(stops, "stops", N_("stops; the log stays as it is"), LOSS_NONE);
OUTCOME(discards, "discards", N_("succeeds, and discards the log unread"),
	LOSS_ALL);
OUTCOME(drops, "drops-all", N_("empties the log and replays nothing"),
	LOSS_ALL);
OUTCOME(deletes, "deletes",
	N_("deletes the journal with its log, and makes an empty one"),
	LOSS_ALL);
OUTCOME(removes, "removes", N_("deletes the journal with its log"), LOSS_ALL);
OUTCOME(cuts, "drops-end",
	N_("replays the log up to the damage, and drops the rest"), LOSS_END);
OUTCOME(older, "drops-copies",
	N_("replays all but the damaged copies, and empties the log"),
	LOSS_COPIES);
OUTCOME(overwrites, "overwrites",
	N_("replays an earlier file system's blocks over this one"),
	LOSS_STALE);
OUTCOME(puts_back, "puts-back",
	N_("replays older blocks over newer ones"), LOSS_UNKNOWN);
OUTCOME(mixes, "mixes",
	N_("replays the log, and puts older copies over blocks that are right"),
	LOSS_UNKNOWN);
OUTCOME(misreads, "misreads", N_("misreads the log, and empties it"),
	LOSS_UNKNOWN);
OUTCOME(not_known, "not-known",
	N_("not known: this kernel does not say what it was built with"),
	LOSS_NONE);
OUTCOME(unmeasured, "not-measured", N_("not measured"), LOSS_UNKNOWN);
OUTCOME(passes, "drops-hidden", N_("takes the log for empty"), LOSS_HIDDEN);
OUTCOME(wrong, "replays-wrong",
	N_("replays a log that wraps from the wrong blocks"), LOSS_UNKNOWN);
OUTCOME(ruins, "ruins",
	N_("replays a damaged superblock over the sound one"), LOSS_UNKNOWN);
OUTCOME(fresh, "overwrites-ring",
	N_("succeeds; new transactions overwrite the copies in the ring"),
	LOSS_UNKNOWN);
OUTCOME(frees, "frees-ring",
	N_("deletes the journal; new files overwrite its blocks"),
	LOSS_UNKNOWN);
OUTCOME(carries_out, "replays-fast-commits",
	N_("replays the log and the fast commits; run e2fsck -f afterwards"),
	LOSS_NONE);
OUTCOME(misapplies, "misapplies",
	N_("replays the fast commits wrongly: files get lost or come back"),
	LOSS_UNKNOWN);

#define ROW(mount, preen, force, tune, look) {				\
	[TOOL_MOUNT] = &mount, [TOOL_PREEN] = &preen,			\
	[TOOL_FORCE] = &force, [TOOL_TUNE] = &tune, [TOOL_LOOK] = &look }

static const struct outcome *const behaviours[NR_BEHAVIOURS][NR_TOOLS] = {
	[BEHAVE_SOUND] = ROW(replays, replays, replays, replays, clean),
	[BEHAVE_EMPTY] = ROW(idle, idle, idle, idle, clean),
	[BEHAVE_UNSAFE_FLAG] = ROW(discards, stops, replays, removes, clean),
	[BEHAVE_NO_MAGIC] = ROW(refuses, deletes, deletes, stops, reports),
	[BEHAVE_BAD_SUPER] = ROW(refuses, drops, drops, drops, reports),
	[BEHAVE_BAD_START] = ROW(refuses, drops, drops, drops, clean),
	[BEHAVE_WRONG_RING] = ROW(refuses, wrong, wrong, wrong, clean),
	[BEHAVE_JOURNAL_FEATURES] = ROW(refuses, stops, stops, drops, reports),
	[BEHAVE_FEATURES] = ROW(refuses, stops, stops, stops, reports),
	[BEHAVE_NO_JOURNAL] = ROW(refuses, stops, stops, stops, reports),
	[BEHAVE_NO_INODE] = ROW(refuses, deletes, deletes, stops, reports),
	[BEHAVE_BAD_GROUPS] = ROW(refuses, removes, replays, stops, reports),
	[BEHAVE_BACKUP] = ROW(refuses, stops, replays, stops, reports),
	[BEHAVE_READ_ONLY] = ROW(refuses, stops, stops, stops, clean),
	[BEHAVE_CONTROL] = ROW(refuses, drops, drops, drops, clean),
	[BEHAVE_COMMIT] = ROW(partly, cuts, cuts, cuts, clean),
	[BEHAVE_HOLE] = ROW(cuts, cuts, cuts, cuts, clean),
	[BEHAVE_COPIES] = ROW(partly, older, older, older, clean),
	[BEHAVE_SUPER_COPY] = ROW(ruins, ruins, ruins, ruins, clean),
	[BEHAVE_STALE] = ROW(overwrites, overwrites, overwrites, overwrites,
			     clean),
	[BEHAVE_REPLAYED] = ROW(puts_back, puts_back, puts_back, puts_back,
				clean),
	[BEHAVE_AT_HOME] = ROW(partly, mixes, mixes, mixes, clean),
	[BEHAVE_UUID] = ROW(replays, stops, stops, stops, reports),
	[BEHAVE_USERS] = ROW(replays, misreads, misreads, misreads, reports),
	[BEHAVE_REFUSED] = ROW(refuses, replays, replays, replays, clean),
	[BEHAVE_NOT_KNOWN] = ROW(not_known, replays, replays, replays, clean),
	[BEHAVE_MMP] = ROW(refuses, stops, stops, stops, reports),
	[BEHAVE_SUPER_CSUM] = ROW(refuses, stops, stops, stops, reports),
	[BEHAVE_BAD_SECTOR] = ROW(refuses, stops, unmeasured, unmeasured,
				  unmeasured),
	[BEHAVE_HIDDEN] = ROW(passes, passes, passes, passes, clean),
	[BEHAVE_DISCARDED] = ROW(fresh, idle, idle, frees, clean),
	[BEHAVE_FAST_STALE] = ROW(replays, drops, drops, drops, clean),
	[BEHAVE_FAST_UNFINISHED] = ROW(refuses, drops, drops, drops, clean),
	[BEHAVE_FAST_WRAPPED] = ROW(replays, wrong, wrong, drops, clean),
	[BEHAVE_FAST_COMMITS] = ROW(carries_out, misapplies, misapplies,
				    drops, clean),
	[BEHAVE_FAST_AREA] = ROW(replays, replays, replays, drops, clean),
};

const struct outcome *outcome_of(enum behaviour behaviour, enum tool tool)
{
	return behaviours[behaviour][tool];
}

bool outcome_gives_way(const struct outcome *first,
		       const struct outcome *next)
{
	if (first == &cuts || first == &older || first == &overwrites)
		return next == &drops;
	return first == &replays;
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
