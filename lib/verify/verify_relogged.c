/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_relogged.c - live copies that a revoke had made void
 *
 * The cleaner of the ext4-lazy patches of 2017 copies the live blocks of its
 * own map forward, and that map ignores revokes.  So a freed block comes back
 * as a newer copy, which equals the last void one byte for byte.  Equal bytes
 * prove this only for a block that is no metadata now.  Metadata can become the
 * same again: an attribute is set, removed and set again.
 */

#include <stdlib.h>
#include <string.h>

#include "map/jmap.h"
#include "verify.h"

/* Allocate at the first need: a log without revokes takes no memory. */
static errcode_t alloc_voided(struct verify *v)
{
	if (v->voided)
		return 0;
	v->voided = calloc(e2lazy_jmap_count(v->map), sizeof(*v->voided));
	return v->voided ? 0 : EXT2_ET_NO_MEMORY;
}

errcode_t relogged_note(struct verify *v, const struct e2lazy_event *ev,
			size_t *near)
{
	size_t index;
	errcode_t err;

	if (!verify_owners(v) ||
	    !e2lazy_jmap_stats(v->map)->states[E2LAZY_REVOKED])
		return 0;
	index = jmap_lower_bound_near(v->map, ev->fsblk, *near);
	*near = index + 1;
	if (index == e2lazy_jmap_count(v->map) ||
	    jmap_fsblk(v->map, index) != ev->fsblk ||
	    jmap_logblk(v->map, index) == ev->logblk ||
	    e2lazy_jmap_state(v->map, ev) != E2LAZY_REVOKED)
		return 0;
	err = alloc_voided(v);
	if (!err)
		v->voided[index] = ev->logblk;	/* a later one replaces it */
	return err;
}

/* Compare copies as stored: the cleaner ignores escapes. */
bool relogged_is(const struct verify *v, size_t index,
		 const struct e2lazy_copy *live, uint8_t *blocks)
{
	unsigned size = v->journal->geo.blocksize;

	if (!v->voided || !v->voided[index])
		return false;
	/* An unreadable copy proves nothing. */
	return !e2lazy_read_log(v->journal, live->logblk, 1, blocks) &&
	       !e2lazy_read_log(v->journal, v->voided[index], 1,
				blocks + size) &&
	       !memcmp(blocks, blocks + size, size);
}
