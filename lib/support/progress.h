/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.h - what a long job tells about itself
 *
 * On a terminal's stderr a bar with rate and remaining time, elsewhere a line
 * every 5 seconds; neither for work that ends within a second, nor while rows
 * run over the terminal.  With a file descriptor, lines "phase cur max device"
 * as of e2fsck -C.
 */
#ifndef SUPPORT_PROGRESS_H
#define SUPPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Their numbers are what -C prints.  In a run of a program a phase has one
 * meaning and one total, never goes backwards, and does not come back.
 */
enum phase {
	PHASE_NONE,
	PHASE_LOG,		/* the log's control blocks, in ring blocks */
	PHASE_COPIES,		/* copies listed or counted */
	PHASE_BEYOND,		/* ring blocks past the head */
	PHASE_INODES,		/* inodes, for the blocks they own */
	PHASE_DIRECTORIES,	/* directories, for their names */
	PHASE_VERIFY,		/* live copies verified */
	PHASE_WRITE,		/* live copies written back */
	PHASE_READ,		/* live copies read, to be kept */
	PHASE_SUPERSEDED,	/* superseded copies verified */
	PHASE_UNDO,		/* static blocks read, to be kept for e2undo */
	PHASE_TXNS,		/* transactions gone through */
	PHASE_RING,		/* log blocks past the end looked at */
	PHASE_ROLES,		/* live blocks held against their owners */
	PHASE_ESCAPES,		/* older escaped copies compared */
	PHASE_IN_PLACE,		/* copies compared with static blocks */
	PHASE_COMPARE,		/* static blocks read back */
	PHASE_HOME,		/* live copies looked for in place */
};

struct progress {
	/* Set by the caller. */
	const char	*device;
	bool		quiet;
	int		fd;	/* of -C, or -1 */
	/* Kept here. */
	enum phase	phase;
	bool		terminal;
	bool		hushed;
	bool		drawn;
	uint64_t	done, total;
	unsigned	past;		/* phases that were begun, as bits */
	bool		again;		/* this is one of them: say nothing */
	double		began, shown, sent;	/* seconds */
};

/* Rows between two ticks, where a row costs less than a look at the clock. */
#define PROGRESS_ROWS	4096

void progress_begin(struct progress *progress, enum phase phase);
/* False when a signal asks to stop. */
bool progress_tick(struct progress *progress, uint64_t done, uint64_t total);
/* Take the bar off the terminal, for what else is to be printed there. */
void progress_hide(struct progress *progress);
void progress_end(struct progress *progress);

#endif
