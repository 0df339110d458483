/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load.c - reads the system's mke2fs.conf(5) behind our own profiles
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "make.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/trust.h"

#define SYSTEM_CONF	"/etc/mke2fs.conf"

static bool fail_conf(struct make *m, const char *path)
{
	int error = errno;

	out_flush(&m->s->print.out);
	complain(path, "%s", strerror(error));
	m->s->status |= FSCK_ERROR;
	return false;
}

/* Without it mke2fs would not make a journal at all. */
static bool lacks_conf(struct make *m, const char *path)
{
	out_flush(&m->s->print.out);
	complain(path, _("it does not exist, but mke2fs needs it for ext4: "
			 "reinstall e2fsprogs, or name another file in "
			 "MKE2FS_CONFIG"));
	m->s->status |= FSCK_ERROR;
	return false;
}

static bool add_conf_file(struct make *m, char *path)
{
	char **files = reallocarray(m->conf_files, m->nr_conf_files + 1,
				    sizeof(*files));

	if (!files || !path) {
		free(path);
		errno = ENOMEM;
		return fail_conf(m, SYSTEM_CONF);
	}
	m->conf_files = files;
	files[m->nr_conf_files++] = path;
	return conf_add_file(&m->conf, path) || fail_conf(m, path);
}

/* Take the same names as mke2fs, in the same order. */
static int is_read(const struct dirent *entry)
{
	return !entry->d_name[strspn(entry->d_name,
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz"
				     "0123456789-_")];
}

/* Skip a subdirectory, and a FIFO without a writer. */
static bool is_regular(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* The file may be a link. */
static bool add_member(struct make *m, const char *path)
{
	char *file = NULL;

	out_flush(&m->s->print.out);
	if (!path || believed_path("MKE2FS_CONFIG", path, &file))
		return add_conf_file(m, file);
	m->s->status |= FSCK_ERROR;
	return false;
}

static bool add_conf_directory(struct make *m, const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_read, alphasort), i;
	bool ok = count >= 0 || fail_conf(m, directory);
	char *path;

	for (i = 0; i < count; i++) {
		if (asprintf(&path, "%s/%s", directory, entries[i]->d_name) < 0)
			path = NULL;
		if (ok && (!path || is_regular(path)))
			ok = add_member(m, path);
		free(path);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return ok;
}

/* Read @path like mke2fs: a file, or a directory of files. */
static bool add_conf(struct make *m, const char *path)
{
	struct stat st;
	bool ok;

	if (stat(path, &st))
		return fail_conf(m, path);
	ok = S_ISDIR(st.st_mode) ? add_conf_directory(m, path)
				 : add_conf_file(m, strdup(path));
	if (ok && !conf_has_type(&m->conf, "ext4")) {
		out_flush(&m->s->print.out);
		complain(path, _("it has no entry for ext4"));
		m->s->status |= FSCK_ERROR;
		ok = false;
	}
	return ok;
}

/* Our profiles come first, as in the directory for mke2fs. */
bool make_load_conf(struct make *m)
{
	const char *named = getenv("MKE2FS_CONFIG");
	char *stanzas = make_stanzas(), *path;
	struct stat st;
	bool ok = stanzas && conf_add_text(&m->conf, stanzas);

	free(stanzas);
	if (!ok) {
		session_fail(m->s, EXT2_ET_NO_MEMORY, NULL);
		return false;
	}
	if (!named || !*named)
		named = SYSTEM_CONF;
	if (stat(named, &st))
		return errno == ENOENT ? lacks_conf(m, named)
				       : fail_conf(m, named);
	out_flush(&m->s->print.out);
	if (!environment_path("MKE2FS_CONFIG", &path)) {
		m->s->status |= FSCK_ERROR;
		return false;
	}
	ok = add_conf(m, path ? path : SYSTEM_CONF);
	free(path);
	return ok;
}
