/* SPDX-License-Identifier: GPL-2.0-only */
/* place.c - where a deleted file is made again: directories and safe names */
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "place.h"

struct made_dir {
	dev_t	dev;
	ino_t	ino;
};

static int by_inode(const void *a, const void *b)
{
	const struct made_dir *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

static int made_dirs_add(struct made_dirs *made, int fd)
{
	struct made_dir *dir, **found;
	struct stat st;

	if (fstat(fd, &st))
		return errno;
	dir = malloc(sizeof(*dir));
	if (!dir)
		return ENOMEM;
	*dir = (struct made_dir){ st.st_dev, st.st_ino };
	found = tsearch(dir, &made->tree, by_inode);
	if (!found || *found != dir)
		free(dir);
	return found ? 0 : ENOMEM;
}

bool made_dirs_have(const struct made_dirs *made, const struct stat *st)
{
	const struct made_dir dir = { st->st_dev, st->st_ino };

	return tfind(&dir, &made->tree, by_inode);
}

void made_dirs_free(struct made_dirs *made)
{
	tdestroy(made->tree, free);
	made->tree = NULL;
}

/* A name that would lead elsewhere becomes one that does not. */
static bool take_name(struct place *p, const char *name, size_t length)
{
	if (length > NAME_MAX)
		return false;
	memcpy(p->name, name, length);
	p->name[length] = 0;
	for (size_t i = 0; i < length; i++)
		if (!p->name[i] || p->name[i] == '/')
			p->name[i] = '_';
	if (!strcmp(p->name, ".") || !strcmp(p->name, ".."))
		p->name[0] = '_';
	return true;
}

static bool add_to_path(struct place *p)
{
	size_t used = strlen(p->path);
	int more = snprintf(p->path + used, sizeof(p->path) - used, "%s%s",
			    used ? "/" : "", p->name);

	return more >= 0 && (size_t)more < sizeof(p->path) - used;
}

/* Go into the directory p->name, and make it if it is not there. */
static int enter(struct place *p, struct made_dirs *made)
{
	bool there = mkdirat(p->dir, p->name, 0755);
	int next;

	if (there && errno != EEXIST)
		return errno;
	next = openat(p->dir, p->name,
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (next < 0)
		return errno;
	close(p->dir);
	p->dir = next;
	return there ? 0 : made_dirs_add(made, next);
}

int place_open(struct place *p, int root, struct made_dirs *made,
	       const char *path, size_t length)
{
	const char *end = path + length, *slash;
	int error;

	p->path[0] = p->name[0] = 0;
	p->dir = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->dir < 0)
		return errno;
	while (path < end) {
		slash = memchr(path, '/', (size_t)(end - path));
		if (!slash)
			slash = end;
		if (slash > path) {
			if (p->name[0] && (error = enter(p, made)))
				return error;
			if (!take_name(p, path, (size_t)(slash - path)) ||
			    !add_to_path(p))
				return ENAMETOOLONG;
		}
		path = slash + 1;
	}
	return p->name[0] ? 0 : EINVAL;
}

void place_close(struct place *p)
{
	if (p->dir >= 0)
		close(p->dir);
	p->dir = -1;
}

bool place_rename(struct place *p, uint32_t tid, unsigned try)
{
	char *last = strrchr(p->path, '/'), suffix[32];
	size_t keep;

	last = last ? last + 1 : p->path;
	if (try)
		snprintf(suffix, sizeof(suffix), "~%u.%u", tid, try);
	else
		snprintf(suffix, sizeof(suffix), "~%u", tid);
	/* The suffix of the try before goes again. */
	keep = strlen(p->name);
	if (try) {
		char *tilde = strrchr(p->name, '~');

		keep = tilde ? (size_t)(tilde - p->name) : keep;
	}
	if (keep + strlen(suffix) > NAME_MAX ||
	    (size_t)(last - p->path) + keep + strlen(suffix) >=
	    sizeof(p->path))
		return false;
	strcpy(p->name + keep, suffix);
	strcpy(last, p->name);
	return true;
}
