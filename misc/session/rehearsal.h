/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rehearsal.h - what a tool really does to a file system: it runs on overlays
 *
 * The device, and that of an external journal, are shown as they are; what is
 * written goes to a temporary file, and is gone afterwards.
 */
#ifndef MISC_REHEARSAL_H
#define MISC_REHEARSAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

enum rehearsed_tool {
	REHEARSE_PREEN,		/* e2fsck -p */
	REHEARSE_FORCE,		/* e2fsck -fy */
	REHEARSE_MOUNT,		/* by the running kernel */
	NR_REHEARSED
};

/* The files before are those of: */
enum rehearsed_from {
	FROM_NOTHING,		/* nothing opens the file system */
	FROM_VIEW,		/* the log, as 'e2lazy view' shows it */
	FROM_SALVAGED,		/* the log that 'e2lazy salvage' finds */
	FROM_PLACE,		/* the blocks in place: no log can be read */
	NR_REHEARSED_FROM
};

enum rehearsed_log {
	LOG_UNREADABLE,		/* its superblock is not usable afterwards */
	LOG_KEPT,
	LOG_EMPTIED,
	LOG_WAS_EMPTY,
	LOG_REMOVED,		/* the file system has no journal afterwards */
	NR_REHEARSED_LOG
};

enum rehearsed_change { CHANGE_GONE, CHANGE_CHANGED, CHANGE_NEW, CHANGE_UNREAD };

/* A confined process has counted this: no pointers. */
struct rehearsed {
	bool		ended;		/* the tool ran, to its end */
	bool		full;		/* the overlay reached its limit */
	int		status;		/* exit status; of a mount: errno */
	int		signal;		/* or the signal that has ended it */
	uint64_t	overlay;	/* bytes that the overlays hold */
	bool		compared;	/* what follows is known */
	enum rehearsed_from from;
	enum rehearsed_log log;
	/* Blocks that are newer in the log than in place. */
	uint64_t	newer;
	uint64_t	written;	/* their newest copy is in place now */
	uint64_t	lost;		/* nothing is, and the log is gone */
	uint64_t	other;		/* something else is in place */
	/* Files, directories and all else that has a path. */
	uint64_t	before, after;
	uint64_t	same, changed, gone, made, unread;
	uint64_t	listed;		/* of the changes, in the text */
};

struct rehearsal {
	bool		done;		/* else the reason was told */
	enum rehearsed_tool tool;
	struct rehearsed r;
	/*
	 * @r.listed changes, each a letter of enum rehearsed_change from 'a' on,
	 * a path and a NUL; then what the tool said.  Ends with a NUL.
	 */
	char		*text;
	size_t		bytes;
};

const char *rehearsed_command(enum rehearsed_tool tool);
/*
 * Run @tool on overlays of at most @most bytes.  The session has options and
 * operands, and is neither open nor confined.  False after a complaint.
 */
bool rehearse(struct session *s, enum rehearsed_tool tool, uint64_t most,
	      struct rehearsal *out);
void rehearsal_free(struct rehearsal *rehearsal);

#endif
