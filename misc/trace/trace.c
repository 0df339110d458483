/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.c - e2lazy trace: what a disk was asked for; it has commands of its own
 */
#include <string.h>

#include "support/nls.h"
#include "support/status.h"
#include "support/suggest.h"
#include "traces.h"

static const struct command *const commands[] = {
	&trace_record_command, &trace_import_command, &trace_show_command,
	NULL
};

#define NR_COMMANDS	(sizeof(commands) / sizeof(*commands) - 1)

/* The command that @word names, "import" for "trace import". */
static const struct command *find(const char *word)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(strchr(commands[i]->name, ' ') + 1, word))
			return commands[i];
	return NULL;
}

static void help(struct out *out)
{
	out_text(out, _("\nCommands:\n"));
	for (size_t i = 0; i < NR_COMMANDS; i++)
		out_format(out, "  %-9s %s\n",
			   strchr(commands[i]->name, ' ') + 1,
			   _(commands[i]->summary));
	out_text(out, _("\n'e2lazy trace COMMAND --help' explains a "
			"command.\n"));
}

static void complain_unknown(const char *word)
{
	struct suggestion like = { .word = word, .length = strlen(word) };

	for (size_t i = 0; i < NR_COMMANDS; i++)
		suggest(&like, strchr(commands[i]->name, ' ') + 1);
	if (like.best)
		complain(word, _("unknown command; did you mean '%s'?"),
			 like.best);
	else
		complain(word, _("unknown command"));
}

/* Without a command there is help to be had, or an error. */
static int run_alone(const struct command *self, int argc, char **argv)
{
	struct session *s = session_begin(self, argc, argv);
	char *arg;
	int id;

	if (!s)
		return FSCK_ERROR;
	do
		id = session_option(s, NULL, &arg);
	while (id != OPTION_END && id != OPTION_BAD);
	if (id == OPTION_END) {
		if (s->options.rest < argc)
			complain_unknown(argv[s->options.rest]);
		else
			complain(NULL, _("no command given"));
		session_usage(s);
	}
	return session_end(s);
}

static int run_trace(const struct command *self, int argc, char **argv)
{
	const struct command *command = NULL;
	char *name;
	int at;

	for (at = 1; at < argc && !command && strcmp(argv[at], "--"); at++)
		command = find(argv[at]);
	if (!command)
		return run_alone(self, argc, argv);
	/* Options may stand before it. */
	name = argv[--at];
	memmove(argv + 2, argv + 1, (at - 1) * sizeof(*argv));
	argv[1] = name;
	return command_run(command, argc - 1, argv + 1);
}

const struct command trace_command = {
	.name = "trace",
	.usage = "COMMAND ...",
	.summary = N_("Record, import or show the requests to a disk"),
	.run = run_trace,
	.help = help,
	.commands = commands,
	.writes = WRITES_ANYTHING,
	.kind = COMMAND_READS,
};
