/* SPDX-License-Identifier: GPL-2.0-only */
/* verify_copies.c - read every live copy, and see that it is sound */
#include "config.h"

#include "gather.h"
#include "verify.h"

#define COPIES_PER_TICK 1024

struct copies {
	struct verify	*verify;
	enum e2lazy_mend_phase phase;
	size_t		done;
};

static errcode_t take(void *priv, size_t index, uint8_t *block, errcode_t err)
{
	struct copies *c = priv;
	struct verify *v = c->verify;
	struct e2lazy_copy copy;

	if (err || v->fs)
		e2lazy_jmap_get(v->map, index, &copy);
	if (err == E2LAZY_ET_DATA_CSUM)
		verify_found_copy(v, PROBLEM_DATA_CSUM, &copy, 0);
	else if (err)
		verify_found_copy(v, PROBLEM_UNREADABLE, &copy, err);
	else if (v->fs)
		verify_content(v, &copy, block);
	if (++c->done % COPIES_PER_TICK)
		return 0;
	return verify_tick(v, c->phase, c->done, e2lazy_jmap_count(v->map));
}

errcode_t verify_copies(struct verify *v)
{
	struct copies c = {
		.verify = v,
		.phase = v->fs ? E2LAZY_MEND_CONTENT : E2LAZY_MEND_VERIFY,
	};

	if (v->fs)
		verify_descriptors(v);
	return read_copies(v->journal, v->map, 0, e2lazy_jmap_count(v->map),
			   take, &c);
}
