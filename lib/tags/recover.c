/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * recover.c - a map with the copies of damaged descriptors that are proven
 *
 * A proven inode names the blocks of its file, and a proven descriptor the
 * checksums of its bitmaps.  It may also name them no longer.  So all tags are
 * asked again through a map that has the proven ones, until exactly these are
 * proven by the file system that they make.
 *
 * Where a flag is damaged, other tools take the middle of the log for its end, and
 * replay the sound state before it.  A mixture would be worse than that.  So a map
 * to be written goes on there only if nothing of the log is missing then.  Where
 * other tools replay nothing, each proven block is better than none.
 */

#include <stdlib.h>
#include <string.h>

#include "io/watch.h"
#include "map/jmap.h"
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

/* A newer copy makes up for the others. */
static bool is_whole(const struct e2lazy_jmap *map,
		     const struct damaged_tags *tags)
{
	struct e2lazy_copy live;

	for (size_t i = 0; i < tags->nr; i++) {
		const struct damaged_tag *tag = &tags->at[i];

		if (!tag->proven &&
		    (!tag->sound ||
		     e2lazy_jmap_lookup(map, tag->fsblk, &live) ||
		     !e2lazy_tid_after(live.tid, tag->tid)))
			return false;
	}
	return !tags->revocable && !jmap_unsound(map);
}

/* May @next, with the proven tags, take the place of @map? */
static bool is_better(const struct e2lazy_jmap *map,
		      const struct e2lazy_jmap *next, unsigned flags,
		      const struct damaged_tags *tags)
{
	const struct e2lazy_end *end = e2lazy_jmap_end(map);

	if (!proves_any(tags))
		return false;
	return flags & E2LAZY_JMAP_JOIN ||
	       end->reason == E2LAZY_END_BLOCK_CSUM ||
	       (!end->error && is_whole(next, tags));
}

/* @flags: those of @map. */
static errcode_t recover(struct e2lazy_journal *j,
			 const struct e2lazy_jmap_opts *opts, unsigned flags,
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
	if (err || !is_better(*map, next, flags, tags)) {
		e2lazy_jmap_free(next);
		disprove_all(tags);
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
		err = recover(journal, &joined, opts->flags, &tags, map);
	if (!err)
		jmap_keep_tags(*map, &tags);
	free(tags.at);
	return err;
}
