/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * in_use.c - checks that no other program uses a device
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "in_use.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

bool session_not_mounted(struct session *s, const char *device)
{
	char place[E2LAZY_PATH_MAX] = "";
	int flags = 0;
	errcode_t err = ext2fs_check_mount_point(device, &flags, place,
						 sizeof(place));

	if (err)
		complain(device, _("cannot determine whether it is mounted: "
				   "%s"),
			 error_message(err));
	else if (flags & EXT2_MF_SWAP)
		complain(device, _("it is in use as swap space"));
	else if (flags & EXT2_MF_MOUNTED)
		complain(device, *place ? _("it is mounted at %s; unmount it "
					    "first")
					: _("it is mounted; unmount it first"),
			 place);
	else if (flags & EXT2_MF_BUSY)
		complain(device, _("another program uses the device"));
	else
		return true;
	s->status |= FSCK_ERROR;
	return false;
}

bool session_warn_mounted(struct session *s)
{
	bool mounted = s->device && device_is_mounted(s->device);

	if (mounted)
		session_complain(s, 0, _("it is mounted, so the log may "
					 "change while it is read"));
	return mounted;
}

const char *write_protection(const char *device, int fd)
{
	int read_only = 0;

	if (access(device, W_OK))
		return strerror(errno);
	if (!ioctl(fd, BLKROGET, &read_only) && read_only)
		return _("the device is read-only");
	return NULL;
}
