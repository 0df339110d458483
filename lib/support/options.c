/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.c - the options of a command, from tables
 */
#include <stdio.h>
#include <string.h>

#include "nls.h"
#include "options.h"
#include "status.h"

/* Where the explanations of options stand in --help. */
#define HELP_COLUMN	28

void options_begin(struct options *options)
{
	const struct option_line *const *table, *line;
	struct option *to = options->longs;
	char *letter = options->shorts;

	if (options->leading)
		*letter++ = '+';
	*letter++ = ':';
	for (table = options->tables; *table; table++) {
		for (line = *table; line->id; line++, to++) {
			to->name = line->name;
			to->has_arg = line->arg ? required_argument
						: no_argument;
			to->flag = NULL;
			to->val = line->id;
			if (line->id >= OPTION_LONG)
				continue;
			*letter++ = line->id;
			if (line->arg)
				*letter++ = ':';
		}
	}
	memset(to, 0, sizeof(*to));
	*letter = 0;
	opterr = 0;
	optind = 0;	/* makes glibc forget an earlier command line */
}

/* getopt's own messages would not name the command. */
static void complain_option(const struct options *options, int result)
{
	const char *word = options->argv[optind - 1];
	char letter[3] = { '-', optopt, 0 };

	/* A long option has no letter, or an id that is none. */
	if (optopt > 0 && optopt < OPTION_LONG && strncmp(word, "--", 2))
		word = letter;
	if (result == ':')
		complain(options->command, _("%s needs an argument"), word);
	else if (optopt == 0)
		complain(options->command,
			 _("unknown or ambiguous option %s"), word);
	else if (!strncmp(word, "--", 2))
		complain(options->command, _("%s takes no argument"), word);
	else
		complain(options->command, _("unknown option %s"), word);
}

int options_next(struct options *options, char **arg)
{
	int result = getopt_long(options->argc, options->argv,
				 options->shorts, options->longs, NULL);

	*arg = optarg;
	if (result == '?' || result == ':') {
		complain_option(options, result);
		return OPTION_BAD;
	}
	if (result == -1) {
		options->rest = optind;
		return OPTION_END;
	}
	return result;
}

void options_help(struct out *out, const struct option_line *table)
{
	const struct option_line *line;
	char left[80];
	const char *help, *end;
	int n;

	for (line = table; line->id; line++) {
		if (line->id < OPTION_LONG)
			n = snprintf(left, sizeof(left), "  -%c, --%s",
				     line->id, line->name);
		else
			n = snprintf(left, sizeof(left), "      --%s",
				     line->name);
		if (line->arg)
			snprintf(left + n, sizeof(left) - n, " %s", line->arg);
		for (help = _(line->help);; help = end + 1) {
			end = strchrnul(help, '\n');
			out_left(out, left, HELP_COLUMN);
			out_bytes(out, help, end - help);
			out_char(out, '\n');
			if (!*end)
				break;
			*left = 0;
		}
	}
}
