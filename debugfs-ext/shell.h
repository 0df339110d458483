/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shell.h - debuglazy: the shell that its commands share
 *
 * libss passes a line to debuglazy_request(), which finds the command in the
 * table and gives it a session of its own.  The commands that show the journal
 * are e2lazy's; all of them borrow the device open in shell->opened.
 */
#ifndef DEBUGFS_EXT_SHELL_H
#define DEBUGFS_EXT_SHELL_H

#include <limits.h>
#include <stdio.h>

#include "e2lazy_view.h"
#include "session/session.h"

struct shell {
	const struct shell_command *commands;
	const struct _ss_request_table *requests;	/* libss's of them */
	int		sci;		/* libss's invocation index */
	int		status;		/* FSCK_* bits of all commands so far */
	bool		ended;		/* the user said quit */
	bool		listening;	/* input and output are a terminal */
	const char	*script;	/* script that runs, or NULL */
	struct session	nothing;	/* an open device without a journal */
	struct session	*opened;	/* the device open for the commands */
	ext2_filsys	fs;		/* its view; NULL until the first use */
	struct e2lazy_later *later;	/* the same, if that is of an earlier
					   time */
	ext2_ino_t	cwd;
};

struct shell_command {
	const char	*name;
	const struct command *look;	/* the command of e2lazy, or NULL */
	const char	*usage;		/* operands, for the usage line */
	const struct option_line *options;
	enum command_kind kind;
	/* NULL for the command that opens a device */
	void		(*run)(struct shell *shell, struct session *session);
};

/* shell_commands.c: the last entry has no name. */
extern const struct shell_command shell_commands[];

/* ------------------------------------------------------------ shell.c --- */

/* False, after a complaint, if libss does not start. */
bool shell_begin(struct shell *shell);
/* Returns the exit status. */
int shell_end(struct shell *shell);
void shell_line(struct shell *shell, const char *line);
void shell_script(struct shell *shell, FILE *script);
void shell_quit(struct shell *shell);
/* Prompt at a terminal and run each line. */
void shell_listen(struct shell *shell);
/* libss's entry of a command by any of its names, or NULL. */
const struct _ss_request_entry *shell_entry(const struct shell *shell,
					    const char *name);
/* Print the text of "NAME --help". */
void shell_help(struct shell *shell, const char *name, struct session *session);

/* ------------------------------------------------------- shell_open.c --- */

/*
 * Keep @session, whose operand is a device, as the open one.  The shell owns
 * it from now on, even after an error.
 */
void shell_open(struct shell *shell, struct session *session);
void shell_close(struct shell *shell);
/* Find a command by name. */
void shell_run_open(struct shell *shell, struct session *session);
/* False, after a complaint, if nothing is open. */
bool shell_has_device(struct shell *shell, struct session *session);
/* The file system as the log defines it; NULL after a complaint. */
ext2_filsys shell_fs(struct shell *shell, struct session *session);

/* ------------------------------------------------------------ names.c --- */

/* Print "debuglazy: COMMAND: SUBJECT: block N: why" and set FSCK_ERROR. */
void shell_fail(struct shell *shell, struct session *session,
		const char *subject, errcode_t error);
/* The same for @where; without a block if @where has none. */
void shell_fail_at(struct session *session, const char *subject,
		   const struct e2lazy_where *where, errcode_t error);
/*
 * The inodes that a scan could not read.  A bad or hostile disk can have
 * millions of them, so the scan reports the first and the number of the
 * others.
 */
struct unread {
	uint64_t	count;
	char		subject[64];	/* these three describe the first one */
	struct e2lazy_where where;
	errcode_t	error;
};

void shell_note_unread(struct unread *unread, const char *subject,
		       const struct e2lazy_where *where, errcode_t error,
		       uint64_t count);
/* Report them all in one line with shell_fail(). */
void shell_tell_unread(struct session *session, const struct unread *unread);
/* The same for files of this system, with an errno. */
void shell_fail_native(struct session *session, const char *path, int error);

/* Operand limit of a command that takes any number. */
#define MAX_OPERANDS	INT_MAX

/* Whether to follow a symbolic link at the end of a path. */
enum follow { FOLLOW, NO_FOLLOW };

/* Find the inode of PATH or <INO>. False after a complaint. */
bool shell_inode(struct shell *shell, struct session *session,
		 const char *name, enum follow follow, ext2_ino_t *ino);
/* The same, and read the inode. */
bool shell_read_inode(struct shell *shell, struct session *session,
		      const char *name, enum follow follow, ext2_ino_t *ino,
		      struct ext2_inode_large *inode);

/*
 * Read the directory that is called @name with e2lazy_directory_read().
 * False, after a complaint, if that fails; damage is reported, too.
 */
bool shell_read_directory(struct shell *shell, struct session *session,
			  const char *name, ext2_ino_t dir,
			  const struct e2lazy_directory_opts *opts,
			  errcode_t (*found)(void *priv,
					     const struct e2lazy_entry *entry),
			  void *priv);
/* "2026-01-31T23:59:59Z" or "-", from a field and its extra bits. */
void out_inode_time(struct out *out, uint32_t field, uint32_t extra);

/* --------------------------------------------------------- commands --- */

void run_close(struct shell *shell, struct session *session);
void run_verify(struct shell *shell, struct session *session);
void run_ls(struct shell *shell, struct session *session);
void run_cd(struct shell *shell, struct session *session);
void run_pwd(struct shell *shell, struct session *session);
void run_stat(struct shell *shell, struct session *session);
void run_cat(struct shell *shell, struct session *session);
void run_dump(struct shell *shell, struct session *session);
void run_rdump(struct shell *shell, struct session *session);
void run_blocks(struct shell *shell, struct session *session);
void run_icheck(struct shell *shell, struct session *session);
void run_ncheck(struct shell *shell, struct session *session);
void run_help(struct shell *shell, struct session *session);
void run_quit(struct shell *shell, struct session *session);

extern const struct option_line ls_options[], cat_options[], dump_options[],
				rdump_options[];

#endif
