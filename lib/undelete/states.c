/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * states.c - earlier contents of files that lived on
 *
 * To empty a file, to cut it, or to write it anew frees blocks, as a deletion does,
 * and the copy of the inode before it has them.  So each copy of a regular file is
 * compared with the one before.  If the file has lost something that it had below
 * its size, its contents until then become a life of their own: with the same
 * inode, generation and times, an end, and a map.  All that is known of blocks of
 * deleted files is true of its blocks, but for those that the file has kept: it may
 * have written there since (pieces.c).
 *
 * What a map in the inode lacks is sure.  Of a tree only its root is compared, its
 * first child and the number of blocks: most programs that write a file anew empty
 * it first.  Blocks that are written in place leave no trace.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/extent_node.h"
#include "io/grow.h"
#include "undelete.h"

#define FIELD(name)	offsetof(struct ext2_inode_large, name)
#define NO_ROOT		UINT32_MAX
#define MAP_FLAGS	(EXT4_EXTENTS_FL | EXT4_INLINE_DATA_FL)

struct losing {
	const struct root *then;
	const uint8_t	*now;		/* the map */
	uint64_t	size;		/* then */
	uint32_t	blocksize;
	const struct seen *s;
};

/* ----------------------------------------------------- what a map has lost */

static bool is_flat(const uint8_t *map)
{
	return extent_is_node(map, EXTENT_IN_ROOT, 0);
}

/* Does the root map these blocks of the file as the extent does? */
static bool has_extent(const uint8_t *map, struct extent e)
{
	unsigned entries = extent_header(map).entries;

	for (unsigned i = 0; e.count && i < entries; i++) {
		struct extent x = extent_get(extent_entry(map, i));
		uint32_t same;

		if (x.lblk > e.lblk || x.lblk + (uint64_t)x.count <= e.lblk)
			continue;
		if (x.fsblk + (e.lblk - x.lblk) != e.fsblk)
			return false;
		same = x.lblk + x.count - e.lblk;
		same = same < e.count ? same : e.count;
		e.lblk += same;
		e.fsblk += same;
		e.count -= same;
	}
	return !e.count;
}

/* Blocks past the end, and those that were not written, had no contents. */
static bool lost_extents(const struct losing *l)
{
	uint64_t end = (l->size + l->blocksize - 1) / l->blocksize;
	unsigned entries = extent_header(l->then->map).entries;

	for (unsigned i = 0; i < entries; i++) {
		struct extent e = extent_get(extent_entry(l->then->map, i));

		if (e.unwritten || e.lblk >= end)
			continue;
		if (e.count > end - e.lblk)
			e.count = (uint32_t)(end - e.lblk);
		if (!has_extent(l->now, e))
			return true;
	}
	return false;
}

/* A tree that gets small enough moves to its root, and frees its only nodes. */
static bool lost_nodes_alone(const struct losing *l, unsigned nodes)
{
	return l->then->blocks - l->s->blocks <= nodes * (l->blocksize / 512);
}

static bool lost_of_tree(const struct losing *l)
{
	unsigned then = extent_header(l->then->map).depth;
	unsigned now = extent_header(l->now).depth;
	bool fewer = l->s->blocks < l->then->blocks;

	if (then > now)
		return fewer && !lost_nodes_alone(l, then - now);
	if (fewer || then < now)
		return fewer;
	return extent_header(l->then->map).entries &&
	       (!extent_header(l->now).entries ||
		extent_child(extent_entry(l->then->map, 0)) !=
		extent_child(extent_entry(l->now, 0)));
}

static bool lost_numbers(const struct losing *l)
{
	for (unsigned i = 0; i < EXT2_N_BLOCKS; i++)
		if (get_le32(l->then->map + 4 * i) &&
		    get_le32(l->then->map + 4 * i) !=
		    get_le32(l->now + 4 * i))
			return true;
	return l->s->blocks < l->then->blocks;
}

