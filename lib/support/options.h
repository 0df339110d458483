/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - the options of a command, from tables
 *
 * The tables give both the input of getopt_long() and the text of --help.
 */
#ifndef SUPPORT_OPTIONS_H
#define SUPPORT_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

#include "out.h"

struct option_line {
	int		id;	/* the short letter, or from OPTION_LONG on */
	const char	*name;	/* of the long option */
	const char	*arg;	/* name of its argument, NULL: takes none;
				   with "...": may be given several times */
	const char	*help;	/* may have several lines */
};

#define OPTION_LONG	256
#define OPTION_COMMAND	512	/* ids below: options that commands share */
#define OPTION_END	(-1)	/* options_next(): no more */
#define OPTION_BAD	(-2)	/* the user has seen a complaint */

#define MAX_OPTIONS	48
#define MAX_TABLES	12

struct options {
	/* Each ends with a line of id 0; the last table pointer is NULL. */
	const struct option_line *tables[MAX_TABLES];
	const char	*command;	/* for messages; NULL: the program */
	bool		leading;	/* stop at the first other argument */
	int		argc;
	char		**argv;
	int		rest;	/* after OPTION_END: the first other argument */
	const struct option_line *lines[MAX_OPTIONS];	/* of the tables */
	const char	*given[MAX_OPTIONS];	/* their arguments so far */
	bool		seen[MAX_OPTIONS];	/* those that were given */
	struct option	longs[MAX_OPTIONS + 1];
	char		shorts[3 + 2 * MAX_OPTIONS];
};

/* @options has tables, command, leading, argc and argv set. */
void options_begin(struct options *options);
/*
 * The id of the next option; @arg is its argument or NULL.  OPTION_BAD also for
 * an option given again with another argument, unless it may be given several
 * times.
 */
int options_next(struct options *options, char **arg);

/*
 * The first option of @names, long names with blanks between them, that was
 * given; or NULL.  The reverse: the first one that is not among them.
 */
const char *options_given(const struct options *options, const char *names);
const char *options_but(const struct options *options, const char *names);
/* Do the tables have a long option of that name? */
bool options_know(const struct options *options, const char *name);

void options_help(struct out *out, const struct option_line *table);

#endif
