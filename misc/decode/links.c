/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * links.c - hard links between the copies of one inode
 *
 * A copy is found again by its path, but others may write to its directory.
 * So the new link is checked, too: if it is not the file that was copied, the
 * link is removed.
 */
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "links.h"

struct copy {
	ext2_ino_t	ino;		/* inode in the image */
	dev_t		dev;		/* device and inode of the copy */
	ino_t		file;
	char		path[];
};

static int by_inode(const void *a, const void *b)
{
	const struct copy *x = a, *y = b;

	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

void links_add(struct links *links, ext2_ino_t ino, int dir, const char *name,
	       const char *path)
{
	struct copy *copy, **found;
	size_t bytes = strlen(path) + 1;
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return;
	copy = malloc(sizeof(*copy) + bytes);
	if (!copy)
		return;
	copy->ino = ino;
	copy->dev = st.st_dev;
	copy->file = st.st_ino;
	memcpy(copy->path, path, bytes);
	found = tsearch(copy, &links->tree, by_inode);
	if (!found || *found != copy)
		free(copy);
}

static const struct copy *find(const struct links *links, ext2_ino_t ino)
{
	struct copy key = { .ino = ino };
	struct copy *const *found = tfind(&key, &links->tree, by_inode);

	return found ? *found : NULL;
}

int links_make(const struct links *links, ext2_ino_t ino, int dir,
	       const char *name)
{
	const struct copy *copy = find(links, ino);
	struct stat st;

	if (!copy)
		return ENOENT;
	if (linkat(links->root, copy->path, dir, name, 0))
		return errno == ENOENT ? ESTALE : errno;
	if (!fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) &&
	    st.st_dev == copy->dev && st.st_ino == copy->file)
		return 0;
	unlinkat(dir, name, 0);
	return ESTALE;
}

void links_free(struct links *links)
{
	tdestroy(links->tree, free);
	links->tree = NULL;
}
