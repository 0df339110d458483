/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ls.c - debuglazy: ls, cd and pwd
 */
#include <stdio.h>
#include <string.h>

#include "shell.h"
#include "support/nls.h"
#include "support/status.h"

const struct option_line ls_options[] = {
	{ 'l', "long", NULL, N_("mode, type, owner, group, size and mtime") },
	{ 'd', "deleted", NULL,
	  N_("also names that have been removed, with < and >") },
	{ 0 }
};

struct ls {
	struct shell	*shell;
	struct session	*s;
	bool		details;
	bool		deleted;
};

static void put_details(struct ls *l, ext2_ino_t ino, unsigned type)
{
	struct ext2_inode_large inode;
	struct out *out = &l->s->out;
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

static int put_entry(ext2_ino_t dir, int entry, struct ext2_dir_entry *dirent,
		     int offset, int blocksize, char *buf, void *priv)
{
	struct ls *l = priv;
	bool removed = entry == DIRENT_DELETED_FILE;
	ext2_ino_t ino = dirent->inode;

	(void)dir, (void)offset, (void)blocksize, (void)buf;
	if (entry == DIRENT_CHECKSUM || (!ino && !removed))
		return 0;
	/* A removed one may name anything, if only the inode is gone too. */
	out_format(&l->s->out, removed ? "<%6u>" : " %6u ", ino);
	if (l->details && !removed)
		put_details(l, ino, ext2fs_dirent_file_type(dirent));
	out_char(&l->s->out, ' ');
	out_name(&l->s->out, dirent->name, ext2fs_dirent_name_len(dirent));
	out_char(&l->s->out, '\n');
	return cancelled() ? DIRENT_ABORT : 0;
}

static void list_directory(struct ls *l, const char *name, ext2_ino_t ino)
{
	errcode_t err = ext2fs_check_directory(l->shell->fs, ino);

	if (!err)
		err = ext2fs_dir_iterate2(l->shell->fs, ino, l->deleted ?
					  DIRENT_FLAG_INCLUDE_REMOVED : 0,
					  NULL, put_entry, l);
	if (err)
		shell_fail(l->shell, l->s, name, err);
}

void run_ls(struct shell *shell, struct session *s)
{
	struct ls l = { .shell = shell, .s = s };
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
			l.deleted = true;
	}
	if (!session_operands(s, 0, 1))
		return;
	name = s->nr_operands ? s->operands[0] : ".";
	if (shell_inode(shell, s, name, FOLLOW, &ino))
		list_directory(&l, name, ino);
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
	char *arg, *path = NULL;
	errcode_t err;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 0, 0) || !shell_fs(shell, s))
		return;
	err = ext2fs_get_pathname(shell->fs, shell->cwd, 0, &path);
	if (err) {
		shell_fail(shell, s, NULL, err);
		return;
	}
	out_printable(&s->out, path, ' ');
	out_char(&s->out, '\n');
	ext2fs_free_mem(&path);
}
