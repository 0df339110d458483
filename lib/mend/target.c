/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* target.c - open the devices of a file system for writing */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "log/log.h"
#include "view/view.h"
#include "mend.h"

/* EXT2_FLAG_THREADS only asks: a manager without threads ignores it. */
#define WRITE_FLAGS (EXT2_FLAG_RW | EXT2_FLAG_EXCLUSIVE | EXT2_FLAG_64BITS | \
		     EXT2_FLAG_SOFTSUPP_FEATURES | EXT2_FLAG_MASTER_SB_ONLY | \
		     EXT2_FLAG_JOURNAL_DEV_OK | EXT2_FLAG_THREADS)

/* An flock keeps udev, similar tools and a second run away. */
static errcode_t lock(struct target *t, const struct e2lazy_journal *j,
		      enum e2lazy_volume volume, struct e2lazy_where *where)
{
	const struct e2lazy_medium_guard *guard = j->guards[volume];
	int *fd = &t->locks[volume];
	errcode_t err;

	where->volume = volume;
	if (guard) {
		err = guard->lock(guard->priv);
		t->guards[volume] = err ? NULL : guard;
		return err;
	}
	err = device_reopen(e2lazy_device(j, volume), O_RDONLY, fd);
	if (!err && flock(*fd, LOCK_EX | LOCK_NB))
		err = errno == EWOULDBLOCK ? E2LAZY_ET_LOCKED : errno;
	return err;
}

static void unlock(struct target *t, unsigned volume)
{
	const struct e2lazy_medium_guard *guard = t->guards[volume];

	if (t->locks[volume] >= 0)
		close(t->locks[volume]);
	t->locks[volume] = -1;
	if (guard)
		guard->unlock(guard->priv);
	t->guards[volume] = NULL;
}

static errcode_t lock_all(struct target *t, const struct e2lazy_journal *j,
			  struct e2lazy_where *where)
{
	errcode_t err = lock(t, j, E2LAZY_FILE_SYSTEM, where);

	if (!err && j->jfs)
		err = lock(t, j, E2LAZY_JOURNAL, where);
	return err;
}

static errcode_t open_one(const struct e2lazy_device *device, int flags,
			  io_manager manager, ext2_filsys *fs, bool *cached)
{
	errcode_t err;

	err = device_open_fs(device, flags | EXT2_FLAG_DIRECT_IO, 0, 0,
			     manager, fs);
	*cached = err == EINVAL;	/* no O_DIRECT there */
	if (*cached)
		err = device_open_fs(device, flags, 0, 0, manager, fs);
	if (err)
		return err;
	err = io_channel_set_options((*fs)->io, "cache=off");
	return err == EXT2_ET_INVALID_ARGUMENT ? 0 : err;
}

static errcode_t open_all(struct target *t, const struct e2lazy_journal *j,
			  io_manager manager, struct e2lazy_where *where)
{
	int torn = j->geo.super_torn ? EXT2_FLAG_IGNORE_CSUM_ERRORS : 0;
	bool unused;
	errcode_t err;

	where->volume = E2LAZY_FILE_SYSTEM;
	err = open_one(&j->device, WRITE_FLAGS | torn, manager, &t->fs,
		       &t->cached);
	if (err || !j->jfs)
		return err;
	where->volume = E2LAZY_JOURNAL;
	return open_one(&j->log, WRITE_FLAGS, manager, &t->jfs, &unused);
}

/*
 * The kernel reports the failed write of any program once to each descriptor
 * that was open then, and to the next one if there was none.  libext2fs calls
 * fsync() when it opens a device, and ignores the error.  The descriptor of the
 * lock is older and still gets it: what was judged may not be on the disk.
 */
static errcode_t earlier_writes(const struct target *t,
				struct e2lazy_where *where)
{
	for (unsigned i = 0; i < 2; i++) {
		if (t->locks[i] < 0 || !fsync(t->locks[i]))
			continue;
		where->volume = i;
		return errno == EIO || errno == ENOSPC || errno == EDQUOT ?
			       E2LAZY_ET_EARLIER_WRITE : errno;
	}
	return 0;
}