/* Only what i_block holds is compared. */
static bool lost_inline(const struct losing *l, uint32_t flags)
{
	size_t held = sizeof(l->then->map);

	return flags & EXT4_INLINE_DATA_FL &&
	       memcmp(l->then->map, l->now, l->size < held ?
					    (size_t)l->size : held);
}

static bool lost_something(const struct losing *l)
{
	uint32_t flags = get_le32(l->s->raw + FIELD(i_flags));

	if (l->s->size < l->size)
		return true;
	if (l->then->flags & EXT4_INLINE_DATA_FL)
		return lost_inline(l, flags);
	/* Another kind of map has the same blocks. */
	if ((flags ^ l->then->flags) & MAP_FLAGS)
		return false;
	if (!(flags & EXT4_EXTENTS_FL))
		return lost_numbers(l);
	if (!extent_header(l->then->map).magic || !extent_header(l->now).magic)
		return false;
	return is_flat(l->then->map) && is_flat(l->now) ? lost_extents(l) :
							  lost_of_tree(l);
}

/* ------------------------------------------------------------- the states */

static errcode_t add_state(struct e2lazy_undelete *u, uint32_t number,
			   uint32_t when, const struct seen *s)
{
	struct lives *l = &u->lives;
	struct life *state = l->nr == NO_LIFE ? NULL :
			     grow(l->at, l->nr, &l->room, sizeof(*state));
	struct life *life;

	if (!state)
		return EXT2_ET_NO_MEMORY;
	l->at = state;
	life = &l->at[number];
	state = &l->at[l->nr];
	*state = *life;
	state->of = state->next = number;
	state->earlier = life->state;
	state->state = NO_LIFE;
	state->root = NO_ROOT;
	state->gone = state->freed = when;
	state->after = s->size;
	state->dtime = 0;
	state->ended = s->ctime;
	state->ended_extra = s->ctime_extra;
	if (life->state != NO_LIFE)
		l->at[life->state].next = l->nr;
	life->state = l->nr++;
	return 0;
}

errcode_t states_compare(struct e2lazy_undelete *u, uint32_t number,
			 const struct seen *s)
{
	const struct life *life = life_get(u, number);
	struct losing l = {
		.now = s->raw + FIELD(i_block), .size = life->size,
		.blocksize = u->fs->blocksize, .s = s,
	};
	struct root *root;

	/* An empty file has nothing to lose. */
	if (life->root == NO_ROOT || life->rank != RANK_IN_USE || !s->links ||
	    !life->size)
		return 0;
	l.then = root = &u->lives.roots[life->root];
	if (!lost_something(&l)) {
		root->lost = MOMENT_NOW;
		return 0;
	}
	if (root->lost == MOMENT_NOW)
		root->lost = s->when;
	/* A truncation goes on: the next copy shows its end. */
	return s->dtime ? 0 : add_state(u, number, root->lost, s);
}

errcode_t states_keep(struct e2lazy_undelete *u, uint32_t number,
		      const struct seen *s)
{
	struct lives *l = &u->lives;
	struct life *life = life_get(u, number);
	struct root *root;

	if (!LINUX_S_ISREG(life->mode) || life->value)
		return 0;
	if (life->root == NO_ROOT) {
		root = l->nr_roots == NO_ROOT ? NULL :
		       grow(l->roots, l->nr_roots, &l->roots_room,
			    sizeof(*root));
		if (!root)
			return EXT2_ET_NO_MEMORY;
		l->roots = root;
		life->root = l->nr_roots++;
	}
	root = &l->roots[life->root];
	memcpy(root->map, s->raw + FIELD(i_block), sizeof(root->map));
	root->flags = get_le32(s->raw + FIELD(i_flags));
	root->blocks = s->blocks;
	root->lost = MOMENT_NOW;
	return 0;
}

void states_end(struct e2lazy_undelete *u)
{
	free(u->lives.roots);
	u->lives.roots = NULL;
	u->lives.nr_roots = 0;
	u->lives.roots_room = 0;
}
