/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shell_commands.c - debuglazy: the table of its commands
 */
#include "shell.h"

const struct shell_command shell_commands[] = {
	{ "open", .usage = "DEVICE", .kind = COMMAND_OPENS },
	{ "close", .usage = "", .kind = COMMAND_PLAIN, .run = run_close },

	{ "jinfo", .look = &info_command },
	{ "jmap", .look = &dump_command },
	{ "jlog", .look = &log_command },
	{ "jhistory", .look = &history_command },
	{ "jcat", .look = &cat_command },
	{ "jdiff", .look = &diff_command },
	{ "jverify", .usage = "", .kind = COMMAND_OPENS, .run = run_verify },

	{ "ls", .usage = "[PATH|<INODE>]", .options = ls_options,
	  .kind = COMMAND_PLAIN, .run = run_ls },
	{ "cd", .usage = "[PATH|<INODE>]", .kind = COMMAND_PLAIN,
	  .run = run_cd },
	{ "pwd", .usage = "", .kind = COMMAND_PLAIN, .run = run_pwd },
	{ "stat", .usage = "PATH|<INODE>", .kind = COMMAND_PLAIN,
	  .run = run_stat },
	{ "cat", .usage = "PATH|<INODE>", .options = cat_options,
	  .kind = COMMAND_PLAIN, .run = run_cat },
	{ "dump", .usage = "PATH|<INODE> FILE", .options = dump_options,
	  .kind = COMMAND_PLAIN, .run = run_dump },
	{ "rdump", .usage = "PATH|<INODE>... DIRECTORY",
	  .options = rdump_options, .kind = COMMAND_PLAIN, .run = run_rdump },
	{ "blocks", .usage = "PATH|<INODE>", .kind = COMMAND_PLAIN,
	  .run = run_blocks },
	{ "icheck", .usage = "BLOCK...", .kind = COMMAND_PLAIN,
	  .run = run_icheck },
	{ "ncheck", .usage = "INODE...", .kind = COMMAND_PLAIN,
	  .run = run_ncheck },

	{ "help", .usage = "[COMMAND]", .kind = COMMAND_PLAIN,
	  .run = run_help },
	{ "quit", .usage = "", .kind = COMMAND_PLAIN, .run = run_quit },
	{ .name = NULL }
};
