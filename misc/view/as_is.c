/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * as_is.c - the devices of a file system, whatever its state
 *
 * Each must have an overlay: e2fsck finds an external journal by its UUID, and a
 * kernel by its number, and both would write to the real one.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "decode/raw_super.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"
#include "view.h"

/* The reason why it does not open is for the doctor's page. */
static bool opens(struct session *s)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	bool opened;

	s->finds_way = true;
	if (nothing >= 0 && kept >= 0)
		dup2(nothing, STDERR_FILENO);
	opened = session_open(s);
	if (nothing >= 0 && kept >= 0)
		dup2(kept, STDERR_FILENO);
	close(nothing);
	close(kept);
	return opened;
}

/* Does the superblock in place say that the journal is elsewhere? */
static bool names_device(const struct session *s)
{
	static const uint8_t none[16];
	struct ext2_super_block super;

	return raw_super_read(s->device, s->source.open.offset, &super) &&
	       super.s_magic == EXT2_SUPER_MAGIC &&
	       super.s_feature_compat & EXT3_FEATURE_COMPAT_HAS_JOURNAL &&
	       !super.s_journal_inum &&
	       (super.s_journal_dev ||
		memcmp(super.s_journal_uuid, none, sizeof(none)));
}

/* Not every state opens; then --journal names the other device. */
static const char *journal_of(const struct session *s, bool opened)
{
	if (opened)
		return s->log->geo->external ? s->log->geo->journal_device
					     : NULL;
	return s->log->journal_device;
}

static bool may_be_written(struct session *s, bool opened)
{
	if (device_is_mounted(s->device))
		session_complain(s, FSCK_ERROR,
				 _("it is mounted: a rehearsal would show a "
				   "state that no tool meets"));
	else if (!journal_of(s, opened) && names_device(s))
		session_complain(s, FSCK_ERROR,
				 _("its journal is on another device: a "
				   "rehearsal needs that one, too: --journal"));
	else
		return true;
	return false;
}

bool view_look_as_is(struct view *v)
{
	struct session *s = v->s;
	struct view_seen *seen = &v->seen;
	bool opened = opens(s);
	const char *journal = journal_of(s, opened);

	s->status = 0;
	if (!s->log->device) {
		session_complain(s, FSCK_ERROR, _("it cannot be opened"));
		return false;
	}
	s->device = s->log->device;
	if (!may_be_written(s, opened))
		return false;
	seen->external = journal != NULL;
	snprintf(seen->journal, sizeof(seen->journal), "%s",
		 journal ? journal : "");
	return true;
}
