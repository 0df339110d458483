/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * links.h - debuglazy: the files of this system that have one inode's names
 */
#ifndef DEBUGFS_EXT_LINKS_H
#define DEBUGFS_EXT_LINKS_H

#include <ext2fs/ext2fs.h>

/* The first copy of each inode that has several names. */
struct links {
	int	root;		/* the open directory that all of them are in */
	void	*tree;
};

/*
 * The file @name in the open directory @dir is the first copy of @ino, and
 * @path leads to it from the root.  Without memory it is forgotten.
 */
void links_add(struct links *links, ext2_ino_t ino, int dir, const char *name,
	       const char *path);
/*
 * Make @name in @dir another name of the copy of @ino.  ENOENT: there is none;
 * ESTALE: another file has taken its place; otherwise errno of linkat(2).
 * Then @name was not made.
 */
int links_make(const struct links *links, ext2_ino_t ino, int dir,
	       const char *name);
void links_free(struct links *links);

#endif
