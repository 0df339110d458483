/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* walk.h - many tags of a walk at once, for the rooms of the library */
#ifndef E2LAZY_WALK_H
#define E2LAZY_WALK_H

#include "log.h"
#include "sort.h"

/*
 * walk_take_tags - go on with the tags of the descriptor shown last
 * @to:    gets a record for each; the caller drops it as it would an event
 * @taken: their number
 *
 * Call it after a TAG event.  It ends before a tag whose copy cannot be mapped
 * and at the end of the block, and e2lazy_walk_next() goes on from there.  With
 * E2LAZY_WALK_DATA it takes none, for each copy must be read.
 */
errcode_t walk_take_tags(struct e2lazy_walk *walk, struct records *to,
			 uint32_t *taken);

/* The time of the last good commit as stored, see jbd2_is_debugfs_time(). */
uint64_t walk_last_stored(const struct e2lazy_walk *walk);

#endif
