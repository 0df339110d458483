/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* verify_copies.c - read every live copy, and see that it is sound */

#include "map/jmap.h"
#include "view/copies.h"
#include "verify.h"

#define COPIES_PER_TICK 64

struct judging {
	struct verify	*verify;
	enum e2lazy_phase phase;
	size_t		done;
	uint8_t		*in_place;
};

static errcode_t take_bad(const struct judging *j, size_t index,
			  const struct e2lazy_copy *copy, errcode_t error)
{
	if (!jmap_read_at_home(j->verify->map, index, j->in_place))
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
		err = take_bad(j, index, &copy, err);
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
