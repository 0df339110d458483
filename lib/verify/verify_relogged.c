/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_relogged.c - live copies that a revoke had made void once
 *
 * ext4-lazy's cleaner copies forward what its own map calls live, and its map
 * knows nothing of revokes: what was freed comes back as a newer copy, equal
 * to the last void one to the byte.  Equal bytes prove it for blocks alone
 * that are no metadata now; metadata may have been made the same once more,
 * as an attribute that was set, removed and set again.
 */

#include <stdlib.h>
#include <string.h>

#include "map/jmap.h"
#include "verify.h"

/* Logs of files that are never freed need no memory for this. */
static errcode_t alloc_voided(struct verify *v)
{
	if (v->voided)
		return 0;
	v->voided = calloc(e2lazy_jmap_count(v->map), sizeof(*v->voided));
	return v->voided ? 0 : EXT2_ET_NO_MEMORY;
}

errcode_t relogged_note(struct verify *v, const struct e2lazy_event *ev)
{
	size_t index;
	errcode_t err;

	if (!(v->opts->flags & E2LAZY_VERIFY_CONTENT) ||
	    !e2lazy_jmap_stats(v->map)->states[E2LAZY_REVOKED])
		return 0;
	index = e2lazy_jmap_lower_bound(v->map, ev->fsblk);
	if (index == e2lazy_jmap_count(v->map) ||
	    jmap_fsblk(v->map, index) != ev->fsblk ||
	    jmap_logblk(v->map, index) == ev->logblk ||
	    e2lazy_jmap_state(v->map, ev) != E2LAZY_REVOKED)
		return 0;
	err = alloc_voided(v);
	if (!err)
		v->voided[index] = ev->logblk;	/* the last one stays */
	return err;
}

/* As they stand in the log: the cleaner pays no heed to escapes. */
bool relogged_is(const struct verify *v, size_t index,
		 const struct e2lazy_copy *live, uint8_t *blocks)
{
	unsigned size = v->journal->geo.blocksize;

	if (!v->voided || !v->voided[index])
		return false;
	/* What cannot be read is no evidence. */
	return !e2lazy_read_log(v->journal, live->logblk, 1, blocks) &&
	       !e2lazy_read_log(v->journal, v->voided[index], 1,
				blocks + size) &&
	       !memcmp(blocks, blocks + size, size);
}
