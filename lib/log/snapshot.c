/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * snapshot.c - is the journal still the one that was judged?
 *
 * e2lazy reads a log without a lock and writes it back under one.  In between
 * somebody can mount, write to or replace the devices.  A mount changes the
 * ext4 superblock; a replay, or a commit after an empty log, changes the
 * journal superblock.  If both are the same under the lock as before the log
 * was read, nobody did any of it.
 */

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "log.h"

static errcode_t read_super(const struct e2lazy_journal *j,
			    enum e2lazy_volume volume, int fd, uint64_t at,
			    uint8_t *buf)
{
	const struct e2lazy_device *d = e2lazy_device(j, volume);

	return d->fd >= 0 ? device_read(d, fd, at, SUPER_BYTES, buf) :
			    medium_read_super(d, j->manager, at, buf);
}

static errcode_t take(const struct e2lazy_journal *j, int fs_fd, int log_fd,
		      struct snapshot *out, struct e2lazy_where *where)
{
	blk64_t physblk;
	errcode_t err;

	where->volume = E2LAZY_FILE_SYSTEM;
	err = read_super(j, E2LAZY_FILE_SYSTEM, fs_fd, SUPER_OFFSET,
			 out->super);
	if (err)
		return err;
	where->volume = E2LAZY_JOURNAL;
	err = e2lazy_physblk(j, journal_super_logblk(j), &physblk);
	return err ? err : read_super(j, E2LAZY_JOURNAL,
				      j->jfs ? log_fd : fs_fd,
				      physblk * j->fs->blocksize,
				      out->journal);
}

static errcode_t check_name(const struct e2lazy_journal *j,
			    enum e2lazy_volume volume,
			    struct e2lazy_where *where)
{
	const struct e2lazy_medium_guard *guard = j->guards[volume];

	where->volume = volume;
	return guard ? guard->check(guard->priv) :
		       device_check_name(e2lazy_device(j, volume));
}

static errcode_t check_names(const struct e2lazy_journal *j,
			     struct e2lazy_where *where)
{
	errcode_t err = check_name(j, E2LAZY_FILE_SYSTEM, where);

	return err || !j->jfs ? err : check_name(j, E2LAZY_JOURNAL, where);
}

errcode_t journal_unchanged(const struct e2lazy_journal *j, int fs_fd,
			    int log_fd, struct e2lazy_where *where)
{
	struct snapshot now;
	errcode_t err;

	where->has = 0;
	err = check_names(j, where);
	if (!err)
		err = take(j, fs_fd, log_fd, &now, where);
	if (err)
		return err;
	if (!memcmp(&now, &j->judged, sizeof(now)))
		return 0;
	/* Else the journal's differs, and @where already names it. */
	if (memcmp(now.super, j->judged.super, SUPER_BYTES))
		where->volume = E2LAZY_FILE_SYSTEM;
	return E2LAZY_ET_CHANGED;
}

errcode_t e2lazy_unchanged(const struct e2lazy_journal *j,
			   struct e2lazy_where *where)
{
	int fs_fd = -1, log_fd = -1;
	struct e2lazy_where unused;
	errcode_t err = 0;

	if (!where)
		where = &unused;
	where->volume = E2LAZY_FILE_SYSTEM;
	where->has = 0;
	if (!is_held(j))
		return E2LAZY_ET_NOT_HELD;
	if (j->device.fd >= 0)
		err = device_reopen(&j->device, O_RDONLY, &fs_fd);
	if (!err && j->log.fd >= 0) {
		where->volume = E2LAZY_JOURNAL;
		err = device_reopen(&j->log, O_RDONLY, &log_fd);
	}
	if (!err)
		err = journal_unchanged(j, fs_fd, log_fd, where);
	if (fs_fd >= 0)
		close(fs_fd);
	if (log_fd >= 0)
		close(log_fd);
	return err;
}
