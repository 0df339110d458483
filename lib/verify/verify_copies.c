/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_copies.c - read every live copy, and see that it is sound
 *
 * A kernel may have written a block home before its copy went bad.  Checksums
 * v3 prove that: the 32 bits in the tag fit the static block.  The 16 bits of
 * v2 are too few to rely on.
 */

#include <string.h>

#include "map/jmap.h"
#include "map/super.h"
#include "view/copies.h"
#include "verify.h"

#define COPIES_PER_TICK 64

struct judging {
	struct verify	*verify;
	enum e2lazy_phase phase;
	size_t		done;
	uint8_t		*in_place;
};

static bool is_in_place(const struct judging *j, const struct e2lazy_copy *copy)
{
	const struct e2lazy_journal *journal = j->verify->journal;
	struct jbd2_header unused;

	if (journal->geo.csum != E2LAZY_CSUM_V3 ||
	    copy->fsblk == super_fsblk(journal) ||
	    io_channel_read_blk64(journal->fs->io, copy->fsblk, 1, j->in_place))
		return false;
	if (copy->flags & E2LAZY_COPY_ESCAPED) {
		if (!jbd2_get_header(j->in_place, &unused))
			return false;
		memset(j->in_place, 0, JBD2_ESCAPED_BYTES);
	}
	return jmap_is_good(j->verify->map, copy->tid, copy->logblk,
			    j->in_place);
}

static errcode_t take_bad(const struct judging *j,
			  const struct e2lazy_copy *copy, errcode_t error)
{
	if (!is_in_place(j, copy))
		return verify_note_bad(j->verify, copy, error);
	verify_found_copy(j->verify, PROBLEM_BAD_COPY_AT_HOME, copy,
			  error == E2LAZY_ET_DATA_CSUM ? 0 : error);
	return 0;
}

static errcode_t take(void *priv, size_t index, uint8_t *block, errcode_t err)
{
	struct judging *j = priv;
	struct verify *v = j->verify;
	struct e2lazy_copy copy;

	if (err || v->fs)
		e2lazy_jmap_get(v->map, index, &copy);
	if (err)
		err = take_bad(j, &copy, err);
	else if (v->fs)
		verify_content(v, index, &copy, block);
	if (err || ++j->done % COPIES_PER_TICK)
		return err;
	return verify_tick(v, j->phase, j->done, e2lazy_jmap_count(v->map));
}

errcode_t verify_copies(struct verify *v)
{
	const struct copies from = { .journal = v->journal, .map = v->map,
				     .kept = verify_kept(v) };
	struct judging j = {
		.verify = v,
		.phase = v->fs ? E2LAZY_PHASE_CONTENT : E2LAZY_PHASE_VERIFY,
	};
	const struct copy_taker taker = { .take = take, .priv = &j };
	errcode_t err = v->fs ? verify_descriptors(v) : 0;

	if (!err)
		err = io_channel_alloc_buf(v->journal->io, 1, &j.in_place);
	if (!err)
		err = read_copies(&from, e2lazy_jmap_count(v->map), &taker);
	ext2fs_free_mem(&j.in_place);
	return err ? err : verify_older(v);
}
