/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * seen.c - the library's view, and its handle for libext2fs
 */
#include "view.h"

#include <stdlib.h>

void seen_free(void *what)
{
	struct seen *seen = what;

	if (seen->fs)
		ext2fs_free(seen->fs);
	e2lazy_view_free(seen->view);
	free(seen);
}

static errcode_t see(struct seen *seen, struct journal *j,
		     const struct e2lazy_jmap *jmap, bool fast_commits,
		     struct e2lazy_where *where)
{
	struct e2lazy_fc_done done;
	errcode_t err;

	err = e2lazy_view_build(j->journal, jmap, &seen->view, where);
	if (!err && fast_commits && !e2lazy_jmap_is_past(jmap))
		err = e2lazy_view_fast_commits(seen->view, &done, where);
	if (err)
		return err;
	err = e2lazy_view_open(seen->view, &seen->fs, where);
	/* Reads of libext2fs ask, too, whether to stop. */
	if (!err)
		e2lazy_view_watch(seen->view, &j->watch);
	return err;
}

struct seen *seen_build(struct journal *j, const struct e2lazy_jmap *jmap,
			bool fast_commits, errcode_t *error,
			struct e2lazy_where *where)
{
	struct seen *seen = calloc(1, sizeof(*seen));

	*error = seen ? see(seen, j, jmap, fast_commits, where) :
			EXT2_ET_NO_MEMORY;
	if (!*error)
		return seen;
	if (seen)
		seen_free(seen);
	return NULL;
}

const struct e2lazy_where *seen_failed(const struct seen *seen)
{
	return e2lazy_view_failed(seen->fs);
}
