/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * home.c - count the live copies that already equal their static blocks
 *
 * An interrupted checkpoint leaves many such copies, and so does a kernel that
 * writes metadata back in time.  A kernel that keeps metadata in the log leaves
 * none.  The count costs a read of every static block.  So this file first
 * tries the first 32 copies, because a checkpoint ascends, and up to 33 others
 * spread to the end.
 */

#include <string.h>

#include "e2lazy_mend.h"
#include "log/log.h"
#include "map/jmap.h"
#include "map/super.h"
#include "view/view.h"
#include "view/compare_in_place.h"

#define TRIED_FIRST	32
#define TRIED_LATER	32

static const struct cache *kept_of(const struct e2lazy_subject *s)
{
	return s->view ? s->view->kept : NULL;
}

/* An unreadable block does not count as home. */
static bool is_home(const struct e2lazy_subject *s, size_t index,
		    uint8_t *blocks)
{
	unsigned size = s->journal->geo.blocksize;
	blk64_t fsblk = jmap_fsblk(s->map, index);
	size_t bad;

	if (fsblk == super_fsblk(s->journal) ||
	    (!cache_get(kept_of(s), index, blocks) &&
	     e2lazy_jmap_read(s->map, index, 1, blocks, &bad)))
		return false;
	return !io_channel_read_blk64(s->journal->fs->io, fsblk, 1,
				      blocks + size) &&
	       !memcmp(blocks, blocks + size, size);
}

static bool any_is_home(const struct e2lazy_subject *s, uint8_t *blocks)
{
	size_t live = e2lazy_jmap_count(s->map), i;
	size_t step = live / TRIED_LATER + 1;

	for (i = 0; i < live && i < TRIED_FIRST; i++)
		if (is_home(s, i, blocks))
			return true;
	for (; i < live; i += step)
		if (is_home(s, i, blocks))
			return true;
	return live && is_home(s, live - 1, blocks);
}

static void note_same(void *priv, size_t index)
{
	uint64_t *same = priv;

	(void)index;
	++*same;
}

errcode_t e2lazy_home(const struct e2lazy_subject *subject,
		      const struct e2lazy_watch *watch,
		      struct e2lazy_home *out)
{
	uint64_t same = 0;
	const struct in_place what = {
		.journal = subject->journal, .map = subject->map,
		.kept = kept_of(subject), .same = note_same, .priv = &same,
		.watch = watch, .phase = E2LAZY_PHASE_HOME,
	};
	uint8_t *blocks = NULL;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	err = io_channel_alloc_buf(subject->journal->fs->io, 2, &blocks);
	if (err)
		return err;
	out->known = any_is_home(subject, blocks);
	ext2fs_free_mem(&blocks);
	if (out->known)
		err = compare_in_place(&what);
	out->blocks = same;
	return err;
}
