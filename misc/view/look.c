/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * look.c - reads the device, and says whether it can be shown
 */
#include "decode/ages.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"
#include "view.h"

/* Checks that need the open journal. */
static bool can_be_shown(struct view *v)
{
	bool external = v->s->log->geo->external;

	if (external && v->cow && v->mode == VIEW_MOUNT)
		session_complain(v->s, FSCK_USAGE,
				 _("the journal is on another device: --mount "
				   "does not work with --cow"));
	else if (view_has_mark(v, VIEW_JOURNAL_MARK) &&
		 (!external || v->mode == VIEW_MOUNT ||
		  v->mode == VIEW_SOCKET))
		session_complain(v->s, FSCK_USAGE, "%s: %s", VIEW_JOURNAL_MARK,
				 external ?
				 _("--mount and --socket do not show the "
				   "journal") :
				 _("the journal is inside the file system"));
	else
		return true;
	return false;
}

/* The device mapper cannot tell metadata in place by its content. */
static bool can_be_table(struct session *s)
{
	if (!e2lazy_view_uncovered(opened_what_is_shown(s->log)))
		return true;
	session_complain(s, FSCK_ERROR,
			 _("--dm-table: a table cannot leave out metadata that "
			   "may be newer"));
	return false;
}

bool view_look(struct view *v)
{
	struct session *s = v->s;

	if (!session_open(s) || !can_be_shown(v) ||
	    !session_build(s, E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES, false) ||
	    !session_look(s) || !session_shown(s) || !session_leave_out(s))
		return false;
	if (device_is_mounted(s->device))
		session_complain(s, 0, _("it is mounted: the view lacks later "
					 "writes or holds only part of them"));
	session_tell_damage(s);
	s->status |= opened_tell_lacks(s->log);
	if (!session_tell_later(s))
		return false;
	return v->mode != VIEW_TABLE || can_be_table(s);
}
