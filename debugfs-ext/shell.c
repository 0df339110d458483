/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shell.c - debuglazy: from an input line to its command
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ss/ss.h>

#include "shell.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/suggest.h"

void debuglazy_request(int argc, const char *const *argv, int sci, void *priv);

/* The shell that libss's complaints count for: the hook has no argument. */
static struct shell *hearing;

static void hear_libss(const char *program, long code, const char *format,
		       va_list args)
{
	(void)program, (void)code;
	vcomplain(NULL, format, args);
	hearing->status |= FSCK_USAGE;
}

bool shell_begin(struct shell *shell)
{
	int err;

	shell->sci = ss_create_invocation("debuglazy", e2lazy_version(),
					  shell, (ss_request_table *)shell->requests,
					  &err);
	if (err) {
		complain("libss", "%s", error_message(err));
		return false;
	}
	initialize_ss_error_table();
	hearing = shell;
	set_com_err_hook(hear_libss);
	return true;
}

int shell_end(struct shell *shell)
{
	shell_close(shell);
	reset_com_err_hook();
	hearing = NULL;
	ss_delete_invocation(shell->sci);
	return shell->status;
}

const ss_request_entry *shell_entry(const struct shell *shell, const char *name)
{
	ss_request_entry *entry;
	const char *const *known;

	for (entry = shell->requests->requests; entry->command_names; entry++)
		for (known = entry->command_names; *known; known++)
			if (!strcmp(*known, name))
				return entry;
	return NULL;
}

/* @subject may be NULL. */
static void complain_unknown(const struct shell *shell, const char *subject,
			     const char *word, size_t length)
{
	struct suggestion like = { .word = word, .length = length };
	ss_request_entry *entry;
	const char *const *known;

	for (entry = shell->requests->requests; entry->command_names; entry++)
		for (known = entry->command_names; *known; known++)
			suggest(&like, *known);
	if (like.best)
		complain(subject, _("%.*s: unknown command; did you mean "
				    "'%s'?"), (int)length, word, like.best);
	else
		complain(subject, _("%.*s: unknown command"), (int)length,
			 word);
}

static const struct shell_command *find(const struct shell *shell,
					const ss_request_entry *entry)
{
	const struct shell_command *command = shell->commands;

	while (command->name && strcmp(command->name, *entry->command_names))
		command++;
	return command->name ? command : NULL;
}

/* A struct command like those of e2lazy, for session_begin(). */
static void describe(struct shell *shell, const ss_request_entry *entry,
		     const struct shell_command *from, struct command *to)
{
	memset(to, 0, sizeof(*to));
	if (from->look) {
		*to = *from->look;
	} else {
		to->usage = from->usage;
		to->summary = entry->info_string;
		to->options = from->options;
		to->kind = from->kind;
	}
	to->name = to->call = from->name;
	if (from->look || from->run)
		to->lender = shell->opened ? shell->opened : &shell->nothing;
}

static void run_own(struct shell *shell, const struct shell_command *own,
		    const struct command *command, int argc, char **argv)
{
	struct session *s = session_begin(command, argc, argv);

	if (!s) {
		shell->status |= FSCK_ERROR;
	} else if (own->run) {
		own->run(shell, s);
		shell->status |= session_end(s);
	} else {
		shell_run_open(shell, s);
	}
}

void debuglazy_request(int argc, const char *const *argv, int sci, void *priv)
{
	struct sigaction before[STATUS_NR_SIGNALS];
	struct shell *shell = priv;
	const ss_request_entry *entry = shell_entry(shell, *argv);
	const struct shell_command *own = find(shell, entry);
	struct command command;
	/* getopt() permutes the words, and a session puts the device there. */
	char **words = calloc(argc + 1, sizeof(*words));
	unsigned i;

	(void)sci;
	if (!words) {
		complain_error(*argv, ENOMEM);
		shell->status |= FSCK_ERROR;
		return;
	}
	memcpy(words, argv, argc * sizeof(*words));
	describe(shell, entry, own, &command);
	/* Between commands libss or the system handles the signals. */
	for (i = 0; i < STATUS_NR_SIGNALS; i++)
		sigaction(status_signals[i], NULL, &before[i]);
	status_catch_signals();
	if (own->look)
		shell->status |= command.run(&command, argc, words);
	else
		run_own(shell, own, &command, argc, words);
	for (i = 0; i < STATUS_NR_SIGNALS; i++)
		sigaction(status_signals[i], &before[i], NULL);
	free(words);
	/* An interrupt ends a script; at a prompt it ends the command only. */
	if (!shell->script)
		status_forget_interrupt();
	if (cancelled())
		shell_quit(shell);
}

