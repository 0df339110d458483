/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.h - a command: its entry in the program's table and in --help
 */
#ifndef MISC_COMMAND_H
#define MISC_COMMAND_H

#include <stdbool.h>

#include "support/options.h"
#include "support/out.h"

struct session;

/* The common options that a command takes. */
enum command_kind {
	COMMAND_LOOKS,		/* all */
	COMMAND_OPENS,		/* all but the options for output */
	COMMAND_MENDS,		/* all but the limits of the log */
	COMMAND_MAKES,		/* only the options for output: no log is
				   open */
	COMMAND_READS,		/* only the options for output and progress: it
				   reads files and opens no device */
	COMMAND_DRAWS,		/* the same, but a picture is no JSON */
	COMMAND_PLAIN,		/* --help */
};

/*
 * What a command writes but for its standard files: see confine.h.  With the
 * first two, session_end() demands that the process is confined.
 */
enum command_writes {
	WRITES_NOTHING,
	WRITES_BELOW,		/* below a directory: it confines itself */
	WRITES_ANYTHING,	/* or it runs programs, or has commands */
};

struct command {
	const char	*name;
	const char	*usage;		/* operands, for the usage line */
	const char	*summary;
	int		(*run)(const struct command *self, int argc,
			       char **argv);
	const struct option_line *options;	/* its own options, or NULL */
	bool		lists;		/* takes the options of a listing */
	bool		salvages;	/* takes --geometry, whatever its kind */
	void		(*help)(struct out *out);	/* of --help, or NULL */
	enum command_kind kind;
	enum command_writes writes;
	/* Commands of its own, "SELF WORD", up to a NULL; NULL: none. */
	const struct command *const *commands;
	const char	*call;		/* its full name; NULL: e2lazy @name */
	bool		called;		/* by a program that goes on afterwards, and
					   keeps its rights for that */
	int		*ran;		/* then: where view puts the exit status
					   of its command, if that has run */
	/*
	 * An open device in place of the operand DEVICE: a session whose map
	 * has commit times, E2LAZY_JMAP_STATES and E2LAZY_JMAP_CSUMS.  NULL:
	 * the command takes DEVICE.
	 */
	struct session	*lender;
};

extern const struct command info_command, dump_command, log_command,
	history_command, cat_command, diff_command, blame_command,
	timeline_command, view_command, undelete_command, salvage_command,
	rescue_command, trace_command, simulate_command, doctor_command,
	report_command, evidence_command,
	plot_command;

/*
 * What each program does first: its standard files, language and texts of
 * errors.  False, after a complaint, where that fails.
 */
bool program_begin(void);
/* Run @command, which may then write no more than its entry says. */
int command_run(const struct command *command, int argc, char **argv);
void command_help(const struct command *command, struct out *out);
void print_version(const char *program, struct out *out);

#endif
