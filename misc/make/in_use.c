/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * in_use.c - checks that no other program uses the device to overwrite
 *
 * mke2fs checks again, later; but an option can switch its check off, and it
 * does not know the devices above this one by name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "make.h"
#include "session/in_use.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

static bool refuse(struct make *m, const char *why)
{
	session_complain(m->s, FSCK_ERROR, "%s", why);
	return false;
}

static bool has_no_holders(struct make *m, dev_t number)
{
	char holder[HOLDER_NAME];

	if (!device_is_held(number, holder))
		return true;
	session_complain(m->s, FSCK_ERROR,
			 _("%s is built on it; remove that device first"),
			 holder);
	return false;
}

/* An exclusively opened block device has no other user. */
static bool is_writable(struct make *m, const struct stat *st)
{
	int flags = O_RDONLY | O_CLOEXEC | (S_ISBLK(st->st_mode) ? O_EXCL : 0);
	int fd = open(m->s->device, flags);
	const char *why;

	if (fd < 0)
		why = errno == EBUSY ? _("another program uses the device")
				     : strerror(errno);
	else
		why = write_protection(m->s->device, fd);
	if (fd >= 0)
		close(fd);
	return !why || refuse(m, why);
}

/* mke2fs crashes if it cannot write its undo file. */
static bool can_undo(struct make *m)
{
	const char *name = m->undo ? strrchr(m->undo, '/') : NULL;
	char directory[E2LAZY_PATH_MAX] = ".";
	struct stat st;
	int error = 0;

	if (!m->undo)
		return true;
	if (name)	/* "/" of "/name" */
		snprintf(directory, sizeof(directory), "%.*s",
			 (int)(name - m->undo) + (name == m->undo), m->undo);
	if (!stat(m->undo, &st))
		error = S_ISDIR(st.st_mode) ? EISDIR :
			access(m->undo, W_OK) ? errno : 0;
	else if (access(directory, W_OK | X_OK))
		error = errno;
	if (error)
		session_complain(m->s, FSCK_ERROR,
				 _("the undo file %s cannot be written: %s"),
				 m->undo, strerror(error));
	return !error;
}

bool make_may_write(struct make *m)
{
	struct stat *st = &m->looked_at;

	out_flush(&m->s->print.out);
	if (stat(m->s->device, st))
		return refuse(m, strerror(errno));
	return (!S_ISBLK(st->st_mode) || has_no_holders(m, st->st_rdev)) &&
	       session_not_mounted(m->s, m->s->device) &&
	       is_writable(m, st) && can_undo(m);
}

/* The measurement and the user's reading of the plan take a while. */
bool make_still_same(struct make *m)
{
	const struct stat *was = &m->looked_at;
	struct stat now;
	bool same = !stat(m->s->device, &now);

	if (same && S_ISBLK(was->st_mode))
		same = S_ISBLK(now.st_mode) && now.st_rdev == was->st_rdev;
	else if (same)
		same = now.st_dev == was->st_dev && now.st_ino == was->st_ino;
	return same || refuse(m, _("its name now leads to another device, so "
				   "nothing was written"));
}
