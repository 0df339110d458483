/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * args.c - the command line: the options that all commands share
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "session.h"
#include "support/confine.h"
#include "support/nls.h"
#include "support/standard.h"
#include "support/status.h"

enum {
	OPT_JSON = OPTION_LONG, OPT_LINES, OPT_CSV, OPT_CHECK, OPT_UNTIL, OPT_COLOR,
	OPT_COLUMNS, OPT_HEADINGS, OPT_RAW, OPT_OFFSET, OPT_TAIL, OPT_RING,
	OPT_HISTORY, OPT_AT, OPT_GEOMETRY, OPT_NO_FAST, OPT_BAD_MAP,
	OPT_OWN,		/* the commands' own come after these */
};
_Static_assert(OPT_OWN <= OPTION_COMMAND, "option ids overlap");

static const struct option_line device_options[] = {
	{ 'j', "journal", "DEV", N_("the external journal") },
	{ 'b', "superblock", "N",
	  N_("use the backup superblock in block N (needs -B)") },
	{ 'B', "blocksize", "SIZE", N_("block size, for -b") },
	{ OPT_OFFSET, "offset", "SIZE",
	  N_("the file system begins SIZE bytes into DEVICE") },
	{ OPT_BAD_MAP, "bad-map", "FILE",
	  N_("DEVICE is a copy: what ddrescue's map FILE does not\n"
	     "call finished is unreadable") },
	{ 0 }
};

static const struct option_line log_options[] = {
	{ OPT_UNTIL, "until-tid", "N",
	  N_("read the log only up to transaction N") },
	{ OPT_AT, "at", "TIME",
	  N_("the same up to the last transaction by TIME, in the\n"
	     "log or in the only history that has this time") },
	{ OPT_TAIL, "tail", "LOGBLK[:TID]",
	  N_("begin the log at LOGBLK, with transaction TID") },
	{ OPT_RING, "ring", NULL,
	  N_("read the newest history of the whole ring") },
	{ OPT_HISTORY, "history", "N",
	  N_("read history N of 'log --histories'") },
	{ OPT_CHECK, "check-data", NULL,
	  N_("also read and verify every copied block") },
	{ 0 }
};

static const struct option_line geometry_options[] = {
	{ OPT_GEOMETRY, "geometry", "SPEC",
	  N_("read the log by candidate SPEC of 'e2lazy salvage':\n"
	     "auto, carve, a number, or KEY=VALUE,...") },
	{ 0 }
};

static const struct option_line view_options[] = {
	{ OPT_NO_FAST, "no-fast-commits", NULL,
	  N_("show the file system without fast commits") },
	{ 0 }
};

static const struct option_line json_options[] = {
	{ OPT_JSON, "json", NULL, N_("print one JSON document") },
	{ 0 }
};

static const struct option_line color_options[] = {
	{ OPT_COLOR, "color", "WHEN", N_("auto, always or never") },
	{ 0 }
};

static const struct option_line progress_options[] = {
	{ 'q', "quiet", NULL, N_("show no progress") },
	{ 'C', "progress", "FD",
	  N_("write progress as 'phase cur max device' to file\n"
	     "descriptor FD") },
	{ 0 }
};

static const struct option_line help_options[] = {
	{ 'h', "help", NULL, N_("print this help and exit") },
	{ 0 }
};

static const struct option_line version_options[] = {
	{ 'V', "version", NULL, N_("print the version and exit") },
	{ 0 }
};

static const struct option_line listing_options[] = {
	{ OPT_COLUMNS, "columns", "LIST...",
	  N_("print these columns; +LIST adds to the default ones") },
	{ OPT_HEADINGS, "no-headings", NULL, N_("leave out the headings") },
	{ OPT_RAW, "raw", NULL,
	  N_("put one space between fields, and '_' in fields") },
	{ OPT_CSV, "csv", NULL, N_("print comma-separated values") },
	{ OPT_LINES, "json-lines", NULL,
	  N_("print one JSON object a line, and one at the end\n"
	     "with the status") },
	{ 0 }
};

int command_run(const struct command *command, int argc, char **argv)
{
	if (command->writes == WRITES_NOTHING)
		confine(NULL);
	return command->run(command, argc, argv);
}

/* Room for the name of a command. */
#define CALL_TEXT	64

/* The options of @command, in the order of its --help. */
static void option_tables(const struct command *command,
			  const struct option_line *tables[MAX_TABLES])
{
	bool looks = command->kind == COMMAND_LOOKS;
	bool opens = command->kind == COMMAND_OPENS;
	bool mends = command->kind == COMMAND_MENDS;
	bool makes = command->kind == COMMAND_MAKES;
	bool draws = command->kind == COMMAND_DRAWS;
	bool reads = command->kind == COMMAND_READS || draws;
	const struct {
		const struct option_line *table;
		bool wanted;
	} all[] = {
		{ command->options, command->options != NULL },
		{ listing_options, command->lists },
		{ device_options, (looks || opens || mends) &&
				  !command->lender },
		{ log_options, looks || opens },
		{ geometry_options, (looks || opens || command->salvages) &&
				    !command->lender },
		{ view_options, opens },
		{ json_options, looks || mends || makes ||
				(reads && !draws) },
		{ color_options, looks || mends || makes || reads },
		{ progress_options, looks || opens || mends || reads },
		{ help_options, true },
		{ version_options, (looks || mends || makes || reads) &&
				   !command->lender },
	};
	unsigned n = 0;

	_Static_assert(sizeof(all) / sizeof(*all) < MAX_TABLES,
		       "no room for the tables of options");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].wanted)
			tables[n++] = all[i].table;
	tables[n] = NULL;
}

