/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * links.h - hard links between the copies of one inode
 */
#ifndef MISC_LINKS_H
#define MISC_LINKS_H

#include <ext2fs/ext2fs.h>

/* The first copy of each inode that has several names. */
struct links {
	int	root;		/* open directory above all copies */
	void	*tree;
};

/*
 * Remember the file @name in the open directory @dir as the first copy of
 * @ino; @path leads to it from the root.  Out of memory it is forgotten.
 */
void links_add(struct links *links, ext2_ino_t ino, int dir, const char *name,
	       const char *path);
/*
 * Make @name in @dir a hard link to the copy of @ino.  Returns ENOENT if there
 * is no copy, ESTALE if another file has taken its place, otherwise errno of
 * linkat(2).  After an error @name does not exist.
 */
int links_make(const struct links *links, ext2_ino_t ino, int dir,
	       const char *name);
void links_free(struct links *links);

#endif