/* libext2fs reads the MMP block by a path, and without the offset. */
static errcode_t may_write(const struct e2lazy_journal *j)
{
	bool mmp = ext2fs_has_feature_mmp(j->fs->super);

	if (!is_held(j) || (mmp && j->device.fd < 0))
		return E2LAZY_ET_NOT_HELD;
	return mmp && j->device.offset ? E2LAZY_ET_MMP_OFFSET : 0;
}

/*
 * The descriptors make sure that these are the devices that were judged.  Their
 * superblocks are compared twice: before the opening, because it writes the MMP
 * block, and after it, because MMP makes it wait.
 */
static errcode_t open_target(struct target *t, const struct e2lazy_journal *j,
			     io_manager manager, struct e2lazy_where *where)
{
	errcode_t err;

	memset(t, 0, sizeof(*t));
	t->locks[0] = t->locks[1] = -1;
	where->has = 0;
	where->volume = E2LAZY_FILE_SYSTEM;
	err = may_write(j);
	if (err)
		return err;
	if (!manager)
		manager = j->device.fd >= 0 ? unix_io_manager : j->manager;
	err = lock_all(t, j, where);
	if (!err)
		err = journal_unchanged(j, t->locks[0], t->locks[1], where);
	if (!err)
		err = open_all(t, j, manager, where);
	if (!err)
		err = earlier_writes(t, where);
	if (!err)
		err = journal_unchanged(j, t->locks[0], t->locks[1], where);
	if (err) {
		target_close(t, NULL);
		return err;
	}
	where->volume = E2LAZY_FILE_SYSTEM;
	t->threads = manager == unix_io_manager &&
		     t->fs->io->flags & CHANNEL_FLAGS_THREADS;
	return 0;
}

static errcode_t refuse(struct target *t, struct e2lazy_where *where)
{
	memset(t, 0, sizeof(*t));
	t->locks[0] = t->locks[1] = -1;
	where->has = 0;
	where->volume = E2LAZY_FILE_SYSTEM;
	return E2LAZY_ET_NOT_HELD;
}

errcode_t target_open(struct target *t, const struct e2lazy_view *v,
		      io_manager manager, struct e2lazy_where *where)
{
	return v->journal->geo.given ?
	       refuse(t, where) : open_target(t, v->journal, manager, where);
}

/* The kernel finds a journal by its inode alone. */
errcode_t target_open_given(struct target *t, const struct e2lazy_view *v,
			    io_manager manager, struct e2lazy_where *where)
{
	const struct e2lazy_geometry *g = &v->journal->geo;

	return (!g->external && !g->ino) || g->from_backup ?
	       refuse(t, where) : open_target(t, v->journal, manager, where);
}

/* ext2fs_free() closes the channel, too, but hides the error. */
static errcode_t close_channel(ext2_filsys fs)
{
	io_channel io = fs->io;

	if (fs->image_io == io)
		fs->image_io = NULL;
	fs->io = NULL;
	return io_channel_close(io);
}

/*
 * Use ext2fs_free(), because ext2fs_close() would write the superblock as it
 * was at the opening.
 */
static errcode_t close_one(ext2_filsys fs)
{
	errcode_t err = ext2fs_mmp_stop(fs), closed = close_channel(fs);

	ext2fs_free(fs);
	return err ? err : closed;
}

errcode_t target_close(struct target *t, struct e2lazy_where *where)
{
	ext2_filsys fs[2] = { t->fs, t->jfs };
	errcode_t first = 0;

	for (unsigned i = 0; i < 2; i++) {
		struct e2lazy_where at = { .volume = i };
		errcode_t err = 0;

		if (fs[i])
			err = close_one(fs[i]);
		unlock(t, i);
		if (err && !first && where)
			*where = at;
		first = first ? first : err;
	}
	t->fs = t->jfs = NULL;
	return first;
}

errcode_t target_write(struct target *t,
		       const struct e2lazy_checkpoint_opts *opts,
		       errcode_t (*write)(void *priv), void *priv,
		       struct e2lazy_where *where)
{
	errcode_t err = opts->locked ? opts->locked(opts->priv) : 0, closed;

	if (!err)
		err = write(priv);
	closed = target_close(t, err ? NULL : where);
	return err ? err : closed;
}
