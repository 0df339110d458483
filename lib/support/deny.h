/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * deny.h - a process gives up calls of the kernel that it will not need
 *
 * Landlock is about files: it leaves root modules, mounts, the clock, and
 * an ioctl() that writes to a disk.  A seccomp filter ends these with EPERM.
 * It does nothing where the kernel lacks seccomp, and on architectures other
 * than x86_64 and aarch64.
 */
#ifndef SUPPORT_DENY_H
#define SUPPORT_DENY_H

enum deny_but {
	DENY_BUT_ATTRIBUTES	= 1,	/* chmod, chown, times, xattrs, truncate */
	DENY_BUT_IOCTLS		= 2,	/* else a few that only look remain */
};

/*
 * deny_calls - from here on this thread, and what it starts, has no call of
 *		the list in deny.c, but for those of @but
 *
 * The process has PR_SET_NO_NEW_PRIVS already.
 */
void deny_calls(unsigned but);

#endif
