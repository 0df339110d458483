/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cover.h - a directory to mount on, whatever its name says meanwhile
 *
 * Where others may write to the directory above, a name that was looked at can
 * be a symbolic link to elsewhere by the time that it is mounted on.  So the
 * directory itself is held, and mounted on through its descriptor.  What is
 * mounted covers it: from then on it is looked for beside it, from its own
 * parent, by the name that the kernel says it has at that moment.
 */
#ifndef MISC_VIEW_COVER_H
#define MISC_VIEW_COVER_H

#include <stdbool.h>
#include <sys/stat.h>

/* The name of a directory, or of its cover, and the directory that has it. */
struct cover {
	int	parent;
	char	*name;
};

/*
 * Hold the directory that @name is, which must not be a symbolic link.  -1 and
 * errno, which is ELOOP for such a link.
 */
int cover_hold(const char *name);
/* The path that the kernel gives @dir now; to be freed; NULL and errno. */
char *cover_path(int dir);
/* False, with errno, if @dir has no name: the root, or a directory removed. */
bool cover_find(struct cover *cover, int dir);
void cover_close(struct cover *cover);

/* lstat(2) and umount2(2), without following a symbolic link. */
int cover_stat(const struct cover *cover, struct stat *st);
int cover_unmount(const struct cover *cover, int flags);

#endif
