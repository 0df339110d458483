/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_discarded_on_mount.c - blocks that an ordinary mount would lose
 *
 * If needs_recovery is clear, a mount discards the log unread.  Each block
 * whose live copy differs from its static block then falls back to that one.
 */

#include "view/compare_in_place.h"
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

/* orig_super: a backup superblock never has the flag, so it proves nothing. */
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
