/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * apart.c - whether files can be made in a directory without harm to the rest
 *
 * What is written to the file system itself overwrites what is looked for.
 *
 * A mounted file system may be written to unless it is frozen.  No call asks
 * the kernel for that without freezing or thawing it: FIFREEZE would freeze
 * one that is not, and FITHAW would thaw one that is.  But the superblock tells.
 * ext4 sets needs_recovery as long as it is mounted read-write, clears it when
 * it freezes, with the log checkpointed, and sets it again when it thaws.
 * (Linux fs/ext4/super.c: ext4_freeze(), ext4_unfreeze().)
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "restore.h"
#include "support/nls.h"
#include "support/status.h"

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

bool target_is_apart(struct session *s, const char *to, int fd, bool *frozen)
{
	const struct e2lazy_device *device;
	int flags = 0;
	struct stat st;

	device = e2lazy_device(s->log->journal, E2LAZY_FILE_SYSTEM);
	if (fstat(fd, &st))
		return refuse(s, to, _("cannot determine its device"));
	if (is_on(device, &st))
		return refuse(s, to, _("it is on the file system of the "
				       "deleted files: name a directory of "
				       "another file system"));
	*frozen = !ext2fs_check_if_mounted(s->device, &flags) &&
		  flags & EXT2_MF_MOUNTED && !(flags & EXT2_MF_READONLY);
	if (*frozen && !is_frozen(s))
		return refuse(s, s->device,
			      _("it is mounted read-write, which may overwrite "
				"deleted files: remount it read-only, freeze "
				"it with fsfreeze(8), or take a snapshot"));
	return true;
}
