/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.c - the options of a command, from tables
 */
#include <stdio.h>
#include <string.h>

#include "nls.h"
#include "options.h"
#include "status.h"
#include "suggest.h"

/* Column of the explanations in --help. */
#define HELP_COLUMN	28

void options_begin(struct options *options)
{
	const struct option_line *const *table, *line, **known;
	struct option *to = options->longs;
	char *letter = options->shorts;

	if (options->leading)
		*letter++ = '+';
	*letter++ = ':';
	known = options->lines;
	for (table = options->tables; *table; table++) {
		for (line = *table; line->id; line++, to++) {
			to->name = line->name;
			to->has_arg = line->arg ? required_argument
						: no_argument;
			to->flag = NULL;
			to->val = line->id;
			*known++ = line;
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

/* The option that was probably meant, or NULL. */
static const char *similar(const struct options *options, const char *word)
{
	const struct option_line *const *table, *line;
	struct suggestion like = {
		.word = word + 2, .length = strcspn(word + 2, "="),
	};

	for (table = options->tables; *table; table++) {
		for (line = *table; line->id; line++) {
			if (!strncmp(line->name, like.word, like.length))
				return NULL;	/* it is ambiguous */
			suggest(&like, line->name);
		}
	}
	return like.best;
}

static void complain_long(const struct options *options, const char *word)
{
	const char *name = similar(options, word);

	if (name)
		complain(options->command,
			 _("unknown option %s; did you mean '--%s'?"), word,
			 name);
	else
		complain(options->command,
			 _("unknown or ambiguous option %s"), word);
}

static bool is_letter(const struct options *options, int id)
{
	const struct option *option;

	for (option = options->longs; option->name; option++)
		if (option->val == id)
			return true;
	return false;
}

/*
 * getopt's own messages would not name the command.  If other letters follow an
 * unknown one in its word, optind still points to that word.  Then
 * argv[optind - 1] is the word before, which is not wrong.
 */
static void complain_option(const struct options *options, int result)
{
	const char *word = options->argv[optind - 1];
	char letter[3] = { '-', optopt, 0 };
	bool unknown = optopt > 0 && optopt < OPTION_LONG &&
		       !is_letter(options, optopt);

	/* The id of a long option is no letter. */
	if (optopt > 0 && optopt < OPTION_LONG &&
	    (unknown || strncmp(word, "--", 2)))
		word = letter;
	if (result == ':')
		complain(options->command, _("%s needs an argument"), word);
	else if (optopt == 0)
		complain_long(options, word);
	else if (!unknown)
		complain(options->command, _("%s takes no argument"), word);
	else
		complain(options->command, _("unknown option %s"), word);
}

static bool counts_each(const struct option_line *line)
{
	size_t length = strlen(line->arg);

	return length > 3 && !strcmp(line->arg + length - 3, "...");
}

/* Refuse a second, different argument: neither is more likely to be meant. */
static bool contradicts(struct options *options, int id, const char *arg)
{
	const char **given = options->given;
	const struct option_line *line;
	size_t i = 0;

	while (options->lines[i]->id != id)
		i++;
	line = options->lines[i];
	options->seen[i] = true;
	if (!arg || counts_each(line))
		return false;
	if (!given[i])
		given[i] = arg;
	if (!strcmp(given[i], arg))
		return false;
	complain(options->command, _("--%s is given twice, with '%s' and with "
				     "'%s'"), line->name, given[i], arg);
	return true;
}

static bool is_among(const char *name, const char *names)
{
	size_t length = strlen(name);

	for (; *names; names += strspn(names, " ")) {
		size_t word = strcspn(names, " ");

		if (word == length && !strncmp(names, name, length))
			return true;
		names += word;
	}
	return false;
}

static const char *first_given(const struct options *options,
			       const char *names, bool among)
{
	for (size_t i = 0; i < MAX_OPTIONS && options->lines[i]; i++)
		if (options->seen[i] &&
		    is_among(options->lines[i]->name, names) == among)
			return options->lines[i]->name;
	return NULL;
}

const char *options_given(const struct options *options, const char *names)
{
	return first_given(options, names, true);
}

const char *options_but(const struct options *options, const char *names)
{
	return first_given(options, names, false);
}

bool options_know(const struct options *options, const char *name)
{
	for (size_t i = 0; i < MAX_OPTIONS && options->lines[i]; i++)
		if (!strcmp(options->lines[i]->name, name))
			return true;
	return false;
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
	if (contradicts(options, result, optarg))
		return OPTION_BAD;
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
