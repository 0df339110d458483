/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target_checkpoint.c - write a log back: what was seen through it is then
 * what stands in place
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

const bool fuzz_wants_words = false;

/* What is to stand in place: as before, or where the map has a copy that. */
struct seen {
	uint8_t		*bytes;		/* kept: to be paged in is what costs */
	bool		*bad;		/* a copy that cannot be shown */
	blk64_t		blocks;
};

static bool see(struct seen *seen, const struct template *t,
		struct e2lazy_view *view, const struct e2lazy_jmap *map)
{
	static uint8_t *bytes;
	static size_t room;
	struct e2lazy_where where;
	struct e2lazy_copy copy;

	if (room < t->fs.loaded) {
		room = t->fs.loaded;
		bytes = realloc(bytes, room);
	}
	seen->blocks = t->fs.size / t->bs;
	seen->bytes = bytes;
	seen->bad = calloc(seen->blocks + 1, sizeof(*seen->bad));
	if (!seen->bytes || !seen->bad)
		return false;
	memcpy(seen->bytes, t->fs.bytes, t->fs.size);
	for (size_t i = 0; i < e2lazy_jmap_count(map); i++) {
		e2lazy_jmap_get(map, i, &copy);
		if (copy.fsblk >= seen->blocks)
			continue;
		seen->bad[copy.fsblk] = e2lazy_view_read(view,
				E2LAZY_FILE_SYSTEM, copy.fsblk * t->bs, t->bs,
				seen->bytes + copy.fsblk * t->bs, &where);
	}
	return true;
}

/* The superblock has flags of its own, and the log is nobody's business. */
static void compare(const struct seen *seen, const struct template *t,
		    struct e2lazy_journal *j)
{
	blk64_t super = SUPERBLOCK_OFFSET / t->bs;

	for (blk64_t b = 0; b < seen->blocks; b++) {
		if (b == super || e2lazy_is_journal_block(j, b))
			continue;
		must(!seen->bad[b]);
		must(!memcmp(seen->bytes + b * t->bs, t->fs.bytes + b * t->bs,
			     t->bs));
	}
}

static void write_back(struct template *t, struct e2lazy_journal *j,
		       struct e2lazy_view *view, const struct e2lazy_jmap *map,
		       const struct input *in)
{
	struct e2lazy_checkpoint_opts opts = {
		.flags = in->flags & INPUT_MORE ? E2LAZY_CHECKPOINT_COMPARE : 0,
		.memory = 1 << (10 + in->until % 12),
		.manager = device_io_manager,
	};
	struct e2lazy_checkpoint_done done;
	struct seen seen = { .bytes = NULL };
	struct e2lazy_where where;
	errcode_t err;

	if (see(&seen, t, view, map)) {
		device_writes_left = in->flags & INPUT_UNTIL ? in->until + 2 :
				     UINT_MAX;
		err = e2lazy_checkpoint(view, &opts, &done, &where);
		device_writes_left = 0;
		must(err || done.failed == 0);
		must(!err || !done.sealed);
		must(done.blocks_written + done.failed <=
		     e2lazy_jmap_count(map));
		if (!err && done.sealed)
			compare(&seen, t, j);
	}
	free(seen.bad);
}

void fuzz_one(struct template *t, const struct input *in)
{
	struct e2lazy_journal *j = fuzz_open(t);
	struct e2lazy_view *view;
	struct e2lazy_jmap *map;
	struct e2lazy_where where;
	struct input all = *in;

	if (!j)
		return;
	all.flags &= (uint8_t)~INPUT_UNTIL;
	map = fuzz_map(j, &all, E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES);
	/* Multiple mount protection waits for seconds. */
	if (map && !ext2fs_has_feature_mmp(e2lazy_static_fs(j)->super) &&
	    !e2lazy_view_build(j, map, &view, &where)) {
		write_back(t, j, view, map, in);
		e2lazy_view_free(view);
	}
	e2lazy_jmap_free(map);
	e2lazy_close(j);
	fuzz_bound(t, 4);
}
