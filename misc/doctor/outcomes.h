/* SPDX-License-Identifier: GPL-2.0-only */
/* outcomes.h - what the stock tools make of a log, before they are run */
#ifndef MISC_DOCTOR_OUTCOMES_H
#define MISC_DOCTOR_OUTCOMES_H

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

/* The ways in which all tools together behave; each was measured. */
enum behaviour {
	BEHAVE_UNKNOWN,		/* no tool's outcome is known */
	BEHAVE_SOUND,
	BEHAVE_EMPTY,
	BEHAVE_UNSAFE_FLAG,	/* needs_recovery is clear */
	BEHAVE_NO_MAGIC,
	BEHAVE_BAD_SUPER,
	BEHAVE_BAD_START,
	BEHAVE_WRONG_RING,
	BEHAVE_JOURNAL_FEATURES,
	BEHAVE_FEATURES,
	BEHAVE_NO_JOURNAL,
	BEHAVE_NO_INODE,
	BEHAVE_BAD_GROUPS,
	BEHAVE_BACKUP,
	BEHAVE_READ_ONLY,
	BEHAVE_CONTROL,		/* a descriptor or revoke block is damaged */
	BEHAVE_COMMIT,		/* a commit block is */
	BEHAVE_HOLE,		/* the damage looks like the end */
	BEHAVE_COPIES,		/* copies are */
	BEHAVE_SUPER_COPY,	/* the superblock's copy is */
	BEHAVE_STALE,
	BEHAVE_REPLAYED,	/* transactions that were replayed before */
	BEHAVE_AT_HOME,		/* bad copies of blocks that are right */
	BEHAVE_UUID,		/* an inode and the UUID of a device */
	BEHAVE_USERS,		/* an inode, and a count of several users */
	BEHAVE_REFUSED,		/* by this kernel, for what it is built without */
	BEHAVE_NOT_KNOWN,	/* whether it is */
	BEHAVE_MMP,		/* held by e2fsck, or by one that was killed */
	BEHAVE_SUPER_CSUM,	/* of the only superblock */
	BEHAVE_BAD_SECTOR,	/* in the log */
	BEHAVE_HIDDEN,
	BEHAVE_DISCARDED,
	BEHAVE_FAST_STALE,	/* of another transaction */
	BEHAVE_FAST_UNFINISHED,	/* the first one has no sound end */
	BEHAVE_FAST_WRAPPED,	/* the log wraps before the area */
	BEHAVE_FAST_COMMITS,
	BEHAVE_FAST_AREA,	/* whatever is in it */
	NR_BEHAVIOURS
};

/* NULL if it is not known. */
const struct outcome *outcome_of(enum behaviour behaviour, enum tool tool);
/*
 * A tool that replays the log of the first story, or a part of it, comes to the
 * next one.  Does @next replace @first then?
 */
bool outcome_gives_way(const struct outcome *first,
		       const struct outcome *next);
/* The command line of a tool, without the device. */
const char *tool_command(enum tool tool);

#endif
