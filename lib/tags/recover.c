/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * recover.c - a map with the copies of damaged descriptors that are proven
 *
 * A proven inode names the blocks of its file, and a proven descriptor the
 * checksums of its bitmaps.  It may also name them no longer.  So all tags are
 * asked again through a map that has the proven ones, until exactly these are
 * proven by the file system that they make.
 */

#include <stdlib.h>
#include <string.h>

#include "io/watch.h"
#include "tags.h"

/* Blocks name others a few levels deep: inode, tree, directory. */
#define MOST_ROUNDS	8

static bool proves_any(const struct damaged_tags *tags)
{
	for (size_t i = 0; i < tags->nr; i++)
		if (tags->at[i].proven)
			return true;
	return false;
}

/* Tags that do not come to rest prove nothing. */
static void disprove_all(struct damaged_tags *tags)
{
	for (size_t i = 0; i < tags->nr; i++)
		tags->at[i].proven = false;
}

static errcode_t recover(struct e2lazy_journal *j,
			 const struct e2lazy_jmap_opts *opts,
			 struct damaged_tags *tags, struct e2lazy_jmap **map)
{
	struct e2lazy_jmap *next = NULL;
	bool changed = true;
	errcode_t err = 0;

	for (int i = 0; !err && changed && i < MOST_ROUNDS; i++) {
		e2lazy_jmap_free(next);
		next = NULL;
		err = jmap_build_with(j, opts, tags, &next);
		if (!err)
			err = tags_prove(j, next, opts->watch, tags, &changed);
	}
	if (changed)
		disprove_all(tags);
	if (err || !proves_any(tags)) {
		e2lazy_jmap_free(next);
		return err;
	}
	e2lazy_jmap_free(*map);
	*map = next;
	return 0;
}

errcode_t e2lazy_jmap_recover(struct e2lazy_journal *journal,
			      const struct e2lazy_jmap_opts *opts,
			      struct e2lazy_jmap **map)
{
	const struct e2lazy_watch quiet = stop_alone(opts->watch);
	struct e2lazy_jmap_opts joined = *opts;
	struct damaged_tags tags = { .nr = 0 };
	errcode_t err = tags_find(journal, *map, opts->watch, &tags);

	joined.flags |= E2LAZY_JMAP_JOIN;
	joined.commit = NULL;		/* it has had each of them */
	joined.watch = &quiet;
	if (!err && tags.nr)
		err = recover(journal, &joined, &tags, map);
	if (!err)
		jmap_keep_tags(*map, &tags);
	free(tags.at);
	return err;
}
