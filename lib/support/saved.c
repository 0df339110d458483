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
#include "output.h"
#include "saved.h"
#include "status.h"
#include "trust.h"

static bool fail(const struct saved *s, int error)
{
	complain(s->place.path ? s->name : _("standard output"), "%s",
		 strerror(error));
	return false;
}

static bool may_replace(const struct saved *s, const char *begins)
{
	struct stat st;

	if (fstatat(s->place.dir, s->place.name, &st, AT_SYMLINK_NOFOLLOW) ||
	    S_ISLNK(st.st_mode))
		return true;
	if (!S_ISREG(st.st_mode)) {
		complain(s->name, _("no regular file"));
		return false;
	}
	if (file_kind(s->place.dir, s->place.name, &st, begins) != FILE_OF_ANOTHER)
		return true;
	complain(s->name, _("there is a file of another kind; remove it "
			    "first"));
	return false;
}

/* A name beside that of the file which nobody has yet. */
#define MAX_TRIES	100

static int make_beside(struct saved *s)
{
	int fd = -1;

	for (unsigned i = 0; fd < 0 && i < MAX_TRIES; i++) {
		free(s->growing);
		if (asprintf(&s->growing, "%s.%d.%u", s->place.name,
			     (int)getpid(), i) < 0) {
			s->growing = NULL;
			errno = ENOMEM;
			return -1;
		}
		fd = openat(s->place.dir, s->growing,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
			    O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

static bool begin_file(struct saved *s, const char *begins)
{
	int fd;

	if (!output_find(&s->place, s->name) || !may_replace(s, begins))
		return false;
	fd = make_beside(s);
	if (fd < 0)
		return fail(s, errno);
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
	s->growing = NULL;
	output_close(&s->place);
}

bool saved_begin(struct saved *s, const char *name, const char *begins)
{
	*s = (struct saved){ .name = name, .place = { .dir = -1 } };
	out_init(&s->out, STDOUT_FILENO);
	if (!strcmp(name, "-") || begin_file(s, begins))
		return true;
	forget(s);
	return false;
}

bool saved_end(struct saved *s, bool keep)
{
	int err = keep ? out_flush(&s->out) : 0, dir = s->place.dir;

	/* A power cut may come after the new name and before the bytes. */
	if (s->growing && keep && !err && fdatasync(s->out.fd))
		err = errno;
	if (s->growing && close(s->out.fd) && !err)
		err = errno;
	if (s->growing && keep && !err &&
	    renameat(dir, s->growing, dir, s->place.name))
		err = errno;
	if (s->growing && (!keep || err))
		unlinkat(dir, s->growing, 0);
	if (err)
		fail(s, err);
	forget(s);
	return keep && !err;
}
