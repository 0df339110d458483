/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session_args.c - the command line: what all commands have in common
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session.h"
#include "support/nls.h"
#include "support/status.h"

enum {
	OPT_JSON = OPTION_LONG, OPT_CHECK, OPT_UNTIL, OPT_COLOR,
	OPT_COLUMNS, OPT_HEADINGS, OPT_RAW,
	OPT_OWN,		/* the commands' own come after these */
};
_Static_assert(OPT_OWN <= OPTION_COMMAND, "option ids overlap");

static const struct option_line common_options[] = {
	{ 'j', "journal", "DEV", N_("the external journal") },
	{ 'b', "superblock", "N",
	  N_("use the backup superblock in block N (needs -B)") },
	{ 'B', "blocksize", "SIZE", N_("block size, for -b") },
	{ OPT_UNTIL, "until-tid", "N",
	  N_("take the log to end after transaction N") },
	{ OPT_CHECK, "check-data", NULL,
	  N_("also read and verify every copied block") },
	{ OPT_JSON, "json", NULL, N_("print one JSON document") },
	{ OPT_COLOR, "color", "WHEN", N_("auto, always or never") },
	{ 'q', "quiet", NULL, N_("show no progress") },
	{ 'C', "progress", "FD",
	  N_("write progress as 'phase cur max device' to file\n"
	     "descriptor FD") },
	{ 'h', "help", NULL, N_("print this and exit") },
	{ 'V', "version", NULL, N_("print the version and exit") },
	{ 0 }
};

static const struct option_line listing_options[] = {
	{ OPT_COLUMNS, "columns", "LIST",
	  N_("print these columns; +LIST adds to the usual ones") },
	{ OPT_HEADINGS, "no-headings", NULL, N_("leave out the headings") },
	{ OPT_RAW, "raw", NULL,
	  N_("one space between fields, '_' for a space in one") },
	{ 0 }
};

static const struct option_line no_options[] = { { 0 } };

struct session *session_begin(const struct command *command, int argc,
			      char **argv)
{
	struct session *s = calloc(1, sizeof(*s));
	unsigned n = 0;

	if (!s) {
		complain(NULL, "%s", strerror(ENOMEM));
		return NULL;
	}
	s->command = command;
	out_init(&s->out, STDOUT_FILENO);
	json_init(&s->json, &s->out);
	s->progress.fd = -1;
	if (command->options)
		s->options.tables[n++] = command->options;
	if (command->lists)
		s->options.tables[n++] = listing_options;
	s->options.tables[n++] = common_options;
	s->options.command = command->name;
	s->options.argc = argc;
	s->options.argv = argv;
	options_begin(&s->options);
	return s;
}

void command_help(const struct command *command, struct out *out)
{
	out_format(out, _("Usage: e2lazy %s [options] %s\n%s.\n\nOptions:\n"),
		   command->name, command->usage, _(command->summary));
	options_help(out, command->options ? command->options : no_options);
	if (command->lists)
		options_help(out, listing_options);
	options_help(out, common_options);
	if (command->help)
		command->help(out);
}

void print_version(struct out *out)
{
	out_format(out, "e2lazy %s\n", e2lazy_version());
}

void session_usage(struct session *s)
{
	s->status |= FSCK_USAGE;
	fprintf(stderr, _("Try 'e2lazy %s --help'.\n"), s->command->name);
}

bool session_refuse(struct session *s, const char *option, const char *arg,
		    const char *what)
{
	complain(s->command->name, _("%s: '%s' is not %s"), option, arg, what);
	session_usage(s);
	return false;
}

static bool choose_color(struct session *s, const char *when)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto",
		[COLOR_ALWAYS] = "always",
		[COLOR_NEVER] = "never",
	};
	unsigned i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(when, names[i])) {
			s->color = i;
			return true;
		}
	}
	return session_refuse(s, "--color", when, _("auto, always or never"));
}

