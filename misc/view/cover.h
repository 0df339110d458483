/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cover.h - a mount point that stays the same directory under any name
 *
 * If others can write to the parent directory, a name may have become a
 * symbolic link between a check and the mount.  So this code holds the
 * directory itself and mounts on its descriptor.  The mount covers the
 * directory: from then on the code finds it in its parent, by the name that
 * the kernel gives at that moment.
 */
#ifndef MISC_VIEW_COVER_H
#define MISC_VIEW_COVER_H

#include <stdbool.h>
#include <sys/stat.h>

/* The name of a directory or of its cover, and its parent. */
struct cover {
	int	parent;
	char	*name;
};

/*
 * Hold the directory @name, which must not be a symbolic link.  Returns -1 and
 * errno, which is ELOOP for a link.
 */
int cover_hold(const char *name);
/* Returns the kernel's current path of @dir, to be freed; NULL and errno. */
char *cover_path(int dir);
/* Find the name of @dir.  False, with errno, if it has none: the root, or a
   removed directory. */
bool cover_find(struct cover *cover, int dir);
void cover_close(struct cover *cover);

/* lstat(2) and umount2(2), without following a symbolic link. */
int cover_stat(const struct cover *cover, struct stat *st);
int cover_unmount(const struct cover *cover, int flags);

#endif
