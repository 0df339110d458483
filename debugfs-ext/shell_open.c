/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shell_open.c - debuglazy: the device that stays open between commands
 */
#include "shell.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"
#include "session/in_use.h"

void shell_close(struct shell *shell)
{
	e2lazy_later_free(shell->later);
	shell->later = NULL;
	if (shell->fs)
		ext2fs_free(shell->fs);
	shell->fs = NULL;
	if (shell->opened)
		session_free(shell->opened);
	shell->opened = NULL;
}

/* Report the damage once, now, and not for each command. */
void shell_open(struct shell *shell, struct session *s)
{
	bool fine = session_open(s);

	if (fine)
		session_warn_mounted(s);
	fine = fine &&
	       session_build(s, E2LAZY_JMAP_STATES | E2LAZY_JMAP_CSUMS, true) &&
	       session_look(s) && !cancelled();
	if (!fine) {
		shell->status |= session_end(s);
		return;
	}
	session_tell_damage(s);
	shell->status |= s->status;
	shell_close(shell);
	shell->opened = s;
	shell->cwd = EXT2_ROOT_INO;
}

void shell_run_open(struct shell *shell, struct session *s)
{
	char *arg;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 1, 1))
		shell->status |= session_end(s);
	else
		shell_open(shell, s);
}

void run_close(struct shell *shell, struct session *s)
{
	char *arg;

	if (session_option(s, NULL, &arg) == OPTION_END &&
	    session_operands(s, 0, 0) && shell_has_device(shell, s))
		shell_close(shell);
}

bool shell_has_device(struct shell *shell, struct session *s)
{
	if (shell->opened)
		return true;
	complain(s->command->name, _("no device is open"));
	s->status |= FSCK_USAGE;
	return false;
}

ext2_filsys shell_fs(struct shell *shell, struct session *s)
{
	struct session *opened = shell->opened;
	struct e2lazy_where where;
	errcode_t err;

	if (shell->fs)
		return shell->fs;
	if (!shell_has_device(shell, s))
		return NULL;
	if (!session_shown(opened) || !session_leave_out(opened)) {
		s->status |= opened->status;
		return NULL;
	}
	err = e2lazy_view_open(opened_what_is_shown(opened->log), &shell->fs, &where);
	if (err == E2LAZY_ET_CANCELLED)
		return NULL;		/* session_end() reports it */
	if (err) {
		device_complain(opened->device, where.has ? &where : NULL, err,
				0);
		s->status |= FSCK_ERROR;
		return NULL;
	}
	s->status |= opened_tell_lacks(opened->log);
	return shell->fs;
}
