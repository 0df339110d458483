/* SPDX-License-Identifier: GPL-2.0-only */
/* path.c - timeline --path: the events of a path, and a path that is none */
#include <fnmatch.h>
#include <string.h>

#include "path.h"
#include "support/device.h"
#include "support/status.h"

static bool matches(const char *glob, const char *path)
{
	return path && !fnmatch(glob, path, 0);
}

bool path_matches(const char *glob, const struct e2lazy_change *c)
{
	return matches(glob, c->path) || matches(glob, c->old_path);
}

static bool is_below(const char *path, const char *directory)
{
	size_t n = directory ? strlen(directory) : 0;

	return n && !strncmp(path, directory, n) && path[n] == '/';
}

bool path_is_told(const char *glob, const struct e2lazy_change *c)
{
	return path_matches(glob, c) || is_below(glob, c->old_path) ||
	       (c->kind == E2LAZY_DELETED && is_below(glob, c->path));
}

/* ------------------------------------------------------- an unknown path */

/* An event that has the path ends the search. */
static errcode_t note_change(void *priv, const struct e2lazy_change *c)
{
	return path_is_told(priv, c) ? E2LAZY_ET_CANCELLED : 0;
}

/* 0 if the ring can be read and no event in it has the path. */
static errcode_t ask_ring(struct session *s, struct opened *ring,
			  const struct e2lazy_watch *watch, const char *path)
{
	struct limits limits = { .ring = true };
	const struct e2lazy_changes_opts opts = {
		.found = note_change, .priv = (void *)path, .watch = watch,
	};
	struct e2lazy_where where;
	errcode_t err = opened_ring(ring, &limits, watch);

	if (err || !e2lazy_ring_counts(ring->ring)->histories)
		return err;
	if (!opened_stretch(ring, &limits, watch))
		return E2LAZY_ET_LOST;
	err = opened_build(ring, &limits, E2LAZY_JMAP_CSUMS, false, watch);
	if (!err)
		err = opened_view(ring, &where);
	return err ? err : e2lazy_changes_each(s->log->journal, ring->view,
					       ring->ranges, ring->nr_ranges,
					       &opts, &where);
}

/* The ring goes back beyond the log. */
static bool may_be_of_ring(struct session *s, const char *path)
{
	const struct e2lazy_watch watch = { .stop = session_stop };
	struct opened ring = {
		.lent = true, .device = s->log->device,
		.journal = s->log->journal, .geo = s->log->geo,
	};
	errcode_t err;

	if (s->log->nr_ranges)
		return false;
	err = ask_ring(s, &ring, &watch, path);
	opened_free(&ring);
	return err != 0;
}

void path_tell_unknown(struct session *s, const char *path)
{
	errcode_t err = EXT2_ET_FILE_NOT_FOUND;
	struct e2lazy_where where;
	ext2_ino_t ino;

	if (strpbrk(path, "*?[\\"))
		return;
	if (*path == '/')
		err = e2lazy_view_path(s->log->view, path, &ino, &where);
	/* Another error leaves it open. */
	if ((err == EXT2_ET_FILE_NOT_FOUND || err == EXT2_ET_NO_DIRECTORY) &&
	    !may_be_of_ring(s, path) && !cancelled())
		session_complain(s, FSCK_ERROR, "%s: %s", path,
				 error_text(err));
}