static bool choose_fd(struct session *s, const char *text)
{
	uint64_t fd;

	if (!parse_number(text, INT_MAX, &fd) || fcntl(fd, F_GETFD) < 0)
		return session_refuse(s, "-C", text,
				      _("an open file descriptor"));
	s->progress.fd = fd;
	return true;
}

static bool choose_backup(struct session *s, int id, const char *text)
{
	uint64_t block, bytes;

	if (id == 'b') {
		if (!parse_number(text, INT_MAX, &block) || !block)
			return session_refuse(s, "--superblock", text,
					      _("a block number"));
		s->open.superblock = block;
		return true;
	}
	if (!parse_size(text, &bytes) || bytes < EXT2_MIN_BLOCK_SIZE ||
	    bytes > EXT2_MAX_BLOCK_SIZE || (bytes & (bytes - 1)))
		return session_refuse(s, "--blocksize", text,
				      _("a block size of ext4"));
	s->open.blocksize = bytes;
	return true;
}

static bool choose_until(struct session *s, const char *text)
{
	uint64_t tid;

	if (!parse_number(text, UINT32_MAX, &tid))
		return session_refuse(s, "--until-tid", text,
				      _("a transaction id"));
	s->until = tid;
	s->until_set = true;
	return true;
}

/* A later list counts after, and with '+' on top of, the ones before it. */
static bool choose_columns(struct session *s, struct listing *listing,
			   char *list)
{
	if (listing->nr_columns == MAX_LISTS)
		return session_refuse(s, "--columns", list,
				      _("given as the first few lists"));
	listing->columns[listing->nr_columns++] = list;
	return true;
}

/* True unless @arg makes no sense; @own where the option is the command's. */
static bool take_option(struct session *s, struct listing *listing, int id,
			char *arg, bool *own)
{
	switch (id) {
	case 'j':		s->open.journal = arg;		return true;
	case 'b':
	case 'B':		return choose_backup(s, id, arg);
	case 'q':		s->progress.quiet = true;	return true;
	case 'C':		return choose_fd(s, arg);
	case OPT_UNTIL:		return choose_until(s, arg);
	case OPT_CHECK:		s->check_data = true;		return true;
	case OPT_JSON:		s->json_wanted = true;		return true;
	case OPT_COLOR:		return choose_color(s, arg);
	case OPT_COLUMNS:	return choose_columns(s, listing, arg);
	case OPT_HEADINGS:	listing->headings = false;	return true;
	case OPT_RAW:		listing->raw = true;		return true;
	}
	*own = true;
	return true;
}

int session_option(struct session *s, struct listing *listing, char **arg)
{
	bool own = false;
	int id;

	while (!own) {
		id = options_next(&s->options, arg);
		if (id == OPTION_END)
			return id;
		if (id == OPTION_BAD) {
			session_usage(s);
			return id;
		}
		if (id == 'h') {
			command_help(s->command, &s->out);
			return OPTION_BAD;
		}
		if (id == 'V') {
			print_version(&s->out);
			return OPTION_BAD;
		}
		if (!take_option(s, listing, id, *arg, &own))
			return OPTION_BAD;
	}
	return id;
}

bool session_operands(struct session *s, int least, int most)
{
	int count = s->options.argc - s->options.rest;

	s->operands = s->options.argv + s->options.rest;
	s->nr_operands = count;
	if (count < least)
		complain(s->command->name, _("an argument is missing; it takes "
					     "%s"), s->command->usage);
	else if (count > most)
		complain(s->command->name, _("too many arguments: '%s'"),
			 s->operands[most]);
	else if (s->open.superblock && !s->open.blocksize)
		complain(s->command->name, _("--superblock needs --blocksize"));
	else
		return true;
	session_usage(s);
	return false;
}

bool session_tids(struct session *s, const char *text, struct tid_range *tids)
{
	struct range range;

	if (!parse_range(text, UINT32_MAX, &range) ||
	    e2lazy_tid_after(range.first, range.last))
		return session_refuse(s, "--tid", text,
				      _("a transaction or a range A-B"));
	tids->set = true;
	tids->first = range.first;
	tids->last = range.last;
	return true;
}
