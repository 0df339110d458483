/* SPDX-License-Identifier: GPL-2.0-only */
/* saved.c - a file that a program makes for its user */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"
#include "io/file_kind.h"
#include "nls.h"
#include "saved.h"
#include "status.h"
#include "trust.h"

static bool fail(const struct saved *s, int error)
{
	complain(s->path ? s->name : _("standard output"), "%s",
		 strerror(error));
	return false;
}

static bool may_replace(const struct saved *s, const char *begins)
{
	struct stat st;

	if (stat(s->path, &st))
		return true;
	if (!S_ISREG(st.st_mode)) {
		complain(s->name, _("no regular file"));
		return false;
	}
	if (file_kind(s->path, &st, begins) != FILE_OF_ANOTHER)
		return true;
	complain(s->name, _("there is a file of another kind; remove it "
			    "first"));
	return false;
}

static bool leads_elsewhere(const char *name)
{
	struct stat st;

	return !lstat(name, &st) && S_ISLNK(st.st_mode) && !stat(name, &st);
}

/*
 * A name that is a link stays one; root follows only a trusted one.  A link to
 * nothing is not followed: the file takes its place.
 */
static bool find_path(struct saved *s)
{
	if (leads_elsewhere(s->name)) {
		if (!believed_link(s->name, &s->path))
			return false;
	} else {
		s->path = strdup(s->name);
	}
	if (s->path && asprintf(&s->growing, "%s.XXXXXX", s->path) >= 0)
		return true;
	s->growing = NULL;
	complain(s->name, "%s", strerror(ENOMEM));
	return false;
}

static bool begin_file(struct saved *s, const char *begins)
{
	mode_t mask;
	int fd;

	if (!find_path(s) || !may_replace(s, begins))
		return false;
	fd = mkostemp(s->growing, O_CLOEXEC);
	if (fd < 0)
		return fail(s, errno);
	umask(mask = umask(0));
	fchmod(fd, 0666 & ~mask);
	s->out.fd = fd;
	return true;
}

/* Without a complaint: saved_begin() has it. */
static char *followed(const char *name)
{
	char *path = NULL;

	if (geteuid())
		return realpath(name, NULL);
	if (!trusted_path(name, &path))
		return path;
	free(path);
	return NULL;
}

void saved_confine(const char *name)
{
	char *path = NULL, *slash;

	if (name && strcmp(name, "-"))
		path = followed(name);
	if (!path && name && strcmp(name, "-") &&
	    asprintf(&path, "%s%s", *name == '/' ? "" : "./", name) < 0)
		path = NULL;
	slash = path ? strrchr(path, '/') : NULL;
	if (slash)
		slash[slash == path] = '\0';
	confine(path);
	free(path);
}

static void forget(struct saved *s)
{
	free(s->growing);
	free(s->path);
	s->growing = s->path = NULL;
}

bool saved_begin(struct saved *s, const char *name, const char *begins)
{
	s->name = name;
	s->path = s->growing = NULL;
	out_init(&s->out, STDOUT_FILENO);
	if (!strcmp(name, "-") || begin_file(s, begins))
		return true;
	forget(s);
	return false;
}

bool saved_end(struct saved *s, bool keep)
{
	int err = keep ? out_flush(&s->out) : 0;

	if (s->path && close(s->out.fd) && !err)
		err = errno;
	if (s->path && keep && !err && rename(s->growing, s->path))
		err = errno;
	if (s->path && (!keep || err))
		unlink(s->growing);
	if (err)
		fail(s, err);
	forget(s);
	return keep && !err;
}
