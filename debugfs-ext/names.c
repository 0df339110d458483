/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.c - debuglazy: from a path or <INO> to an inode, and its names
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fs/inode_life.h"
#include "shell.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

static void fail_at(struct session *s, const char *subject,
		    const struct e2lazy_where *where, errcode_t error,
		    uint64_t more)
{
	char *full = NULL;

	if (error == E2LAZY_ET_CANCELLED)
		return;			/* session_end() reports it */
	out_flush(&s->print.out);
	s->status |= FSCK_ERROR;
	if (subject && asprintf(&full, "%s: %s", s->command->name, subject) < 0)
		full = NULL;
	device_complain(full ? full : s->command->name,
			where && where->has ? where : NULL, error, more);
	free(full);
}

void shell_fail(struct shell *shell, struct session *s, const char *subject,
		errcode_t error)
{
	fail_at(s, subject, shell->fs ? e2lazy_view_failed(shell->fs) : NULL,
		error, 0);
}

void shell_fail_at(struct session *s, const char *subject,
		   const struct e2lazy_where *where, errcode_t error)
{
	fail_at(s, subject, where, error, 0);
}

void shell_tell_unread(struct session *s, const struct unread *unread)
{
	if (unread->count)
		fail_at(s, unread->subject, &unread->where, unread->error,
			unread->count - 1);
}

void shell_note_unread(struct unread *unread, const char *subject,
		       const struct e2lazy_where *where, errcode_t error,
		       uint64_t count)
{
	if (!count || error == E2LAZY_ET_CANCELLED)
		return;
	if (!unread->count) {
		snprintf(unread->subject, sizeof(unread->subject), "%s",
			 subject);
		memset(&unread->where, 0, sizeof(unread->where));
		if (where)
			unread->where = *where;
		unread->error = error;
	}
	unread->count += count;
}

static void tell_damage(struct session *s, const char *subject,
			const struct e2lazy_damage *damage)
{
	if (damage->count)
		fail_at(s, subject, &damage->first, damage->error,
			damage->count - 1);
}

bool shell_read_directory(struct shell *shell, struct session *s,
			  const char *name, ext2_ino_t dir,
			  const struct e2lazy_directory_opts *opts,
			  errcode_t (*found)(void *priv,
					     const struct e2lazy_entry *),
			  void *priv)
{
	struct e2lazy_damage damage;
	errcode_t err;

	err = e2lazy_directory_read(shell->fs, dir, opts, found, priv, &damage);
	tell_damage(s, name, &damage);
	if (err)
		shell_fail(shell, s, name, err);
	return !err;
}

void shell_fail_native(struct session *s, const char *path, int error)
{
	out_flush(&s->print.out);
	complain(s->command->name, "%s: %s", path, strerror(error));
	s->status |= FSCK_ERROR;
}

static bool parse_inode(const char *name, uint64_t *ino)
{
	size_t length = strlen(name);
	char digits[OUT_DIGITS + 1];

	if (length < 3 || length - 2 >= sizeof(digits) || *name != '<' ||
	    name[length - 1] != '>')
		return false;
	memcpy(digits, name + 1, length - 2);
	digits[length - 2] = 0;
	return parse_number(digits, UINT32_MAX, ino);
}

bool shell_inode(struct shell *shell, struct session *s, const char *name,
		 enum follow follow, ext2_ino_t *ino)
{
	ext2_filsys fs = shell_fs(shell, s);
	struct e2lazy_where where;
	uint64_t number;
	errcode_t err;

	if (!fs)
		return false;
	if (parse_inode(name, &number)) {
		*ino = number;
		if (number && number <= fs->super->s_inodes_count)
			return true;
		complain(s->command->name,
			 _("inode %llu: the file system has inodes 1 to %u"),
			 (unsigned long long)number,
			 fs->super->s_inodes_count);
		s->status |= FSCK_USAGE;
		return false;
	}
	err = e2lazy_lookup(fs, shell->cwd, name, follow == FOLLOW, ino,
			    &where);
	if (err)
		shell_fail_at(s, name, &where, err);
	return !err;
}

bool shell_read_inode(struct shell *shell, struct session *s, const char *name,
		      enum follow follow, ext2_ino_t *ino,
		      struct ext2_inode_large *inode)
{
	errcode_t err;

	if (!shell_inode(shell, s, name, follow, ino))
		return false;
	/* An old, small inode lacks the extra fields; they read as zero. */
	memset(inode, 0, sizeof(*inode));
	err = ext2fs_read_inode_full(shell->fs, *ino,
				     (struct ext2_inode *)inode,
				     sizeof(*inode));
	if (err)
		shell_fail(shell, s, name, err);
	return !err;
}

void out_inode_time(struct out *out, uint32_t field, uint32_t extra)
{
	char text[TIME_TEXT];

	date_text(text, inode_seconds(field, extra));
	out_text(out, text);
}
