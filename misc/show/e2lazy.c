/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * e2lazy.c - look at the journal of an ext4 file system; never writes
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session/session.h"
#include "support/confine.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/suggest.h"

static const struct command *const commands[] = {
	&info_command, &dump_command, &log_command, &history_command,
	&cat_command, &diff_command, &blame_command, &timeline_command,
	&view_command, &undelete_command, &salvage_command, &rescue_command,
	&trace_command, &simulate_command, &doctor_command, &report_command,
	&evidence_command,
	&plot_command,
};

enum { OPT_UNCONFINED = OPTION_COMMAND };

static const struct option_line program_options[] = {
	{ 'h', "help", NULL, N_("print this help and exit") },
	{ 'V', "version", NULL, N_("print the version and exit") },
	{ OPT_UNCONFINED, "unconfined", NULL,
	  N_("keep the right to write files and run programs") },
	{ 0 }
};

static void complain_unknown(const char *name)
{
	struct suggestion like = { .word = name, .length = strlen(name) };

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		suggest(&like, commands[i]->name);
	suggest(&like, "help");
	if (like.best)
		complain(name, _("unknown command; did you mean '%s'?"),
			 like.best);
	else
		complain(name, _("unknown command"));
}

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	complain_unknown(name);
	return NULL;
}

static void program_help(struct out *out)
{
	size_t i;

	out_text(out, _("Usage: e2lazy COMMAND [options] DEVICE ...\n"
			"Look at the journal of an ext4 file system. e2lazy "
			"never writes.\n"
			"\nCommands:\n"));
	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		out_format(out, "  %-9s %s\n", commands[i]->name,
			   _(commands[i]->summary));
	out_text(out, _("\nOptions:\n"));
	options_help(out, program_options);
	out_text(out, _("\n'e2lazy help COMMAND' explains a command. Common "
			"options, such as --json, may\n"
			"stand before COMMAND.\n"
			"DEVICE is a block device, an image file, UUID=... or "
			"LABEL=... .\n"
			"Exit status: 0 success, 4 damage found, 8 cannot open "
			"or read, 16 usage,\n"
			"32 cancelled.\n"));
}

static int usage(void)
{
	fputs(_("Try 'e2lazy --help'.\n"), stderr);
	return FSCK_USAGE;
}

static int printed(struct out *out)
{
	int err = out_flush(out);

	if (!err)
		return FSCK_OK;
	complain_error(_("standard output"), err);
	return FSCK_ERROR;
}

static int print_help(const struct command *command)
{
	struct out out;

	out_init(&out, STDOUT_FILENO);
	if (command)
		command_help(command, &out);
	else
		program_help(&out);
	return printed(&out);
}

static int version(void)
{
	struct out out;

	out_init(&out, STDOUT_FILENO);
	print_version("e2lazy", &out);
	return printed(&out);
}

/* The command of @command's that @word names, or NULL. */
static const struct command *find_own(const struct command *command,
				      const char *word)
{
	const struct command *const *own = command->commands;

	while (own && *own && strcmp(strchr((*own)->name, ' ') + 1, word))
		own++;
	return own ? *own : NULL;
}

static int help(int argc, char **argv)
{
	const struct command *command, *own;

	if (argc < 2 || (argc == 2 && !strcmp(argv[1], "help")))
		return print_help(NULL);
	command = find_command(argv[1]);
	if (!command)
		return usage();
	own = argc > 2 ? find_own(command, argv[2]) : NULL;
	if (argc > 2 && command->commands && !own) {
		complain(argv[2], _("unknown command"));
		return usage();
	}
	if (argc > (own ? 3 : 2)) {
		complain("help", _("too many arguments: '%s'"),
			 argv[own ? 3 : 2]);
		return usage();
	}
	return print_help(own ? own : command);
}

/*
 * Common options may precede the command.  Reorder the words: COMMAND,
 * OPTION..., REST...
 */
static void turn_words(char **argv, int command)
{
	char *name = argv[command];

	memmove(argv + 2, argv + 1, (command - 1) * sizeof(*argv));
	argv[1] = name;
}

/* The option that was read last is the program's own: no command sees it. */
static void drop_option(struct options *options)
{
	char **next = options->argv + optind--;

	memmove(next - 1, next,
		(options->argc-- - optind) * sizeof(*options->argv));
}

int main(int argc, char **argv)
{
	struct options options = {
		.tables = { program_options },
		.leading = true,
		.argc = argc,
		.argv = argv,
	};
	const struct command *command;
	char *arg;
	int id;

	if (!program_begin())
		return FSCK_ERROR;
	session_common_options(options.tables + 1);
	options_begin(&options);
	do {
		id = options_next(&options, &arg);
		if (id == OPT_UNCONFINED) {
			confine_off();
			drop_option(&options);
		}
	} while (id > 0 && id != 'h' && id != 'V');
	argc = options.argc;
	if (id == 'h')
		return print_help(NULL);
	if (id == 'V')
		return version();
	if (id == OPTION_BAD)
		return usage();
	if (options.rest >= argc) {
		complain(NULL, _("no command given"));
		return usage();
	}
	if (!strcmp(argv[options.rest], "help"))
		return help(argc - options.rest, argv + options.rest);
	command = find_command(argv[options.rest]);
	if (!command)
		return usage();
	turn_words(argv, options.rest);
	return command_run(command, argc - 1, argv + 1);
}
