/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shell.h - debuglazy: what its commands share
 *
 * A line goes through libss to debuglazy_request(), which finds the command in
 * the table and gives it a session of its own.  The commands that look at the
 * journal are e2lazy's; all of them borrow what shell->opened has open.
 */
#ifndef DEBUGFS_EXT_SHELL_H
#define DEBUGFS_EXT_SHELL_H

#include <limits.h>
#include <stdio.h>

#include "e2lazy_view.h"
#include "session/session.h"

struct shell {
	int		sci;		/* what libss calls an invocation */
	int		status;		/* FSCK_* of all commands so far */
	bool		ended;		/* quit has been said */
	bool		listening;	/* to somebody at a terminal */
	const char	*script;	/* that is run, or NULL */
	struct session	nothing;	/* is open: it has no journal */
	struct session	*opened;	/* what the commands look at */
	ext2_filsys	fs;		/* its view; NULL until it is wanted */
	ext2_ino_t	cwd;
};

struct shell_command {
	const char	*name;
	const struct command *look;	/* it is this one of e2lazy, or NULL */
	const char	*usage;		/* what stands behind the options */
	const struct option_line *options;
	enum command_kind kind;
	/* NULL for the command that opens a device. */
	void		(*run)(struct shell *shell, struct session *session);
};

/* Ends with one that has no name. */
extern const struct shell_command shell_commands[];

/* ------------------------------------------------------------ shell.c --- */

/* False, after a complaint, if libss cannot be had. */
bool shell_begin(struct shell *shell);
/* Returns the exit status. */
int shell_end(struct shell *shell);
void shell_line(struct shell *shell, const char *line);
void shell_script(struct shell *shell, FILE *script);
void shell_quit(struct shell *shell);
/* Prompts at a terminal. */
void shell_listen(struct shell *shell);
/* What libss knows of a command by any of its names, or NULL. */
const struct _ss_request_entry *shell_entry(const char *name);
/* Print what "NAME --help" prints. */
void shell_help(struct shell *shell, const char *name, struct session *session);

/* ------------------------------------------------------- shell_open.c --- */

/*
 * Take over @session, whose operand is a device, as what is open. Whatever
 * happens it is not the caller's any more.
 */
void shell_open(struct shell *shell, struct session *session);
void shell_close(struct shell *shell);
/* The command of that name. */
void shell_run_open(struct shell *shell, struct session *session);
/* False, after a complaint, if nothing is open. */
bool shell_has_device(struct shell *shell, struct session *session);
/* The file system, seen through the log; NULL after a complaint. */
ext2_filsys shell_fs(struct shell *shell, struct session *session);

/* ------------------------------------------------------------ names.c --- */

/* "debuglazy: COMMAND: SUBJECT: block N: why", and FSCK_ERROR. */
void shell_fail(struct shell *shell, struct session *session,
		const char *subject, errcode_t error);
/* The same of @where; where that has nothing, without a block. */
void shell_fail_at(struct session *session, const char *subject,
		   const struct e2lazy_where *where, errcode_t error);
/* The same of what was found damaged, if anything was. */
void shell_tell_damage(struct session *session, const char *subject,
		       const struct e2lazy_damage *damage);
/*
 * What a look at all inodes could not read.  A bad disk, or an enemy's, can
 * have millions of places, so the first is told, and how many more there are.
 */
struct unread {
	uint64_t	count;
	char		subject[64];	/* of the first, as the others */
	struct e2lazy_where where;
	errcode_t	error;
};

void shell_note_unread(struct unread *unread, const char *subject,
		       const struct e2lazy_where *where, errcode_t error,
		       uint64_t count);
/* shell_fail() of all in one line. */
void shell_tell_unread(struct session *session, const struct unread *unread);
/* The same for what is not in the file system, in words of the system. */
void shell_fail_native(struct session *session, const char *path, int error);

/* For commands that take any number of operands. */
#define MAX_OPERANDS	INT_MAX

/* A symbolic link that a path ends in. */
enum follow { FOLLOW, NO_FOLLOW };

/* The inode that PATH or <INO> means. False after a complaint. */
bool shell_inode(struct shell *shell, struct session *session,
		 const char *name, enum follow follow, ext2_ino_t *ino);
/* The same, and the inode read. */
bool shell_read_inode(struct shell *shell, struct session *session,
		      const char *name, enum follow follow, ext2_ino_t *ino,
		      struct ext2_inode_large *inode);

/*
 * e2lazy_directory_read() of the directory that is called @name. False, after
 * a complaint, where it came to nothing; damage is complained about, too.
 */
bool shell_read_directory(struct shell *shell, struct session *session,
			  const char *name, ext2_ino_t dir,
			  const struct e2lazy_directory_opts *opts,
			  errcode_t (*found)(void *priv,
					     const struct e2lazy_entry *entry),
			  void *priv);
/* "." and ".." */
bool is_dots(const char *name, size_t length);

/* "2026-01-31T23:59:59Z" or "-", of a field and its extra bits. */
void out_inode_time(struct out *out, uint32_t field, uint32_t extra);
/* Seconds since the epoch, of a field and its extra bits. */
int64_t inode_seconds(uint32_t field, uint32_t extra);

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
