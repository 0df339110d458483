/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.h - a command, as the program's table and its own --help have it
 */
#ifndef MISC_COMMAND_H
#define MISC_COMMAND_H

#include <stdbool.h>

#include "support/options.h"
#include "support/out.h"

struct session;

/* Which of the options that commands have in common one of them takes. */
enum command_kind {
	COMMAND_LOOKS,		/* all */
	COMMAND_OPENS,		/* not those about what is printed */
	COMMAND_MENDS,		/* not those about how much of the log counts */
	COMMAND_MAKES,		/* those about what is printed: there is no
				   log yet */
	COMMAND_PLAIN,		/* --help */
};

struct command {
	const char	*name;
	const char	*usage;		/* what stands behind the options */
	const char	*summary;
	int		(*run)(const struct command *self, int argc,
			       char **argv);
	const struct option_line *options;	/* its own, or NULL */
	bool		lists;		/* has the options of struct listing */
	void		(*help)(struct out *out);	/* the rest, or NULL */
	enum command_kind kind;
	const char	*call;		/* how it is called; NULL: e2lazy @name */
	/*
	 * What to look at, instead of a first operand DEVICE: a session whose
	 * map has commit times, E2LAZY_JMAP_STATES and E2LAZY_JMAP_CSUMS.
	 * NULL: there is that operand.
	 */
	struct session	*lender;
};

extern const struct command info_command, dump_command, log_command,
	history_command, cat_command, diff_command, view_command;

void command_help(const struct command *command, struct out *out);
void print_version(const char *program, struct out *out);

#endif