void shell_quit(struct shell *shell)
{
	shell->ended = true;
	ss_abort_subsystem(shell->sci, 0);
}

static void unknown_command(struct shell *shell, const char *line)
{
	size_t length = strcspn(line, " \t");

	complain_unknown(shell, NULL, line, length);
	fputs(_("Try 'help'.\n"), stderr);
	shell->status |= FSCK_USAGE;
}

void shell_line(struct shell *shell, const char *line)
{
	char *words;
	int err = 0;

	line += strspn(line, " \t");
	words = strdup(line);		/* libss changes the line */
	if (!words)
		err = ENOMEM;
	else if (*line == '!')		/* and must not run other programs */
		err = SS_ET_COMMAND_NOT_FOUND;
	else
		err = ss_execute_line(shell->sci, words);
	free(words);
	if (err == SS_ET_COMMAND_NOT_FOUND) {
		unknown_command(shell, line);
	} else if (err) {
		complain(NULL, "%s", error_message(err));
		shell->status |= FSCK_ERROR;
	}
}

/*
 * The program's name includes the line of the script, so each message starts
 * with it.
 */
static char *name_place(const char *program, const char *script, size_t number)
{
	char *place;

	return asprintf(&place, "%s: %s:%zu", program, script, number) < 0 ?
	       NULL : place;
}

/*
 * A SIGINT ends a command or a script; at an idle prompt it has no effect.
 */
static ssize_t next_line(const struct shell *shell, FILE *script, char **line,
			 size_t *size)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	ssize_t length;

	status_catch_signals();
	if (!shell->script)
		sigaction(SIGINT, &ignore, &before);
	length = getline(line, size, script);
	if (!shell->script) {
		sigaction(SIGINT, &before, NULL);
		status_forget_interrupt();
	}
	return length;
}

static void tell_end(struct shell *shell, FILE *script, int error)
{
	const char *name = shell->script ? shell->script : _("standard input");

	if (shell->ended)
		return;
	if (cancelled()) {
		complain(name, _("cancelled by a signal"));
		shell->status |= FSCK_CANCELLED;
	} else if (ferror(script)) {
		complain_error(name, error);
		shell->status |= FSCK_ERROR;
	}
}

void shell_script(struct shell *shell, FILE *script)
{
	char *program = program_invocation_short_name, *place = NULL;
	const char *name = shell->script;
	char *line = NULL;
	size_t size = 0, number = 0;
	ssize_t length;

	while (!shell->ended &&
	       (length = next_line(shell, script, &line, &size)) >= 0 &&
	       !cancelled()) {
		number++;
		if (length && line[length - 1] == '\n')
			line[length - 1] = 0;
		if (!line[strspn(line, " \t")] || *line == '#')
			continue;
		place = name ? name_place(program, name, number) : NULL;
		if (place)
			program_invocation_short_name = place;
		shell_line(shell, line);
		program_invocation_short_name = program;
		free(place);
	}
	tell_end(shell, script, errno);
	free(line);
}

void shell_listen(struct shell *shell)
{
	shell->listening = true;
	ss_listen(shell->sci);
}

void shell_help(struct shell *shell, const char *name, struct session *s)
{
	const ss_request_entry *entry = shell_entry(shell, name);
	const struct shell_command *own = entry ? find(shell, entry) : NULL;
	struct command command;

	if (!entry) {
		complain_unknown(shell, s->command->name, name, strlen(name));
		session_usage(s);
	} else if (own) {
		describe(shell, entry, own, &command);
		command_help(&command, &s->print.out);
	} else {
		out_format(&s->print.out, _("Usage: %s\n%s.\n"), name,
			   _(entry->info_string));
	}
}
