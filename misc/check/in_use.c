/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * in_use.c - checks that no other program uses the devices to write to
 *
 * It checks mounts, holders and locks: before any question, and again under
 * the writer's lock.  Under that lock the library compares the device with the
 * judged one, so a name still means the same device.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "ck.h"
#include "session/in_use.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

/* ------------------------------------------------------------ who has it */

/*
 * A holder of the block device, such as device mapper, would miss the writes.
 */
static bool has_no_holders(struct session *s, const char *device, dev_t number)
{
	char holder[HOLDER_NAME];

	if (!device_is_held(number, holder))
		return true;
	complain(device, _("it is part of %s, which would not see the "
			   "writes"), holder);
	s->status |= FSCK_ERROR;
	return false;
}

/*
 * The device below a loop device must not be in use either, at any depth: a
 * mounted partition of it is enough.
 */
static bool is_not_mounted_below(struct session *s, const char *device)
{
	char above[E2LAZY_PATH_MAX], below[E2LAZY_PATH_MAX];

	snprintf(above, sizeof(above), "%s", device);
	for (;;) {
		if (!ck_find_below(s, above, below))
			return false;
		if (!*below)
			return true;
		if (!session_not_mounted(s, below)) {
			complain(device, _("it lies on %s"), below);
			return false;
		}
		memcpy(above, below, sizeof(above));
	}
}

/* Virtual machines lock byte ranges of their images with fcntl(2). */
static bool has_locked_bytes(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	/* A file system without such locks has none. */
	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

static bool is_writable(struct session *s, const struct e2lazy_device *d)
{
	const char *why = write_protection(d->name, d->fd);

	if (!why && flock(d->fd, LOCK_EX | LOCK_NB))
		why = errno == EWOULDBLOCK ?
		      _(error_message(E2LAZY_ET_LOCKED)) : strerror(errno);
	else if (!why && has_locked_bytes(d->fd))
		why = _(error_message(E2LAZY_ET_LOCKED));
	flock(d->fd, LOCK_UN);
	if (!why)
		return true;
	complain(d->name, "%s", why);
	s->status |= FSCK_ERROR;
	return false;
}

static bool is_unused(struct session *s, const struct e2lazy_device *d)
{
	/* For a device with holders the second check would only say "busy". */
	return (!d->rdev || has_no_holders(s, d->name, d->rdev)) &&
	       session_not_mounted(s, d->name) &&
	       is_not_mounted_below(s, d->name) && ck_has_no_loop(s, d);
}

static bool is_safe(struct session *s, const struct e2lazy_device *d)
{
	return is_unused(s, d) && is_writable(s, d);
}

bool ck_may_write(struct ck *ck)
{
	struct session *s = ck->s;

	out_flush(&s->print.out);
	return is_safe(s, e2lazy_device(s->log->journal, E2LAZY_FILE_SYSTEM)) &&
	       (!s->log->geo->external ||
		is_safe(s, e2lazy_device(s->log->journal, E2LAZY_JOURNAL)));
}

/*
 * An exclusively opened block device cannot be mounted; a file and the devices
 * below can.
 */
static errcode_t is_still_free(struct session *s, const struct e2lazy_device *d)
{
	if (!ck_has_no_loop(s, d) || !is_not_mounted_below(s, d->name) ||
	    (!d->rdev && !session_not_mounted(s, d->name)))
		return E2LAZY_ET_CHANGED;
	return has_locked_bytes(d->fd) ? E2LAZY_ET_LOCKED : 0;
}

errcode_t ck_still_may_write(struct ck *ck)
{
	const struct e2lazy_journal *j = ck->s->log->journal;
	errcode_t err = is_still_free(ck->s,
				      e2lazy_device(j, E2LAZY_FILE_SYSTEM));

	if (!err && ck->s->log->geo->external)
		err = is_still_free(ck->s, e2lazy_device(j, E2LAZY_JOURNAL));
	return err;
}
