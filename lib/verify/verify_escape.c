/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_escape.c - live copies that a cleaner copied without their escape
 *
 * If a block begins with the journal's magic, the log stores zeros there and
 * sets a flag in the tag.  A cleaner that copies the block as stored and leaves
 * out the flag has lost the magic: the newer copy equals the older one.
 */

#include <string.h>

#include "verify.h"

#define MAGIC_BYTES 4

static bool begins_with_zeros(const uint8_t *block)
{
	static const uint8_t zeros[MAGIC_BYTES];

	return !memcmp(block, zeros, MAGIC_BYTES);
}

/* Compare the last escaped copy with the live one, both as stored. */
static void verify_one(struct verify *v, const struct record *older,
		       uint8_t *block, uint8_t *live_block)
{
	unsigned size = v->journal->geo.blocksize;
	struct e2lazy_copy live;

	if (e2lazy_jmap_lookup(v->map, record_fsblk(older), &live))
		return;
	/* Other steps report unreadable blocks. */
	if (e2lazy_read_log(v->journal, live.logblk, 1, live_block) ||
	    !begins_with_zeros(live_block) ||
	    e2lazy_read_log(v->journal, older->logblk, 1, block))
		return;
	if (!memcmp(block + MAGIC_BYTES, live_block + MAGIC_BYTES,
		    size - MAGIC_BYTES))
		verify_found_copy(v, PROBLEM_LOST_ESCAPE, &live, 0);
}

errcode_t verify_escapes(struct verify *v)
{
	struct records *list = &v->escaped;
	uint8_t *blocks = NULL;
	errcode_t err;

	if (!list->nr)
		return 0;
	err = records_sort(list);
	if (!err)
		err = io_channel_alloc_buf(v->journal->io, 2, &blocks);
	if (err)
		return err;
	for (size_t i = 0; !err && i < list->nr; i++) {
		const struct record *r = &list->at[i];

		if (i + 1 == list->nr || record_fsblk(r + 1) != record_fsblk(r))
			verify_one(v, r, blocks,
				   blocks + v->journal->geo.blocksize);
		if (i % 64 == 0)
			err = verify_tick(v, E2LAZY_PHASE_ESCAPES, i, list->nr);
	}
	ext2fs_free_mem(&blocks);
	return err;
}
