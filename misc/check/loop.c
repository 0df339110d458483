/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loop.c - finds loop devices attached to the file to write to
 *
 * A loop device caches the blocks of its file, so a mount from it would miss
 * the writes.  The driver tells which file a loop device has.  The name in
 * sysfs tells less: it belongs to the mount namespace of the program that
 * attached the file, and the file may have been renamed or removed since.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <linux/loop.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "ck.h"
#include "support/nls.h"
#include "support/status.h"

#define NO_LOOP UINT_MAX

/* The identity of a file, whatever its name. */
struct backing {
	uint64_t	dev, ino;
	uint64_t	rdev;		/* of a block device, else 0 */
};

/* The device or file to write to. */
struct mine {
	struct backing	file;		/* behind the loop device, if it is one */
	uint64_t	rdev;		/* of the device itself, else 0 */
	unsigned	loop;		/* NO_LOOP: it is none */
};

static void backing_of_file(const struct stat *st, struct backing *b)
{
	*b = (struct backing){
		.dev = st->st_dev, .ino = st->st_ino,
		.rdev = S_ISBLK(st->st_mode) ? st->st_rdev : 0,
	};
}

/* Returns 0, ENXIO for a loop device without a file, or another errno. */
static int backing_of_open(int fd, struct backing *b, unsigned *loop)
{
	/* Memory checkers do not know that the ioctl fills it in. */
	struct loop_info64 info = { 0 };

	if (ioctl(fd, LOOP_GET_STATUS64, &info))
		return errno;
	*b = (struct backing){
		.dev = info.lo_device, .ino = info.lo_inode,
		.rdev = info.lo_rdevice,
	};
	*loop = info.lo_number;
	return 0;
}

static int backing_of_loop(const char *device, struct backing *b,
			   unsigned *loop)
{
	int fd = open(device, O_RDONLY | O_NONBLOCK | O_CLOEXEC), error;

	if (fd < 0)
		return errno;
	error = backing_of_open(fd, b, loop);
	close(fd);
	return error;
}

/* Use the name in sysfs if the device itself cannot be opened. */
static int backing_by_name(const char *sysfs, struct backing *b)
{
	char name[E2LAZY_PATH_MAX] = "";
	FILE *file = fopen(sysfs, "r");
	struct stat st;
	bool known;

	if (!file)	/* detached by now */
		return errno == ENOENT ? ENXIO : errno;
	known = fgets(name, sizeof(name), file);
	fclose(file);
	if (!known)
		return ENXIO;
	name[strcspn(name, "\n")] = 0;
	if (stat(name, &st))
		return errno;
	backing_of_file(&st, b);
	return 0;
}

static void find_mine(const struct e2lazy_device *d, struct mine *mine)
{
	*mine = (struct mine){
		.file = { .dev = d->dev, .ino = d->ino, .rdev = d->rdev },
		.rdev = d->rdev,
		.loop = NO_LOOP,
	};
	/* Only a loop device answers. */
	if (d->rdev)
		backing_of_open(d->fd, &mine->file, &mine->loop);
}

/* A loop device can use a block device, or another loop device. */
static bool is_attached(const struct mine *mine, const struct backing *b)
{
	return (b->dev == mine->file.dev && b->ino == mine->file.ino) ||
	       (b->rdev && (b->rdev == mine->rdev ||
			    b->rdev == mine->file.rdev));
}

/* Does a FUSE mount let its server make device nodes?  fusermount3 does not. */
static bool fuse_has_devices(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	const struct mntent *m;
	bool found = !mounts;

	while (!found && (m = getmntent(mounts)))
		found = (!strcmp(m->mnt_type, "virtiofs") ||
			 !strcmp(m->mnt_type, "fuse") ||
			 !strncmp(m->mnt_type, "fuse.", 5)) &&
			!hasmntopt(m, "nodev");
	if (mounts)
		endmntent(mounts);
	return found;
}

/*
 * ENOTCONN from the driver: the file is on a FUSE mount whose server is gone.
 * It never comes back, and no file of that mount answers.  So a file that does
 * answer afterwards, asked past the kernel's memory, is another; and a block
 * device is another unless its node was the server's.  A name in sysfs proves
 * nothing of the kind.
 */
static bool outlives_backing(const struct e2lazy_device *d, int error)
{
	struct statx stx;

	return error == ENOTCONN &&
	       !statx(d->fd, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC,
		      STATX_INO, &stx) &&
	       (!d->rdev || !fuse_has_devices());
}

/* Does the loop device of this name in sysfs have another file? */
static bool is_elsewhere(struct session *s, const struct e2lazy_device *d,
			 const struct mine *mine, const char *sysfs)
{
	struct backing b;
	unsigned number, asked;
	char path[32];
	int error;

	if (sscanf(sysfs, "/sys/block/loop%u/", &number) != 1 ||
	    number == mine->loop)
		return true;
	snprintf(path, sizeof(path), "/dev/loop%u", number);
	error = backing_of_loop(path, &b, &asked);
	if (outlives_backing(d, error))
		return true;
	if (error && error != ENXIO)
		error = backing_by_name(sysfs, &b);
	if (error == ENXIO || (!error && !is_attached(mine, &b)))
		return true;
	if (error)
		complain(d->name, _("cannot determine whether %s is attached "
				    "to the same file: %s"), path,
			 strerror(error));
	else
		complain(d->name, _("%s is attached to the same file"), path);
	s->status |= FSCK_ERROR;
	return false;
}

/* --------------------------------------------------------------- below */

/*
 * A loop device does not hold its block device exclusively: that device or its
 * partitions may be mounted.  Find the kernel's name of it in /dev.
 */
static bool find_device(dev_t number, char name[E2LAZY_PATH_MAX])
{
	char link[64], target[E2LAZY_PATH_MAX];
	struct stat st;
	char *last;
	ssize_t n;

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(number),
		 minor(number));
	n = readlink(link, target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = '\0';
	last = strrchr(target, '/');
	last = last ? last + 1 : target;
	for (char *p = strchr(last, '!'); p; p = strchr(p, '!'))
		*p = '/';		/* "cciss!c0d0" */
	n = snprintf(name, E2LAZY_PATH_MAX, "/dev/%s", last);
	return n < E2LAZY_PATH_MAX && !stat(name, &st) &&
	       S_ISBLK(st.st_mode) && st.st_rdev == number;
}

bool ck_find_below(struct session *s, const char *device,
		   char below[E2LAZY_PATH_MAX])
{
	struct backing b = { .rdev = 0 };
	unsigned loop;
	struct stat st;

	*below = '\0';
	if (stat(device, &st) || !S_ISBLK(st.st_mode) ||
	    backing_of_loop(device, &b, &loop) || !b.rdev)
		return true;
	if (find_device((dev_t)b.rdev, below))
		return true;
	complain(device, _("its backing block device is not in /dev"));
	s->status |= FSCK_ERROR;
	return false;
}

bool ck_has_no_loop(struct session *s, const struct e2lazy_device *d)
{
	struct mine mine;
	bool alone = true;
	glob_t loops;

	find_mine(d, &mine);
	if (glob("/sys/block/loop*/loop/backing_file", 0, NULL, &loops))
		return true;
	for (size_t i = 0; alone && i < loops.gl_pathc; i++)
		alone = is_elsewhere(s, d, &mine, loops.gl_pathv[i]);
	globfree(&loops);
	return alone;
}
