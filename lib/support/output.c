/* SPDX-License-Identifier: GPL-2.0-only */
/* output.c - where a program makes a file for its user */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "status.h"
#include "trust.h"

static bool fail(const char *name, int error)
{
	complain_error(name, error);
	return false;
}

static bool leads_elsewhere(const char *name)
{
	struct stat st;

	return !lstat(name, &st) && S_ISLNK(st.st_mode) && !stat(name, &st);
}

/* What is there, if anything, is not looked at: a link to nothing is replaced. */
static bool place_of(const char *name, char **path)
{
	const char *slash = strrchr(name, '/');
	char *directory;

	*path = NULL;
	if (!believed_above(name, &directory))
		return false;
	if (asprintf(path, "%s/%s", strcmp(directory, "/") ? directory : "",
		     slash ? slash + 1 : name) < 0)
		*path = NULL;
	free(directory);
	return *path || fail(name, ENOMEM);
}

static bool open_above(struct output *o, const char *name)
{
	char *slash = strrchr(o->path, '/');
	size_t length = slash == o->path ? 1 : (size_t)(slash - o->path);
	char *directory = strndup(o->path, length);
	int error = directory ? 0 : ENOMEM;

	o->name = slash + 1;
	if (!*o->name || !strcmp(o->name, ".") || !strcmp(o->name, ".."))
		error = EISDIR;
	if (!error)
		o->dir = open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW |
					 O_CLOEXEC);
	if (!error && o->dir < 0)
		error = errno;
	free(directory);
	return !error || fail(name, error);
}

static bool find(struct output *o, const char *name, bool linked)
{
	bool good;

	*o = (struct output){ .dir = -1 };
	if (!*name)
		return fail(name, ENOENT);
	good = linked ? believed_link(name, &o->path) :
			place_of(name, &o->path);
	if (good && open_above(o, name))
		return true;
	output_close(o);
	return false;
}

bool output_find(struct output *o, const char *name)
{
	return find(o, name, leads_elsewhere(name));
}

bool output_find_new(struct output *o, const char *name)
{
	return find(o, name, false);
}

void output_close(struct output *o)
{
	if (o->dir >= 0)
		close(o->dir);
	free(o->path);
	*o = (struct output){ .dir = -1 };
}

bool output_is_ours(const struct output *o, const char *name)
{
	return believed_entry(name, o->dir, o->name);
}

int output_directory(const char *name)
{
	char *path;
	int fd;

	if (!believed_path(name, name, &path))
		return -1;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		fail(name, errno);
	free(path);
	return fd;
}
