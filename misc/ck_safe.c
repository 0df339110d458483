/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ck_safe.c - that nobody else uses what is about to be written to
 *
 * The log is judged through a reader that locks nothing, and written back
 * through another that locks what it opens.  In between the devices might be
 * used by others: that the superblocks are the same under the lock as before
 * the log was read tells that they were not.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ck.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

/* ----------------------------------------------------------- snapshots */

static errcode_t read_super(const char *device, uint8_t bytes[1024])
{
	int fd = open(device, O_RDONLY | O_CLOEXEC);
	errcode_t err = 0;
	ssize_t got;

	if (fd < 0)
		return errno;
	got = pread(fd, bytes, 1024, SUPERBLOCK_OFFSET);
	if (got != 1024)
		err = got < 0 ? errno : EXT2_ET_SHORT_READ;
	close(fd);
	return err;
}

/* On a device of its own it stands behind the one that is ext4's. */
static errcode_t read_journal_super(struct session *s, uint8_t bytes[1024])
{
	unsigned size = s->geo->blocksize;
	uint32_t logblk = s->geo->external ? SUPERBLOCK_OFFSET / size + 1 : 0;
	uint8_t *block = malloc(size);
	errcode_t err;

	if (!block)
		return EXT2_ET_NO_MEMORY;
	err = e2lazy_read_log(s->journal, logblk, 1, block);
	if (!err)
		memcpy(bytes, block, 1024);
	free(block);
	return err;
}

static errcode_t take_snapshot(struct ck *ck, struct ck_snapshot *to)
{
	errcode_t err = read_super(ck->s->device, to->super);

	return err ? err : read_journal_super(ck->s, to->journal);
}

static uint32_t be32_at(const uint8_t *bytes, unsigned offset)
{
	uint32_t value;

	memcpy(&value, bytes + offset, sizeof(value));
	return be32toh(value);
}

/* The journal was opened a moment ago: is it still what was read then? */
static bool is_as_opened(const struct ck *ck)
{
	const uint8_t *journal = ck->snapshot.journal;

	return be32_at(journal, 24) == ck->s->geo->sequence &&
	       be32_at(journal, 28) == ck->s->geo->start;
}

bool ck_snapshot(struct ck *ck)
{
	errcode_t err = take_snapshot(ck, &ck->snapshot);

	if (!err && !is_as_opened(ck))
		err = E2LAZY_ET_CHANGED;
	if (err)
		session_fail(ck->s, err, NULL);
	return !err;
}

/* ------------------------------------------------------------ who has it */

/* Others that stand on a block device would not see what is written. */
static bool has_no_holders(struct session *s, const char *device, dev_t number)
{
	char holder[HOLDER_NAME];

	if (!device_is_held(number, holder))
		return true;
	complain(device, _("it is part of %s, which would not see what is "
			   "written"), holder);
	s->status |= FSCK_ERROR;
	return false;
}

static bool is_not_mounted(struct session *s, const char *device)
{
	char place[E2LAZY_PATH_MAX] = "";
	int flags = 0;
	errcode_t err = ext2fs_check_mount_point(device, &flags, place,
						 sizeof(place));

	if (err)
		complain(device, _("whether it is mounted cannot be told: %s"),
			 error_message(err));
	else if (flags & EXT2_MF_SWAP)
		complain(device, _("it is in use as swap space"));
	else if (flags & EXT2_MF_MOUNTED)
		complain(device, *place ? _("it is mounted at %s; unmount it "
					    "first")
					: _("it is mounted; unmount it first"),
			 place);
	else if (flags & EXT2_MF_BUSY)
		complain(device, _("another program has it in use"));
	else
		return true;
	s->status |= FSCK_ERROR;
	return false;
}

/*
 * Nor what a loop device stands on, be it on others of them: to be in use, as
 * its partitions' mounts make it, is enough.
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
		if (!is_not_mounted(s, below)) {
			complain(device, _("it stands on %s"), below);
			return false;
		}
		memcpy(above, below, sizeof(above));
	}
}

/* Of some bytes, by fcntl(2), as virtual machines lock their images. */
static bool has_locked_bytes(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	/* What knows no such locks has none. */
	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

static errcode_t no_locked_bytes(const char *device)
{
	int fd = open(device, O_RDONLY | O_CLOEXEC);
	errcode_t err;

	if (fd < 0)
		return errno;
	err = has_locked_bytes(fd) ? E2LAZY_ET_LOCKED : 0;
	close(fd);
	return err;
}

/* Without opening it for writing, which udev would take for a change. */
static bool is_writable(struct session *s, const char *device)
{
	int fd = open(device, O_RDONLY | O_CLOEXEC), read_only = 0;
	const char *why = NULL;

	if (fd < 0 || access(device, W_OK))
		why = strerror(errno);
	else if (!ioctl(fd, BLKROGET, &read_only) && read_only)
		why = _("the device is read-only");
	else if (flock(fd, LOCK_EX | LOCK_NB))
		why = errno == EWOULDBLOCK ?
		      _(error_message(E2LAZY_ET_LOCKED)) : strerror(errno);
	else if (has_locked_bytes(fd))
		why = _(error_message(E2LAZY_ET_LOCKED));
	if (fd >= 0)
		close(fd);
	if (!why)
		return true;
	complain(device, "%s", why);
	s->status |= FSCK_ERROR;
	return false;
}

static bool is_unused(struct session *s, const char *device)
{
	struct stat st;

	if (stat(device, &st)) {
		complain(device, "%s", strerror(errno));
		s->status |= FSCK_ERROR;
		return false;
	}
	/* Of a device with holders the second would say no more than "busy". */
	return (!S_ISBLK(st.st_mode) ||
		has_no_holders(s, device, st.st_rdev)) &&
	       is_not_mounted(s, device) && is_not_mounted_below(s, device) &&
	       ck_has_no_loop(s, device, &st);
}

void ck_warn_mounted(struct ck *ck)
{
	int flags = 0;

	if (!ext2fs_check_if_mounted(ck->s->device, &flags) &&
	    flags & EXT2_MF_MOUNTED)
		session_complain(ck->s, 0, _("it is mounted, so the log may "
					     "change while it is read"));
}

bool ck_safe(struct ck *ck)
{
	struct session *s = ck->s;
	const char *journal = s->geo->external ? s->geo->journal_device : NULL;

	out_flush(&s->out);
	return is_unused(s, s->device) && is_writable(s, s->device) &&
	       (!journal || (is_unused(s, journal) &&
			     is_writable(s, journal)));
}

/*
 * Nobody mounts a block device that is opened exclusively: a file cannot be,
 * and what is below is not.
 */
static errcode_t is_still_free(struct session *s, const char *device)
{
	struct stat st;

	if (stat(device, &st))
		return errno;
	if (!ck_has_no_loop(s, device, &st) ||
	    !is_not_mounted_below(s, device) ||
	    (S_ISREG(st.st_mode) && !is_not_mounted(s, device)))
		return E2LAZY_ET_CHANGED;
	return no_locked_bytes(device);
}

errcode_t ck_still_safe(struct ck *ck)
{
	struct ck_snapshot now;
	errcode_t err;

	err = is_still_free(ck->s, ck->s->device);
	if (!err && ck->s->geo->external)
		err = is_still_free(ck->s, ck->s->geo->journal_device);
	if (!err)
		err = take_snapshot(ck, &now);
	if (!err && memcmp(&now, &ck->snapshot, sizeof(now)))
		err = E2LAZY_ET_CHANGED;
	return err;
}
