/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* device.c - a device: opened once, and identified by more than its name */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/fs.h>

#include "bounds.h"
#include "device.h"

#ifndef BLKGETDISKSEQ			/* Linux 5.15 */
#define BLKGETDISKSEQ	_IOR(0x12, 128, uint64_t)
#endif

#define OWN_FDS		"/proc/self/fd"

void copy_device_name(char name[E2LAZY_PATH_MAX], const char *device)
{
	snprintf(name, E2LAZY_PATH_MAX, "%s", device);
}

void where_set(struct e2lazy_where *where, enum e2lazy_volume volume,
	       unsigned has, blk64_t fsblk, uint32_t logblk)
{
	where->volume = volume;
	where->has = has;
	where->fsblk = fsblk;
	where->logblk = logblk;
}

/* The next disk can get the same device number, but never this count. */
static uint64_t disk_sequence(int fd)
{
	uint64_t sequence = 0;

	return ioctl(fd, BLKGETDISKSEQ, &sequence) ? 0 : sequence;
}

/* ------------------------------------------------------------- opening */

static errcode_t measure(struct e2lazy_device *d)
{
	off_t end = lseek(d->fd, 0, SEEK_END);

	if (end < 0)
		return errno;
	if ((uint64_t)end < d->offset)
		return EXT2_ET_SHORT_READ;
	d->bytes = (uint64_t)end - d->offset;
	return 0;
}

/*
 * A disk and its partition have a cache each: if the partition is mounted, the
 * kernel changes only the partition's.  Dirty pages of the disk may be written
 * sooner.
 */
static void drop_cache_of_disk(const struct e2lazy_device *d)
{
	if (d->offset)
		posix_fadvise(d->fd, 0, 0, POSIX_FADV_DONTNEED);
}

errcode_t device_hold(struct e2lazy_device *d, const char *name,
		      uint64_t offset)
{
	struct stat st;

	copy_device_name(d->name, name);
	d->offset = offset;
	/* Without O_NONBLOCK a FIFO would wait for a writer. */
	d->fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (d->fd < 0 || fstat(d->fd, &st))
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
		return ENOTBLK;
	d->dev = st.st_dev;
	d->ino = st.st_ino;
	if (S_ISBLK(st.st_mode)) {
		d->rdev = st.st_rdev;
		d->sequence = disk_sequence(d->fd);
		drop_cache_of_disk(d);
	}
	return measure(d);
}

void device_release(struct e2lazy_device *d)
{
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
}

/* ------------------------------------------------------------ once more */

void device_path(const struct e2lazy_device *d, char path[DEVICE_PATH_TEXT])
{
	snprintf(path, DEVICE_PATH_TEXT, OWN_FDS "/%d", d->fd);
}

int device_dup(const char *path)
{
	const char *digits = path + strlen(OWN_FDS "/");
	unsigned long fd;
	char *end;

	if (strncmp(path, OWN_FDS "/", strlen(OWN_FDS "/")))
		return -1;
	fd = strtoul(digits, &end, 10);
	if (end == digits || *end || fd > INT_MAX)
		return -1;
	return fcntl((int)fd, F_DUPFD_CLOEXEC, 3);
}

/* /proc is missing only if the whole directory is. */
static errcode_t why_not(errcode_t err)
{
	return err == ENOENT && access(OWN_FDS, F_OK) ? E2LAZY_ET_NO_PROC : err;
}

/* Any node of the same block device will do; another disk will not. */
static bool is_same(const struct e2lazy_device *d, const struct stat *st)
{
	if (d->rdev)
		return S_ISBLK(st->st_mode) && st->st_rdev == d->rdev;
	return S_ISREG(st->st_mode) && st->st_dev == d->dev &&
	       st->st_ino == d->ino;
}

errcode_t device_reopen(const struct e2lazy_device *d, int flags, int *fd)
{
	char path[DEVICE_PATH_TEXT];
	errcode_t err = 0;
	struct stat st;

	device_path(d, path);
	*fd = open(path, flags | O_CLOEXEC);
	if (*fd < 0)
		return why_not(errno);
	if (fstat(*fd, &st))
		err = errno;
	else if (!is_same(d, &st) ||
		 (d->rdev && disk_sequence(*fd) != d->sequence))
		err = E2LAZY_ET_CHANGED;
	if (err) {
		close(*fd);
		*fd = -1;
	}
	return err;
}

errcode_t device_check_name(const struct e2lazy_device *d)
{
	struct stat st;

	return stat(d->name, &st) || !is_same(d, &st) ? E2LAZY_ET_CHANGED : 0;
}

bool device_is_same(const struct e2lazy_device *a,
		    const struct e2lazy_device *b)
{
	if (a->fd < 0 || b->fd < 0)
		return !strcmp(a->name, b->name);
	if (a->rdev || b->rdev)
		return a->rdev == b->rdev;
	return a->dev == b->dev && a->ino == b->ino;
}

/* Messages must show the user's name, not that of the descriptor. */
static errcode_t rename_handle(ext2_filsys fs, const char *name)
{
	size_t bytes = strlen(name) + 1;
	errcode_t err = ext2fs_resize_mem(0, bytes, &fs->device_name);

	if (!err)
		memcpy(fs->device_name, name, bytes);
	return err;
}

errcode_t device_open_fs(const struct e2lazy_device *d, int flags,
			 blk64_t superblock, unsigned blocksize,
			 io_manager manager, ext2_filsys *fs)
{
	char held[DEVICE_PATH_TEXT], options[sizeof("offset=") + 20];
	const char *path = d->fd < 0 ? d->name : held;
	errcode_t err, renamed = 0;

	*fs = NULL;
	if (superblock > INT_MAX)		/* as libext2fs takes it */
		return EXT2_ET_INVALID_ARGUMENT;
	device_path(d, held);
	snprintf(options, sizeof(options), "offset=%llu",
		 (unsigned long long)d->offset);
	/* "/proc/self/fd/N" has no '?', so NULL really means no options; a
	   manager that knows none is asked only for an offset that is set. */
	err = open_bounded(path, d->offset ? options : NULL, flags,
			   (int)superblock, blocksize, manager, fs);
	if (*fs)
		renamed = rename_handle(*fs, d->name);
	if (!err && renamed) {
		ext2fs_free(*fs);
		*fs = NULL;
	}
	return err ? why_not(err) : renamed;
}

/* ------------------------------------------------------------- reading */

errcode_t device_read(const struct e2lazy_device *d, int fd, uint64_t at,
		      size_t count, void *buf)
{
	char *to = buf;

	at += d->offset;
	while (count) {
		ssize_t got = pread(fd, to, count, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (got == 0)
			return EXT2_ET_SHORT_READ;
		to += got;
		at += (uint64_t)got;
		count -= (size_t)got;
	}
	return 0;
}

uint64_t device_hole(const struct e2lazy_device *d, uint64_t at, uint64_t bytes)
{
	uint64_t end = d->bytes;
	off_t data;

	if (d->fd < 0 || d->rdev || at >= end)
		return 0;
	if (bytes > end - at)
		bytes = end - at;
	data = lseek(d->fd, (off_t)(at + d->offset), SEEK_DATA);
	if (data < 0)
		return errno == ENXIO ? bytes : 0;	/* no data follows */
	if ((uint64_t)data <= at + d->offset)
		return 0;
	end = (uint64_t)data - d->offset - at;
	return end < bytes ? end : bytes;
}
