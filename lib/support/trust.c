/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trust.c - names that only root and this user can redirect
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nls.h"
#include "status.h"
#include "trust.h"

/* The kernel's limit. */
#define MOST_LINKS	40

struct trail {
	char		done[PATH_MAX];	/* trusted, no link; "" is the root */
	char		rest[PATH_MAX];	/* still to be followed */
	unsigned	links;
};

/* Permission bits for writers other than the owner. */
static mode_t open_to(const struct stat *st)
{
	mode_t bits = st->st_mode & (S_IWGRP | S_IWOTH);

	if (S_ISLNK(st->st_mode) ||
	    (S_ISDIR(st->st_mode) && st->st_mode & S_ISVTX))
		return 0;
	if (geteuid() && st->st_gid == getegid())
		bits &= ~(mode_t)S_IWGRP;
	return bits;
}

/*
 * A user who is root in a name space of his own (unshare -r) can do no more than
 * before, and all that is not his looks as another's there.  In a container root
 * has users besides itself.
 */
static bool has_other_users(void)
{
	unsigned long long first, outside, ids, all = 0;
	FILE *f = fopen("/proc/self/uid_map", "re");

	if (!f)
		return true;
	while (fscanf(f, "%llu %llu %llu", &first, &outside, &ids) == 3)
		all += ids;
	fclose(f);
	return all != 1;
}

/* Asked for each file that is restored; a name space does not change. */
static bool is_root(void)
{
	static enum { UNKNOWN, ROOT, USER } known;

	if (known == UNKNOWN)
		known = !geteuid() && has_other_users() ? ROOT : USER;
	return known == ROOT;
}

static bool is_anothers(const struct stat *st)
{
	return st->st_uid && st->st_uid != geteuid();
}

static int look_at(const char *path, struct stat *st)
{
	if (lstat(path, st))
		return errno;
	return is_anothers(st) || open_to(st) ? EPERM : 0;
}

/* Take the next component off the rest; "" at the end. */
static void take_name(struct trail *t, char name[NAME_MAX + 2])
{
	char *from = t->rest + strspn(t->rest, "/");
	size_t length = strcspn(from, "/");

	/* A component longer than any name is not found later. */
	snprintf(name, NAME_MAX + 2, "%.*s", (int)length, from);
	memmove(t->rest, from + length, strlen(from + length) + 1);
}

static void go_up(struct trail *t)
{
	char *slash = strrchr(t->done, '/');

	if (slash)
		*slash = '\0';
}

/* Put a link's target before the rest. */
static int follow(struct trail *t)
{
	char target[PATH_MAX];
	ssize_t length = readlink(t->done, target, sizeof(target));
	size_t left = strlen(t->rest) + 1;

	if (length < 0)
		return errno;
	if (++t->links > MOST_LINKS)
		return ELOOP;
	if ((size_t)length + 1 + left > sizeof(t->rest))
		return ENAMETOOLONG;
	memmove(t->rest + length + 1, t->rest, left);
	memcpy(t->rest, target, length);
	t->rest[length] = '/';
	if (*target == '/')
		*t->done = '\0';
	else
		go_up(t);
	return 0;
}

static int go_on(struct trail *t, const char *name)
{
	size_t length = strlen(t->done);
	struct stat st;
	int error;

	if (!strcmp(name, "."))
		return 0;
	if (!strcmp(name, "..")) {
		go_up(t);
		return 0;
	}
	if (length + strlen(name) + 2 > sizeof(t->done))
		return ENAMETOOLONG;
	t->done[length] = '/';
	strcpy(t->done + length + 1, name);
	error = look_at(t->done, &st);
	return !error && S_ISLNK(st.st_mode) ? follow(t) : error;
}

static int begin(struct trail *t, const char *path)
{
	char here[PATH_MAX] = "";
	int length;

	if (!*path)
		return ENOENT;
	if (*path != '/' && !getcwd(here, sizeof(here)))
		return errno;
	length = snprintf(t->rest, sizeof(t->rest), "%s/%s", here, path);
	return length < (int)sizeof(t->rest) ? 0 : ENAMETOOLONG;
}

static int walk(struct trail *t, const char *path)
{
	char name[NAME_MAX + 2];
	struct stat root;
	int error = begin(t, path);

	if (!error)
		error = look_at("/", &root);
	while (!error) {
		take_name(t, name);
		if (!*name)
			break;
		error = go_on(t, name);
	}
	return error;
}

int trusted_path(const char *path, char **out)
{
	struct trail *t = calloc(1, sizeof(*t));
	int error = t ? walk(t, path) : ENOMEM;

	*out = NULL;
	if (!error || error == EPERM) {
		*out = strdup(*t->done ? t->done : "/");
		if (!*out)
			error = ENOMEM;
	}
	free(t);
	return error;
}

/* Root needs a trusted path. */
static int resolve(const char *path, char **out)
{
	if (is_root())
		return trusted_path(path, out);
	*out = realpath(path, NULL);
	return *out ? 0 : errno;
}

/* True without an error, false after a complaint. */
static bool is_believed(const char *subject, const char *path, int error,
			char **out)
{
	if (!error)
		return true;
	if (error == EPERM)
		complain(subject, _("root does not trust '%s': others can "
				    "change %s"), path, *out);
	else
		complain_error(path, error);
	free(*out);
	*out = NULL;
	return false;
}

bool believed_path(const char *subject, const char *path, char **out)
{
	return is_believed(subject, path, resolve(path, out), out);
}

/* The current directory, which no path leads to: it alone counts. */
static int resolve_here(char **out)
{
	struct stat st;

	*out = strdup(".");
	if (!*out)
		return ENOMEM;
	return is_root() ? look_at(*out, &st) : 0;
}

bool believed_above(const char *name, char **out)
{
	const char *slash = strrchr(name, '/');
	char *above = slash ? strndup(name, slash - name + 1) : NULL;
	int error;

	*out = NULL;
	if (!slash)
		error = resolve_here(out);
	else
		error = above ? resolve(above, out) : ENOMEM;
	free(above);
	return is_believed(name, name, error, out);
}

bool believed_entry(const char *subject, int dir, const char *name)
{
	char *shown = strdup(subject);
	struct stat st;
	int error = shown ? 0 : ENOMEM;
	bool good;

	if (!error && is_root() &&
	    !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) && is_anothers(&st))
		error = EPERM;
	good = is_believed(subject, subject, error, &shown);
	free(shown);
	return good;
}

bool believed_link(const char *name, char **out)
{
	struct stat st;
	int error = ENOENT;

	*out = NULL;
	if (!lstat(name, &st) && S_ISLNK(st.st_mode))
		error = resolve(name, out);
	if (error == ENOENT) {
		*out = strdup(name);
		error = *out ? 0 : ENOMEM;
	}
	return is_believed(name, name, error, out);
}

bool environment_path(const char *variable, char **out)
{
	const char *named = getenv(variable);

	*out = NULL;
	return !named || !*named || believed_path(variable, named, out);
}
