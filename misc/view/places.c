/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.c - the places of a view, and their names for the command
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/nls.h"
#include "support/status.h"
#include "support/trust.h"
#include "view.h"
#include "cover.h"

/* Names in the private directory; the longer one of the sockets. */
#define SOCKET			"socket"
#define JOURNAL_SOCKET		"journal.socket"
/* The address of a socket limits the length of its path. */
#define SOCKET_PATH_SIZE	sizeof(((struct sockaddr_un *)NULL)->sun_path)

/* ------------------------------------------------------------ settling */

/* Settle @path; NULL: it failed with errno. */
static bool settled(const char *name, const char *path)
{
	if (!path)
		complain_error(name, errno);
	return path != NULL;
}

char *view_new_path(const char *name)
{
	const char *slash = strrchr(name, '/');
	char *parent = slash ? strndup(name, slash - name + 1) : strdup(".");
	char *whole = NULL, *path = NULL;
	struct stat st;

	if (parent && !believed_path(name, parent, &whole)) {
		free(parent);
		return NULL;
	}
	free(parent);
	if (whole && !lstat(name, &st))
		errno = EEXIST;
	else if (whole && asprintf(&path, "%s/%s", whole[1] ? whole : "",
				   slash ? slash + 1 : name) < 0)
		path = NULL;
	free(whole);
	settled(name, path);
	return path;
}

static bool fits_socket(const char *subject, size_t length)
{
	if (length < SOCKET_PATH_SIZE)
		return true;
	complain(subject, _("the path of a socket would have %zu bytes; the "
			    "limit is %zu"), length,
		 SOCKET_PATH_SIZE - 1);
	return false;
}

/* Only messages and the command use its path. */
static bool hold_mount_point(struct view *v)
{
	int dir = cover_hold(v->named);

	if (dir >= 0) {
		v->mount_on = dir;
		v->place = cover_path(dir);
	} else if (errno == ELOOP) {
		complain(v->named, _("it is a symbolic link: name the "
				     "directory itself"));
		return false;
	}
	return settled(v->named, v->place);
}

static bool choose_place(struct view *v)
{
	if (!v->named)
		return true;
	if (v->mode == VIEW_MOUNT)
		return hold_mount_point(v);
	v->place = view_new_path(v->named);
	return v->place &&
	       (v->mode != VIEW_SOCKET ||
		fits_socket(v->named, strlen(v->place)));
}

static bool choose_directory(struct view *v)
{
	char *tmp;

	if (!environment_path("TMPDIR", &tmp))
		return false;
	if (!tmp)
		tmp = realpath(P_tmpdir, NULL);
	if (!settled(P_tmpdir, tmp))
		return false;
	if (asprintf(&v->directory, "%s/e2lazy-view.XXXXXX", tmp) < 0)
		v->directory = NULL;
	free(tmp);
	return settled(P_tmpdir, v->directory) &&
	       (v->mode == VIEW_SOCKET ||
		fits_socket("TMPDIR", strlen(v->directory) +
				      strlen("/" JOURNAL_SOCKET)));
}

bool view_choose_places(struct view *v)
{
	if (choose_place(v) && choose_directory(v))
		return true;
	v->s->status |= FSCK_ERROR;
	return false;
}

static bool make_directory(const struct view *v)
{
	if (mkdtemp(v->directory))
		return true;
	complain_error(v->directory, errno);
	return false;
}

static char *in_directory(const struct view *v, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", v->directory, name) < 0 ? NULL : path;
}

static bool settle_volume(struct view *v, const char *export,
			  const char *socket, const char *file)
{
	struct view_volume *volume = &v->volumes[v->nr_volumes++];

	volume->export = export;
	volume->socket = v->mode == VIEW_SOCKET ? strdup(v->place)
						: in_directory(v, socket);
	if (v->mode == VIEW_SOCKET)
		return settled(socket, volume->socket);
	volume->file = v->mode == VIEW_FILE && !*export ?
		strdup(v->place) : in_directory(v, file);
	return settled(socket, volume->socket) && settled(file, volume->file);
}

bool view_settle(struct view *v)
{
	const struct view_seen *seen = &v->seen;
	bool files = v->mode == VIEW_PRIVATE || v->mode == VIEW_FILE;
	bool ok;

	v->device = realpath(seen->device, NULL);
	if (seen->external)
		v->journal = realpath(seen->journal, NULL);
	ok = settled(seen->device, v->device) &&
	     (!seen->external || settled(seen->journal, v->journal)) &&
	     make_directory(v);
	if (ok && (!settle_volume(v, "", SOCKET, "view") ||
		   (seen->external && files &&
		    !settle_volume(v, "journal", JOURNAL_SOCKET,
				   "journal")))) {
		rmdir(v->directory);
		ok = false;
	}
	if (!ok)
		v->s->status |= FSCK_ERROR;
	return ok;
}

void view_free_places(struct view *v)
{
	for (unsigned i = 0; i < v->nr_volumes; i++) {
		free(v->volumes[i].socket);
		free(v->volumes[i].file);
	}
	if (v->mount_on)
		close(v->mount_on);
	free(v->directory);
	free(v->place);
	free(v->journal);
	free(v->device);
}

/* -------------------------------------------------------------- telling */

static const char *view_place(const struct view *v)
{
	return v->place ? v->place : v->volumes[0].file;
}

/* A script gets the exact bytes; a terminal gets a harmless form. */
static void print_place(struct out *out, const char *place)
{
	if (isatty(out->fd))
		out_printable(out, place, ' ');
	else
		out_text(out, place);
	out_char(out, '\n');
}

void view_print_places(struct view *v)
{
	print_place(&v->s->print.out, view_place(v));
	if (v->nr_volumes > 1)
		print_place(&v->s->print.out, v->volumes[1].file);
}

bool view_has_mark(const struct view *v, const char *mark)
{
	for (char **word = v->command; word && *word; word++)
		if (strstr(*word, mark))
			return true;
	return false;
}

/* Returns @word with all marks replaced; to be freed. */
static char *expand(const struct view *v, const char *word)
{
	const struct {
		const char *mark, *place;
	} marks[] = {
		{ VIEW_MARK, view_place(v) },
		{ VIEW_JOURNAL_MARK, v->nr_volumes > 1 ? v->volumes[1].file
						       : NULL },
	};
	size_t bytes, i;
	char *text;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	while (*word) {
		for (i = 0; i < sizeof(marks) / sizeof(*marks); i++)
			if (marks[i].place && !strncmp(word, marks[i].mark,
						       strlen(marks[i].mark)))
				break;
		if (i < sizeof(marks) / sizeof(*marks)) {
			fputs(marks[i].place, to);
			word += strlen(marks[i].mark);
		} else {
			putc(*word++, to);
		}
	}
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

char **view_expand(const struct view *v)
{
	size_t count = 0;
	char **words;

	while (v->command[count])
		count++;
	words = calloc(count + 1, sizeof(*words));
	for (size_t i = 0; words && i < count; i++) {
		words[i] = expand(v, v->command[i]);
		if (!words[i]) {
			view_free_words(words);
			return NULL;
		}
	}
	return words;
}

void view_free_words(char **words)
{
	for (char **word = words; word && *word; word++)
		free(*word);
	free(words);
}
