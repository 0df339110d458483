/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach.c - mounts a file on a directory that a descriptor holds
 *
 * mount(2) follows /proc/self/fd/N to the directory itself on every kernel.
 * mount(8) does not do this for us: since util-linux 2.39 it opens the mount
 * point without following that link, and a path could have become the name of
 * another directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "support/nls.h"
#include "support/status.h"
#include "attach.h"

#define LOOP_CONTROL	"/dev/loop-control"
#define LOOP_TRIES	20	/* another program may take the free device */
#define NAME_TEXT	ATTACHED_TEXT	/* "/dev/loop%d", "/proc/self/fd/%d" */

/* The name of a loop device that is free.  False and errno. */
static bool name_free(char name[NAME_TEXT])
{
	int control = open(LOOP_CONTROL, O_RDWR | O_CLOEXEC), number, error;

	if (control < 0)
		return false;
	number = ioctl(control, LOOP_CTL_GET_FREE);
	error = errno;
	close(control);
	errno = error;
	snprintf(name, NAME_TEXT, "/dev/loop%d", number);
	return number >= 0;
}

/* Returns the open loop device, which has the file then; -1 and errno. */
static int configure(const char *name, int file, bool writable)
{
	int loop = open(name, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	struct loop_config config = {
		.fd = file,
		.info.lo_flags = LO_FLAGS_AUTOCLEAR |
				 (writable ? 0 : LO_FLAGS_READ_ONLY),
	};
	int error;

	if (loop < 0 || !ioctl(loop, LOOP_CONFIGURE, &config))
		return loop;
	error = errno;
	close(loop);
	errno = error;
	return -1;
}

/* Returns the open loop device, and its name; -1 after a complaint. */
static int attach(int file, bool writable, char name[NAME_TEXT])
{
	int loop = -1;

	for (unsigned i = 0; i < LOOP_TRIES && loop < 0; i++) {
		if (!name_free(name)) {
			complain_error(LOOP_CONTROL, errno);
			return -1;
		}
		loop = configure(name, file, writable);
		if (loop < 0 && errno != EBUSY)
			break;
	}
	if (loop < 0)
		complain_error(name, errno);
	return loop;
}

/*
 * The image may be hostile: no programs that run as root, no devices of this
 * system, and no panic of the kernel, which the superblock may request on
 * errors.  Without a usable journal inode the kernel refuses to protect the
 * journal's blocks, and the mount with that; nobody writes to them here.
 */
static bool mount_on(const char *device, bool writable, int on)
{
	unsigned long flags = MS_NOSUID | MS_NODEV;
	char target[NAME_TEXT];

	snprintf(target, sizeof(target), "/proc/self/fd/%d", on);
	if (writable)
		return !mount(device, target, "ext4", flags,
			      "errors=remount-ro");
	return !mount(device, target, "ext4", flags | MS_RDONLY,
		      "noload,errors=continue") ||
	       (errno == EUCLEAN &&
		!mount(device, target, "ext4", flags | MS_RDONLY,
		       "noload,errors=continue,noblock_validity"));
}

int attach_file(const char *file, bool writable, char name[NAME_TEXT])
{
	int fd = open(file, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC), loop;

	if (fd < 0) {
		complain_error(file, errno);
		return -1;
	}
	loop = attach(fd, writable, name);
	close(fd);
	return loop;
}

bool attach_and_mount(const char *file, bool writable, int on,
		      const char *place)
{
	char name[NAME_TEXT];
	int loop = attach_file(file, writable, name);
	bool mounted;

	if (loop < 0)
		return false;
	mounted = mount_on(name, writable, on);
	if (!mounted)
		complain(place, _("the view could not be mounted: %s; see the "
				  "kernel's log"), strerror(errno));
	close(loop);
	return mounted;
}
