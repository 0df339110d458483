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

#define MAX_TRIES	1000	/* names for files of the same name */

struct made_dir {
	dev_t	dev;
	ino_t	ino;
};

/* A directory whose name a file of another kind has. */
struct moved_dir {
	char	*from;			/* its path, */
	char	*name;			/* and the last name that it got */
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

static int by_path(const void *a, const void *b)
{
	const struct moved_dir *x = a, *y = b;

	return strcmp(x->from, y->from);
}

static void free_moved(void *dir)
{
	struct moved_dir *moved = dir;

	if (moved) {
		free(moved->from);
		free(moved->name);
	}
	free(moved);
}

static int add_moved(struct made_dirs *made, const char *from, const char *name)
{
	struct moved_dir *dir = calloc(1, sizeof(*dir)), **found = NULL;

	if (dir) {
		dir->from = strdup(from);
		dir->name = strdup(name);
	}
	if (dir && dir->from && dir->name)
		found = tsearch(dir, &made->moved, by_path);
	if (!found || *found != dir)
		free_moved(dir);
	return found ? 0 : ENOMEM;
}

void made_dirs_free(struct made_dirs *made)
{
	tdestroy(made->tree, free);
	tdestroy(made->moved, free_moved);
	made->tree = made->moved = NULL;
}

/* A name that would lead elsewhere becomes one that does not. */
static bool take_name(struct place *p, const char *name, size_t length)
{
	if (length > NAME_MAX)
		return false;
	memcpy(p->name, name, length);
	p->name[length] = 0;
	p->tries = 0;
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

static bool set_name(struct place *p, size_t keep, const char *rest)
{
	char *last = strrchr(p->path, '/');

	last = last ? last + 1 : p->path;
	if (keep + strlen(rest) > NAME_MAX ||
	    (size_t)(last - p->path) + keep + strlen(rest) >= sizeof(p->path))
		return false;
	strcpy(p->name + keep, rest);
	strcpy(last, p->name);
	return true;
}

static bool next_name(struct place *p)
{
	char *tilde = strrchr(p->name, '~');
	/* The suffix of the try before goes again. */
	size_t keep = p->tries && tilde ? (size_t)(tilde - p->name) :
		      strlen(p->name);
	char suffix[64];

	if (p->tries)
		snprintf(suffix, sizeof(suffix), "~%s.%u", p->mark, p->tries);
	else
		snprintf(suffix, sizeof(suffix), "~%s", p->mark);
	p->tries++;
	return set_name(p, keep, suffix);
}

static bool is_kept(const struct place *p, bool directory)
{
	return p->kept && kept_has(p->kept, p->path, directory);
}

int place_rename(struct place *p)
{
	do {
		if (p->tries > MAX_TRIES)
			return EEXIST;
		if (!next_name(p))
			return ENAMETOOLONG;
	} while (is_kept(p, false));
	return 0;
}

int place_date(struct place *p, unsigned tid)
{
	char suffix[32];

	snprintf(suffix, sizeof(suffix), "~tid%u", tid);
	return set_name(p, strlen(p->name), suffix) ? 0 : ENAMETOOLONG;
}

int place_avoid_kept(struct place *p, bool directory)
{
	return !p->own && is_kept(p, directory) ? place_rename(p) : 0;
}

/* What is below a directory follows it to its other name. */
static bool follow(struct place *p, const struct made_dirs *made)
{
	struct moved_dir dir = { .from = p->path };
	struct moved_dir *const *found = tfind(&dir, &made->moved, by_path);

	return !found || set_name(p, 0, (*found)->name);
}

static bool is_directory(const struct place *p)
{
	struct stat st;

	return !fstatat(p->dir, p->name, &st, AT_SYMLINK_NOFOLLOW) &&
	       S_ISDIR(st.st_mode);
}

static int make_or_find(const struct place *p, mode_t mode, bool *there)
{
	int error = mkdirat(p->dir, p->name, mode) ? errno : 0;

	*there = error == EEXIST && is_directory(p);
	return *there ? 0 : error;
}

int place_make_dir(struct place *p, struct made_dirs *made, mode_t mode,
		   bool *there)
{
	char from[PATH_MAX];
	int error;

	*there = false;
	strcpy(from, p->path);
	if (!follow(p, made))
		return ENAMETOOLONG;
	error = place_avoid_kept(p, true);
	while (!error && (error = make_or_find(p, mode, there)) == EEXIST)
		error = place_rename(p);
	if (error || !p->tries)
		return error;
	return add_moved(made, from, p->name);
}

/* Go into the directory p->name, and make it if it is not there. */
static int enter(struct place *p, struct made_dirs *made)
{
	bool there;
	int error = place_make_dir(p, made, 0755, &there), next;

	if (error)
		return error;
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

	p->kept = made->kept;
	p->own = made->own;
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
