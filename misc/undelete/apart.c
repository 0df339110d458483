/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * apart.c - whether files can be made in a directory without harm to the rest
 *
 * A restore to the same file system would overwrite the deleted files.
 *
 * A mounted file system may be written to unless it is frozen.  No call asks
 * the kernel for that without freezing or thawing it: FIFREEZE would freeze
 * one that is not, and FITHAW would thaw one that is.  But the superblock tells.
 * ext4 sets needs_recovery as long as it is mounted read-write, clears it when
 * it freezes, with the log checkpointed, and sets it again when it thaws.
 * (Linux fs/ext4/super.c: ext4_freeze(), ext4_unfreeze().)
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "restore.h"
#include "support/nls.h"
#include "support/output.h"
#include "support/status.h"

#define ON_IT	N_("it is on the file system of the deleted files: name a " \
		   "directory of another file system")
/* Other users must not read restored files. */
#define TARGET_MODE	0700

static bool refuse(struct session *s, const char *to, const char *why)
{
	complain(to, "%s", why);
	s->status |= FSCK_ERROR;
	return false;
}

/* The file that a loop device shows; false: it is none. */
static bool loop_file(dev_t device, struct stat *st)
{
	char name[64], path[E2LAZY_PATH_MAX];
	FILE *file;
	bool found;

	snprintf(name, sizeof(name), "/sys/dev/block/%u:%u/loop/backing_file",
		 major(device), minor(device));
	file = fopen(name, "re");
	if (!file)
		return false;
	found = fgets(path, sizeof(path), file) != NULL;
	fclose(file);
	if (!found)
		return false;
	path[strcspn(path, "\n")] = 0;
	return !stat(path, st);
}

/* Through a loop device on either side, too. */
static bool is_on(const struct e2lazy_device *device, const struct stat *dir)
{
	struct stat shown, image;
	bool is_loop = loop_file(dir->st_dev, &shown);

	if (device->rdev && device->rdev == dir->st_dev)
		return true;
	if (!device->rdev)
		return is_loop && shown.st_dev == device->dev &&
		       shown.st_ino == device->ino;
	return is_loop && loop_file(device->rdev, &image) &&
	       shown.st_dev == image.st_dev && shown.st_ino == image.st_ino;
}

/* A backup superblock never has needs_recovery, and so tells nothing. */
static bool is_frozen(const struct session *s)
{
	return !s->source.open.superblock && !s->log->geo->needs_recovery;
}

bool device_still_frozen(struct session *s)
{
	struct e2lazy_where where;

	return e2lazy_unchanged(s->log->journal, &where) != E2LAZY_ET_CHANGED;
}

/* Is the directory on a device of this name or tag?  -1: there is none. */
static int is_on_named(const char *name, const struct stat *dir)
{
	char *const named[] = { (char *)(uintptr_t)name, NULL };
	struct e2lazy_device device = { .fd = -1 };
	char *const *path, **tagged;
	struct stat st;
	int on = -1;

	tagged = stat(name, &st) ? e2lazy_tagged_devices(name) : NULL;
	for (path = tagged ? tagged : named; on < 1 && *path; path++) {
		if (stat(*path, &st))
			continue;
		device.dev = st.st_dev;
		device.ino = st.st_ino;
		device.rdev = S_ISBLK(st.st_mode) ? st.st_rdev : 0;
		on = is_on(&device, dir);
	}
	e2lazy_free_paths(tagged);
	return on;
}

/* Make @to in its directory, unless that is on the device itself. */
static bool make_below(struct session *s, const char *to,
		       const struct output *o)
{
	struct stat st;

	if (fstat(o->dir, &st))
		return refuse(s, to, strerror(errno));
	switch (is_on_named(s->operands[0], &st)) {
	case -1:	return true;	/* its opening says so */
	case 1:		return refuse(s, to, _(ON_IT));
	}
	return !mkdirat(o->dir, o->name, TARGET_MODE) ||
	       refuse(s, to, strerror(errno));
}

static bool make(struct session *s, const char *to)
{
	struct output o;
	size_t length = strlen(to);
	char *path;
	bool made;

	while (length > 1 && to[length - 1] == '/')
		length--;
	path = strndup(to, length);
	if (!path)
		return refuse(s, to, strerror(ENOMEM));
	made = output_find_new(&o, path);
	if (!made)
		s->status |= FSCK_ERROR;
	made = made && make_below(s, to, &o);
	output_close(&o);
	free(path);
	return made;
}

int target_directory(struct session *s, const char *to)
{
	struct stat st;
	int fd;

	/* Without a device none is made; its opening says so. */
	if (*to && lstat(to, &st) && errno == ENOENT &&
	    (!make(s, to) || lstat(to, &st)))
		return -1;
	fd = output_directory(to);
	if (fd < 0)
		s->status |= FSCK_ERROR;
	return fd;
}

bool target_is_apart(struct session *s, const char *to, int fd, bool *frozen)
{
	const struct e2lazy_device *device;
	int flags = 0;
	struct stat st;

	device = e2lazy_device(s->log->journal, E2LAZY_FILE_SYSTEM);
	if (fstat(fd, &st))
		return refuse(s, to, _("cannot determine its device"));
	if (is_on(device, &st))
		return refuse(s, to, _(ON_IT));
	*frozen = !ext2fs_check_if_mounted(s->device, &flags) &&
		  flags & EXT2_MF_MOUNTED && !(flags & EXT2_MF_READONLY);
	if (*frozen && !is_frozen(s))
		return refuse(s, s->device,
			      _("it is mounted read-write, which may overwrite "
				"deleted files: remount it read-only, freeze "
				"it with fsfreeze(8), or take a snapshot"));
	return true;
}
