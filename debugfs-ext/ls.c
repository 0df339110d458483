/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ls.c - debuglazy: ls, cd and pwd
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell.h"
#include "support/nls.h"
#include "support/status.h"

const struct option_line ls_options[] = {
	{ 'l', "long", NULL, N_("show mode, type, owner, group, size and "
				"mtime") },
	{ 'd', "deleted", NULL,
	  N_("also list removed names, between < and >") },
	{ 0 }
};

struct ls {
	struct shell	*shell;
	struct session	*s;
	bool		details;
};

static void put_details(struct ls *l, ext2_ino_t ino, unsigned type)
{
	struct ext2_inode_large inode;
	struct out *out = &l->s->print.out;
	char subject[32];
	errcode_t err = EXT2_ET_BAD_INODE_NUM;

	memset(&inode, 0, sizeof(inode));
	if (ino && ino <= l->shell->fs->super->s_inodes_count)
		err = ext2fs_read_inode_full(l->shell->fs, ino,
					     (struct ext2_inode *)&inode,
					     sizeof(inode));
	if (err) {
		out_format(out, " %6s (%u)  %5s  %5s   %5s %20s", "-", type,
			   "-", "-", "-", "-");
		snprintf(subject, sizeof(subject), "<%u>", ino);
		shell_fail(l->shell, l->s, subject, err);
		return;
	}
	out_format(out, " %6o (%u)  %5u  %5u   %5llu ", inode.i_mode, type,
		   inode_uid(inode), inode_gid(inode), (unsigned long long)
		   EXT2_I_SIZE((struct ext2_inode *)&inode));
	out_inode_time(out, inode.i_mtime, inode.i_mtime_extra);
}

static errcode_t put_entry(void *priv, const struct e2lazy_entry *entry)
{
	struct ls *l = priv;

	/* A removed entry may hold any name, and its inode may have a new
	   owner. */
	out_format(&l->s->print.out, entry->removed ? "<%6u>" : " %6u ",
		   entry->ino);
	if (l->details && !entry->removed)
		put_details(l, entry->ino, entry->type);
	out_char(&l->s->print.out, ' ');
	out_printable_bytes(&l->s->print.out, entry->name, entry->length, ' ');
	out_char(&l->s->print.out, '\n');
	return cancelled() ? E2LAZY_ET_CANCELLED : 0;
}

void run_ls(struct shell *shell, struct session *s)
{
	struct ls l = { .shell = shell, .s = s };
	struct e2lazy_directory_opts opts = { .removed = false };
	const char *name;
	ext2_ino_t ino;
	char *arg;
	int id;

	while ((id = session_option(s, NULL, &arg)) != OPTION_END) {
		if (id == OPTION_BAD)
			return;
		if (id == 'l')
			l.details = true;
		else
			opts.removed = true;
	}
	if (!session_operands(s, 0, 1))
		return;
	name = s->nr_operands ? s->operands[0] : ".";
	if (shell_inode(shell, s, name, FOLLOW, &ino))
		shell_read_directory(shell, s, name, ino, &opts, put_entry, &l);
}

void run_cd(struct shell *shell, struct session *s)
{
	const char *name;
	ext2_ino_t ino;
	errcode_t err;
	char *arg;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 0, 1))
		return;
	name = s->nr_operands ? s->operands[0] : "/";
	if (!shell_inode(shell, s, name, FOLLOW, &ino))
		return;
	err = ext2fs_check_directory(shell->fs, ino);
	if (err)
		shell_fail(shell, s, name, err);
	else
		shell->cwd = ino;
}

void run_pwd(struct shell *shell, struct session *s)
{
	struct e2lazy_where where;
	char *arg, *path;
	errcode_t err;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 0, 0) || !shell_fs(shell, s))
		return;
	err = e2lazy_directory_path(shell->fs, shell->cwd, &path, &where);
	if (err) {
		shell_fail_at(s, NULL, &where, err);
		return;
	}
	out_printable(&s->print.out, path, ' ');
	out_char(&s->print.out, '\n');
	free(path);
}
