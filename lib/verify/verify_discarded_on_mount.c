/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_discarded_on_mount.c - what an ordinary mount would lose
 *
 * With needs_recovery clear it discards the log unread, and each block whose
 * static content is not that of its live copy falls back to what is there.
 */

#include "compare_in_place.h"
#include "verify.h"

static errcode_t would_be_lost(void *priv, size_t index, const uint8_t *copy,
			       const uint8_t *in_place)
{
	struct verify *v = priv;
	struct e2lazy_copy lost;

	(void)copy;
	(void)in_place;
	e2lazy_jmap_get(v->map, index, &lost);
	verify_found_copy(v, PROBLEM_WIPED_ON_MOUNT, &lost, 0);
	return 0;
}

/* Of a backup nothing follows: it never carries the flag. */
static bool is_wiped(const struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;

	return g->start && !g->needs_recovery && v->journal->fs->orig_super;
}

errcode_t verify_discarded_on_mount(struct verify *v)
{
	const struct in_place what = {
		.journal = v->journal, .map = v->map, .kept = verify_kept(v),
		.differs = would_be_lost, .priv = v,
		.watch = v->opts->watch, .phase = E2LAZY_PHASE_IN_PLACE,
	};

	return is_wiped(v) ? compare_in_place(&what) : 0;
}
