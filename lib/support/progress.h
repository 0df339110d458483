/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.h - the progress of a long job
 *
 * If stderr is a terminal, it shows a bar with rate and remaining time, else a
 * line every 5 seconds.  It shows neither for work that ends within a second,
 * nor while rows run over the terminal.  With a file descriptor, it writes
 * lines "phase cur max device" as e2fsck -C does.
 */
#ifndef SUPPORT_PROGRESS_H
#define SUPPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * -C prints these numbers.  In a run of a program a phase has one meaning and
 * one total, never goes backwards, and does not come back.
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
	PHASE_READ,		/* live copies read into memory */
	PHASE_SUPERSEDED,	/* superseded copies verified */
	PHASE_UNDO,		/* static blocks read for an undo file */
	PHASE_TXNS,		/* transactions verified */
	PHASE_RING,		/* log blocks past the end looked at */
	PHASE_ROLES,		/* live blocks compared with their owners */
	PHASE_ESCAPES,		/* older escaped copies compared */
	PHASE_IN_PLACE,		/* copies compared with static blocks */
	PHASE_COMPARE,		/* static blocks read back */
	PHASE_HOME,		/* live copies compared with home */
	PHASE_FILES,		/* deleted files read, or restored */
	PHASE_TRACE,		/* a trace, in bytes of its file */
	PHASE_CARVE,		/* device blocks searched for a log */
	PHASE_SURVEY,		/* log blocks read for their form */
	PHASE_RECORD,		/* requests as they come: no total */
	PHASE_HASH,		/* bytes of a device, for its checksum */
	PHASE_REHEARSE,		/* tools that ran on overlays */
};

struct progress {
	/* Set by the caller. */
	const char	*device;
	bool		quiet;
	int		fd;	/* of -C, or -1 */
	/* Set by progress.c. */
	enum phase	phase;
	bool		terminal;
	bool		hushed;
	bool		drawn;
	uint64_t	done, total;
	unsigned	past;		/* phases begun before, as bits */
	bool		again;		/* the phase is one of them: stay silent */
	double		began, shown, sent;	/* seconds */
};

/* Rows between two ticks, because a row costs less than a look at the clock. */
#define PROGRESS_ROWS	4096

void progress_begin(struct progress *progress, enum phase phase);
/* False when a signal asks to stop. */
bool progress_tick(struct progress *progress, uint64_t done, uint64_t total);
/*
 * For work without an end that is known: show @text, as often as a bar, and on
 * a terminal in its place.  False when a signal asks to stop.
 */
bool progress_note(struct progress *progress, const char *text);
/* Remove the bar from the terminal before other output. */
void progress_hide(struct progress *progress);
void progress_end(struct progress *progress);

#endif
