/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cover.c - a mount point that stays the same directory under any name
 *
 * A directory with a mount on it cannot be renamed or removed, except from
 * another mount namespace, and then only with the mount.  So parent and name,
 * once found, identify the cover as well as a descriptor would, without
 * keeping it busy.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "cover.h"

#define FD_PATH		"/proc/self/fd/%d"
#define FD_PATH_TEXT	32

int cover_hold(const char *name)
{
	struct stat st;
	int dir = open(name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir < 0 && errno == ENOTDIR && !lstat(name, &st))
		errno = S_ISLNK(st.st_mode) ? ELOOP : ENOTDIR;
	return dir;
}

char *cover_path(int dir)
{
	char fd_path[FD_PATH_TEXT], path[PATH_MAX];
	ssize_t length;

	snprintf(fd_path, sizeof(fd_path), FD_PATH, dir);
	length = readlink(fd_path, path, sizeof(path) - 1);
	if (length < 0)
		return NULL;
	path[length] = 0;
	return strdup(path);
}

bool cover_find(struct cover *c, int dir)
{
	char *path = cover_path(dir);
	char *slash = path ? strrchr(path, '/') : NULL;

	c->parent = -1;
	c->name = slash && slash[1] ? strdup(slash + 1) : NULL;
	if (path && !c->name)
		errno = EINVAL;
	free(path);
	if (c->name)
		c->parent = openat(dir, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (c->parent >= 0)
		return true;
	free(c->name);
	return false;
}

void cover_close(struct cover *c)
{
	close(c->parent);
	free(c->name);
}

int cover_stat(const struct cover *c, struct stat *st)
{
	return fstatat(c->parent, c->name, st, AT_SYMLINK_NOFOLLOW);
}

int cover_unmount(const struct cover *c, int flags)
{
	char *path;
	int failed, error;

	if (asprintf(&path, FD_PATH "/%s", c->parent, c->name) < 0) {
		errno = ENOMEM;
		return -1;
	}
	failed = umount2(path, UMOUNT_NOFOLLOW | flags);
	error = errno;
	free(path);
	errno = error;
	return failed;
}
