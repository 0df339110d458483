/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * home.c - the live copies that already equal their static blocks
 *
 * An interrupted checkpoint leaves many such copies, and so does a kernel that
 * writes metadata back in time.  A kernel that keeps metadata in the log leaves
 * none.  To find them costs a read of every static block.  So this file first
 * tries the first 32 copies, because a checkpoint ascends, and up to 33 others
 * spread to the end.
 *
 * A checkpoint need not write them, but it must read all blocks to know them.  It
 * does so if a quarter of the spread ones are home: a write costs more than a
 * read, most of all on a drive that shingles.
 */

#include <stdlib.h>
#include <string.h>

#include "e2lazy_mend.h"
#include "log/log.h"
#include "map/jmap.h"
#include "map/super.h"
#include "mend.h"
#include "view/view.h"
#include "view/compare_in_place.h"

#define TRIED_FIRST	32
#define TRIED_LATER	32
#define WORTH_PART	4

static const struct cache *kept_of(const struct e2lazy_subject *s)
{
	return s->view ? s->view->kept : NULL;
}

struct trial {
	const struct e2lazy_subject *subject;
	io_channel	io;
	uint8_t		*blocks;	/* two */
	unsigned	tried, home;
};

/* An unreadable block does not count as home. */
static bool is_home(const struct trial *t, size_t index)
{
	const struct e2lazy_subject *s = t->subject;
	unsigned size = s->journal->geo.blocksize;
	blk64_t fsblk = jmap_fsblk(s->map, index);
	size_t bad;

	if (fsblk == super_fsblk(s->journal) ||
	    (!cache_get(kept_of(s), index, t->blocks) &&
	     e2lazy_jmap_read(s->map, index, 1, t->blocks, &bad)))
		return false;
	return !io_channel_read_blk64(t->io, fsblk, 1, t->blocks + size) &&
	       !memcmp(t->blocks, t->blocks + size, size);
}

static void try(struct trial *t, size_t index)
{
	t->tried++;
	t->home += is_home(t, index);
}

/* Fill @out but for the count. */
static void try_some(struct trial *t, struct e2lazy_home *out)
{
	size_t live = e2lazy_jmap_count(t->subject->map), i;
	size_t step = live / TRIED_LATER + 1;

	for (i = 0; i < live && i < TRIED_FIRST; i++)
		try(t, i);
	out->known = t->home;
	if (i < live)
		t->tried = t->home = 0;
	for (; i < live; i += step)
		try(t, i);
	if (live > TRIED_FIRST)
		try(t, live - 1);
	out->known |= t->home;
	out->left_out = t->home && t->home * WORTH_PART >= t->tried;
}

static errcode_t try_blocks(const struct e2lazy_subject *subject,
			    io_channel io, struct e2lazy_home *out)
{
	struct trial t = { .subject = subject, .io = io };
	errcode_t err = io_channel_alloc_buf(io, 2, &t.blocks);

	memset(out, 0, sizeof(*out));
	if (!err)
		try_some(&t, out);
	ext2fs_free_mem(&t.blocks);
	return err;
}

static void note_same(void *priv, size_t index)
{
	struct e2lazy_home *home = priv;

	home->blocks++;
	if (home->in_place)
		home->in_place[index] = true;
}

static errcode_t find_all(const struct e2lazy_subject *subject, io_channel io,
			  const struct e2lazy_watch *watch,
			  struct e2lazy_home *out)
{
	const struct in_place what = {
		.journal = subject->journal, .map = subject->map,
		.kept = kept_of(subject), .io = io,
		.same = note_same, .priv = out,
		.watch = watch, .phase = E2LAZY_PHASE_HOME,
	};

	if (out->left_out) {
		out->in_place = calloc(e2lazy_jmap_count(subject->map) + 1,
				       sizeof(*out->in_place));
		if (!out->in_place)
			return EXT2_ET_NO_MEMORY;
	}
	return compare_in_place(&what);
}

errcode_t e2lazy_home(const struct e2lazy_subject *subject,
		      const struct e2lazy_watch *watch,
		      struct e2lazy_home *out)
{
	io_channel io = subject->journal->fs->io;
	errcode_t err = try_blocks(subject, io, out);

	return err || !out->known ? err : find_all(subject, io, watch, out);
}

errcode_t home_before_writing(const struct e2lazy_subject *subject,
			      io_channel io, const struct e2lazy_watch *watch,
			      struct e2lazy_home *out)
{
	errcode_t err = try_blocks(subject, io, out);

	return err || !out->left_out ? err : find_all(subject, io, watch, out);
}

void e2lazy_home_free(struct e2lazy_home *home)
{
	free(home->in_place);
	memset(home, 0, sizeof(*home));
}