void session_common_options(const struct option_line *tables[])
{
	const struct option_line *const common[] = {
		listing_options, device_options, log_options,
		geometry_options, json_options, color_options,
		progress_options, NULL,
	};

	memcpy(tables, common, sizeof(common));
}

struct session *session_begin(const struct command *command, int argc,
			      char **argv)
{
	bool opens = command->kind != COMMAND_MAKES &&
		     command->kind != COMMAND_READS &&
		     command->kind != COMMAND_DRAWS &&
		     command->kind != COMMAND_PLAIN;
	struct session *s = calloc(1, sizeof(*s));

	if (s && opens)
		s->log = calloc(1, sizeof(*s->log));
	if (!s || (opens && !s->log)) {
		free(s);
		complain_error(NULL, ENOMEM);
		return NULL;
	}
	s->command = command;
	hearing_begin(&s->hearing, &s->status);
	s->began = (uint64_t)time(NULL);
	/* getopt moves the words. */
	for (int i = 0; i < argc; i++)
		words_list(&s->line, argv[i], NULL);
	print_init(&s->print);
	if (command->lender)
		session_inherit(s, command->lender);
	option_tables(command, s->options.tables);
	s->options.command = command->name;
	s->options.argc = argc;
	s->options.argv = argv;
	options_begin(&s->options);
	return s;
}

/* "e2lazy dump", "jmap" */
static void call_text(const struct command *command, char *text, size_t size)
{
	if (command->call)
		snprintf(text, size, "%s", command->call);
	else
		snprintf(text, size, "e2lazy %s", command->name);
}

/* The operands; without the device, if it is open already. */
static const char *operand_text(const struct command *command)
{
	static const char device[] = "DEVICE";
	const char *text = command->usage;

	if (!command->lender || strncmp(text, device, strlen(device)))
		return text;
	text += strlen(device);
	return text + (*text == ' ');
}

void command_help(const struct command *command, struct out *out)
{
	const struct option_line *tables[MAX_TABLES];
	const char *operands = operand_text(command);
	char call[CALL_TEXT];

	call_text(command, call, sizeof(call));
	option_tables(command, tables);
	out_format(out, _("Usage: %s [options]%s%s\n%s.\n\nOptions:\n"), call,
		   *operands ? " " : "", operands, _(command->summary));
	for (unsigned i = 0; tables[i]; i++)
		options_help(out, tables[i]);
	if (command->help)
		command->help(out);
}

bool program_begin(void)
{
	if (!standard_files())
		return false;
	nls_init();
	initialize_e2lz_error_table();
	initialize_ext2_error_table();
	return true;
}

void print_version(const char *program, struct out *out)
{
	out_format(out, "%s %s\n", program, e2lazy_version());
}

void session_usage(struct session *s)
{
	char call[CALL_TEXT];

	call_text(s->command, call, sizeof(call));
	s->status |= FSCK_USAGE;
	fprintf(stderr, _("Try '%s --help'.\n"), call);
}

bool session_wrong(struct session *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vcomplain(s->command->name, format, args);
	va_end(args);
	session_usage(s);
	return false;
}

bool session_refuse(struct session *s, const char *option, const char *arg,
		    const char *what)
{
	return session_wrong(s, _("%s: '%s' is not %s"), option, arg, what);
}

bool session_directory(struct session *s, const char *option, const char *arg,
		       const char **directory)
{
	struct stat st;

	*directory = arg;
	return (!stat(arg, &st) && S_ISDIR(st.st_mode)) ||
	       session_refuse(s, option, arg, _("a directory"));
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
			s->print.color = i;
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
	s->print.progress.fd = fd;
	return true;
}

static bool choose_source(struct session *s, const char *option,
			  const char *text)
{
	const char *what = source_take(&s->source, option + strlen("--"), text);

	return !what || session_refuse(s, option, text, _(what));
}

/* A lender's --at or --until-tid gives way; two of one's own contradict. */
static bool choose_end(struct session *s, const char *option, const char *text)
{
	if (s->end_option && strcmp(s->end_option, option))
		return session_wrong(s, _("--at and --until-tid are mutually "
					  "exclusive"));
	s->end_option = option;
	source_forget_at(&s->source);
	return choose_source(s, option, text);
}

/* A later list replaces the earlier ones; with '+' it adds to them. */
static bool choose_columns(struct session *s, struct listing *listing,
			   char *list)
{
	if (listing->nr_columns == MAX_LISTS)
		return session_wrong(s, _("--columns: at most %u lists"),
				     MAX_LISTS);
	listing->columns[listing->nr_columns++] = list;
	return true;
}

