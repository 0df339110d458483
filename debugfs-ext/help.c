/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * help.c - debuglazy: help and quit
 */
#include <ss/ss.h>

#include "shell.h"
#include "support/nls.h"
#include "support/status.h"

static void list_commands(const struct shell *shell, struct out *out)
{
	const struct shell_command *command = shell->commands;

	out_text(out, _("Commands:\n"));
	for (; command->name; command++)
		out_format(out, "  %-9s %s\n", command->name,
			   _(shell_entry(shell, command->name)->info_string));
	out_text(out, _("\n'help COMMAND' explains a command.\n"));
}

void run_help(struct shell *shell, struct session *s)
{
	char *arg;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 0, 1))
		return;
	if (s->nr_operands)
		shell_help(shell, s->operands[0], s);
	else
		list_commands(shell, &s->print.out);
}

void run_quit(struct shell *shell, struct session *s)
{
	char *arg;

	if (session_option(s, NULL, &arg) == OPTION_END &&
	    session_operands(s, 0, 0))
		shell_quit(shell);
}
