/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debuglazy.c - debugfs over the log: a read-only shell
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ss/ss.h>

#include "shell.h"
#include "support/confine.h"
#include "support/nls.h"
#include "support/status.h"

extern ss_request_table debuglazy_cmds;

enum { OPT_DATA_JOURNAL = OPTION_COMMAND, OPT_UNCONFINED };

static const struct option_line program_options[] = {
	{ 'R', "request", "COMMAND", N_("run this command and exit") },
	{ 'f', "cmd-file", "FILE",
	  N_("run the commands in FILE and exit; - is standard\n"
	     "input") },
	{ OPT_DATA_JOURNAL, "data-journal", NULL,
	  N_("show also copies of blocks that hold contents of\n"
	     "files: they are newer if the file system was\n"
	     "mounted with data=journal") },
	{ 'w', "write", NULL, N_("refused: debuglazy is read-only") },
	{ OPT_UNCONFINED, "unconfined", NULL,
	  N_("keep all rights, also those of a pager") },
	{ 'V', "version", NULL, N_("print the version and exit") },
	{ 0 }
};

static void program_help(struct out *out)
{
	out_text(out, _("\nWithout -R and -f debuglazy reads commands from "
			"standard input; 'help' lists\n"
			"them.\n"
			"DEVICE is a block device, an image file, UUID=... or "
			"LABEL=... .\n"
			"The exit status is that of the worst command: 0 "
			"success, 4 damage found,\n"
			"8 cannot open or read, 16 usage, 32 cancelled.\n"));
}

static const struct command program = {
	.usage = "[DEVICE]",
	.summary = N_("Explore an ext4 file system as its log defines it, "
		      "read-only"),
	.options = program_options,
	.help = program_help,
	.kind = COMMAND_OPENS,
	.writes = WRITES_ANYTHING,	/* dump and rdump, and a pager runs */
	.call = "debuglazy",
};

/* The work after the device is open. */
struct work {
	const char	*request;
	const char	*script;
};

static bool parse(struct session *s, struct work *work)
{
	const struct e2lazy_open_opts *open = &s->source.open;
	const struct limits *limits = &s->source.limits;
	char *arg;
	int id;

	while ((id = session_option(s, NULL, &arg)) != OPTION_END) {
		switch (id) {
		case 'R':
			work->request = arg;
			break;
		case 'f':
			work->script = arg;
			break;
		case OPT_DATA_JOURNAL:
			s->source.limits.data_journal = true;
			break;
		case OPT_UNCONFINED:
			confine_off();
			break;
		case 'w':
			return session_wrong(s, _("-w: debuglazy is "
						  "read-only"));
		default:
			return false;
		}
	}
	if (work->request && work->script)
		return session_wrong(s, _("-R and -f are mutually exclusive"));
	if (!session_operands(s, 0, 1))
		return false;
	if (!s->nr_operands &&
	    (open->journal || open->superblock || open->offset ||
	     s->source.geometry.text ||
	     limits->until_set || limits->at_text || limits->check_data ||
	     limits->data_journal ||
	     limits_stretch(limits)))
		return session_wrong(s, _("options for opening need a DEVICE"));
	return true;
}

static void run_file(struct shell *shell, const char *name)
{
	FILE *script;

	if (!strcmp(name, "-")) {
		shell_script(shell, stdin);
		return;
	}
	script = fopen(name, "re");
	if (!script) {
		complain_error(name, errno);
		shell->status |= FSCK_ERROR;
		return;
	}
	shell_script(shell, script);
	fclose(script);
}

static void work_on(struct shell *shell, const struct work *work)
{
	if (work->request)
		shell_line(shell, work->request);
	else if (work->script)
		run_file(shell, work->script);
	else if (isatty(STDIN_FILENO))
		shell_listen(shell);
	else
		shell_script(shell, stdin);
}

/* A single request needs its device; an interactive shell can open another. */
static int explore(struct shell *shell, struct session *s,
		   const struct work *work)
{
	bool named = s->nr_operands > 0;

	if (!shell_begin(shell)) {
		session_end(s);
		return FSCK_ERROR;
	}
	shell->script = work->script;
	if (named)
		shell_open(shell, s);
	else
		shell->status |= session_end(s);
	if (!cancelled() && (!named || shell->opened ||
			     (!work->request && !work->script)))
		work_on(shell, work);
	return shell_end(shell);
}

int main(int argc, char **argv)
{
	struct work work = { .request = NULL };
	struct shell *shell;
	struct session *s;
	int status;

	if (!program_begin())
		return FSCK_ERROR;
	s = session_begin(&program, argc, argv);
	if (!s)
		return FSCK_ERROR;
	if (!parse(s, &work))
		return session_end(s);
	confine_calls();
	shell = calloc(1, sizeof(*shell));
	if (!shell) {
		complain_error(NULL, ENOMEM);
		session_end(s);
		return FSCK_ERROR;
	}
	shell->commands = shell_commands;
	shell->requests = &debuglazy_cmds;
	status = explore(shell, s, &work);
	free(shell);
	return status;
}