/* False if @arg is invalid; @own is set for the command's own option. */
static bool take_option(struct session *s, struct listing *listing, int id,
			char *arg, bool *own)
{
	switch (id) {
	case 'j':		return choose_source(s, "--journal", arg);
	case 'b':		return choose_source(s, "--superblock", arg);
	case 'B':		return choose_source(s, "--blocksize", arg);
	case OPT_BAD_MAP:	return choose_source(s, "--bad-map", arg);
	case OPT_OFFSET:	return choose_source(s, "--offset", arg);
	case OPT_GEOMETRY:	return choose_source(s, "--geometry", arg);
	case OPT_UNTIL:		return choose_end(s, "--until-tid", arg);
	case OPT_AT:		return choose_end(s, "--at", arg);
	case OPT_TAIL:		return choose_source(s, "--tail", arg);
	case OPT_HISTORY:	return choose_source(s, "--history", arg);
	case OPT_NO_FAST:
		s->source.limits.no_fast_commits = true;
		return true;
	case OPT_RING:		s->source.limits.ring = true;	return true;
	case 'q':		s->print.progress.quiet = true;	return true;
	case 'C':		return choose_fd(s, arg);
	case OPT_CHECK:
		s->source.limits.check_data = true;
		return true;
	case OPT_JSON:		s->print.json_wanted = true;	return true;
	case OPT_COLOR:		return choose_color(s, arg);
	case OPT_COLUMNS:	return choose_columns(s, listing, arg);
	case OPT_HEADINGS:	listing->headings = false;	return true;
	case OPT_RAW:		listing->raw = true;		return true;
	case OPT_CSV:		return listing->csv = listing->raw = true;
	case OPT_LINES:		print_lines(&s->print);		return true;
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
			command_help(s->command, &s->print.out);
			return OPTION_BAD;
		}
		if (id == 'V') {
			print_version(s->command->call ? s->command->call
						       : "e2lazy",
				      &s->print.out);
			return OPTION_BAD;
		}
		if (!take_option(s, listing, id, *arg, &own))
			return OPTION_BAD;
	}
	return id;
}

static bool is_one_stretch(const struct limits *l)
{
	return l->tail_set + l->ring + (l->history != 0) <= 1;
}

bool session_operands(struct session *s, int least, int most)
{
	int count = s->options.argc - s->options.rest;

	s->operands = s->options.argv + s->options.rest;
	/* An open device takes the place of the first operand. */
	if (s->lender && s->command->kind != COMMAND_PLAIN) {
		*--s->operands = s->lender->device;
		count++;
	}
	s->nr_operands = count;
	if (count < least)
		return session_wrong(s, _("missing argument; expected %s"),
				     operand_text(s->command));
	if (count > most)
		return session_wrong(s, _("too many arguments: '%s'"),
				     s->operands[most]);
	if (s->source.open.superblock && !s->source.open.blocksize)
		return session_wrong(s, _("--superblock needs --blocksize"));
	if (!is_one_stretch(&s->source.limits))
		return session_wrong(s, _("--tail, --ring and --history are "
					  "mutually exclusive"));
	return true;
}

bool session_has_room(struct session *s, const char *option, unsigned count)
{
	return count < MAX_RANGES ||
	       session_wrong(s, _("%s: at most %u of them"), option,
			     MAX_RANGES);
}

bool session_columns(struct session *s, const struct listing *listing,
		     const struct column *table, unsigned size,
		     struct columns *columns)
{
	const char *unknown = print_columns(&s->print, listing, table, size,
					    columns);

	if (!session_without(s, "--json-lines", s->print.lines_wanted,
			     "json csv raw no-headings") ||
	    !session_without(s, "--csv", listing->csv, "json raw"))
		return false;
	return !unknown || session_refuse(s, "--columns", unknown,
					  _("a column that --help lists"));
}

/*
 * Options that would have no effect, and ranges that have nothing: whoever gives
 * one expects something of it, and silence would let him believe that he got it.
 */
bool session_needs(struct session *s, const char *options, bool met,
		   const char *what)
{
	const char *name = met ? NULL : options_given(&s->options, options);

	return !name || session_wrong(s, _("--%s needs %s"), name, what);
}

bool session_without(struct session *s, const char *mode, bool chosen,
		     const char *options)
{
	const char *name = chosen ? options_given(&s->options, options) : NULL;

	return !name || session_wrong(s, _("--%s has no effect with %s"), name,
				      mode);
}

bool session_only(struct session *s, const char *mode, bool chosen,
		  const char *options)
{
	const char *name = chosen ? options_but(&s->options, options) : NULL;

	return !name || session_wrong(s, _("--%s has no effect with %s"), name,
				      mode);
}

bool session_range(struct session *s, const char *option, const char *arg,
		   bool ordered)
{
	return ordered || session_wrong(s, _("%s: the range '%s' ends before "
					     "it begins"), option, arg);
}
