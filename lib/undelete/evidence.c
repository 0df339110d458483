/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * evidence.c - the blocks of a life that other files have had since
 *
 * A block of data does not name its owner.  But each transaction that allocates
 * or frees a block logs its bitmap, and the ring has all of these from the copy
 * of the inode on.  A block that is free in one bitmap and taken in a later one
 * had another owner.  So had a block that the map of a later life names, and one
 * that is taken when the inode has lost all its blocks: with data=writeback, the
 * same transaction may give them away.  A block that is taken now is in use,
 * except an orphan's, which was never freed.
 *
 * Bitmaps from before the inode's copy tell which copies of data are the file's:
 * if the block was free after its last copy, the copy is a former owner's.
 *
 * A block that was allocated and freed within one transaction leaves no trace.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/halve.h"
#include "overlaps.h"

/* Bytes of state for all pieces that lie in one group; what exceeds that is
   not looked at, and unknown. */
#define MOST_STATES	(16 << 20)
/*
 * Runs of evidence.  One ends where another file had or has blocks, but the lives
 * of an enemy share their blocks, and his bitmaps change from block to block.
 * There may be so many for each block of the file system, but not more than so
 * many, and besides so many for each piece; all others are unknown.
 */
#define RUNS_PER_BLOCK	16
#define MOST_RUNS	(4 << 20)
#define RUNS_EACH	8

/* Flags in the state of a block. */
#define FREED		0x80	/* was free in a bitmap after the life, */
#define FORMER		0x40	/* and before it, but after its last copy */

/* The last bitmaps, + 1, in which a bit was free, was taken, and was free before
   it was taken; or 0. */
struct bit {
	uint32_t	free_at, taken_at, refilled;
};

struct search {
	struct e2lazy_undelete *u;
	struct records	extents;
	/* of the group at hand */
	const struct record *from, *to;
	uint8_t		*states;	/* of all their blocks, one by one */
	uint8_t		*bitmap;
	blk64_t		first;		/* block of the group */
	struct bit	*bits;		/* of each bitmap */
	uint32_t	low, high;	/* bits of pieces: [low, high) */
	uint32_t	lost;		/* the last bitmap that is, + 1; or 0 */
	uint32_t	judged;		/* lives chosen before this moment have
					   their FORMER blocks */
};

/* -------------------------------------------------------------- results */

errcode_t evidence_add(struct evidences *list, const struct evidence *e)
{
	struct evidence *at = grow(list->at, list->nr, &list->room,
				   sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	list->at = at;
	list->at[list->nr++] = *e;
	return 0;
}

static errcode_t add_run(struct evidences *list, const struct record *e,
			 uint32_t from, uint32_t to, uint8_t grade)
{
	return evidence_add(list, &(struct evidence){
		.fsblk = record_fsblk(e) + from, .count = to - from,
		.life = life_of(e), .grade = grade,
	});
}

/* Add runs that have the same bits of @mask, except those that have none. */
static errcode_t add_runs(struct e2lazy_undelete *u, struct evidences *list,
			  const struct record *e, const uint8_t *states,
			  uint8_t mask)
{
	size_t before = list->nr, added;
	errcode_t err = 0;

	for (uint32_t i = 0, n; !err && i < count_of(e); i = n) {
		uint8_t bits = states[i] & mask;

		for (n = i + 1; n < count_of(e) && (states[n] & mask) == bits;
		     n++)
			;
		if (bits)
			err = add_run(list, e, i, n, bits);
	}
	added = list->nr - before;
	u->runs -= added < u->runs ? added : u->runs;
	return err;
}

static errcode_t add_judgement(struct e2lazy_undelete *u,
			       const struct record *e, const uint8_t *states)
{
	errcode_t err;

	if (!u->runs)
		return add_run(&u->evidences, e, 0, count_of(e),
			       E2LAZY_GRADE_UNKNOWN);
	err = add_runs(u, &u->evidences, e, states, STATE_GRADE);
	return err ? err : add_runs(u, &u->former, e, states, FORMER);
}

static void allow_runs(struct e2lazy_undelete *u, size_t pieces)
{
	uint64_t runs = RUNS_PER_BLOCK * ext2fs_blocks_count(u->fs->super);

	u->runs = (runs < MOST_RUNS ? runs : MOST_RUNS) +
		  RUNS_EACH * (uint64_t)pieces;
}

static void mark_unknown(uint8_t *states, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		state_set_grade(states + i, E2LAZY_GRADE_UNKNOWN);
}

/* ------------------------------------------------------------- bitmaps */

static uint32_t bit_of(const struct search *s, blk64_t fsblk)
{
	return (uint32_t)((fsblk - s->first) >> s->u->fs->cluster_ratio_bits);
}

static bool is_set(const struct search *s, uint32_t bit)
{
	return s->bitmap[bit / 8] >> bit % 8 & 1;
}

static bool is_taken(const struct search *s, blk64_t fsblk)
{
	return is_set(s, bit_of(s, fsblk));
}

/*
 * Lives may be many, and have the same blocks, and so may be the bitmaps.  So
 * each bitmap is asked once for each of its bits, and each life twice for each of
 * its blocks: when the next bitmap is newer than its copy, and after all bitmaps.
 */
static void begin_bitmaps(struct search *s)
{
	s->low = UINT32_MAX;
	s->high = s->judged = s->lost = 0;
	for (const struct record *e = s->from; e < s->to; e++) {
		uint32_t low = bit_of(s, record_fsblk(e));
		uint32_t high = bit_of(s, end_of(e) - 1) + 1;

		s->low = low < s->low ? low : s->low;
		s->high = high > s->high ? high : s->high;
	}
	for (uint32_t bit = s->low; bit < s->high; bit++)
		s->bits[bit] = (struct bit){ .free_at = 0 };
}

static void mark_former(const struct search *s, const struct record *e,
			uint8_t *states)
{
	const struct life *life = life_get(s->u, life_of(e));
	const struct record *r;
	uint32_t free_at;

	for (uint32_t i = 0; i < count_of(e); i++) {
		free_at = s->bits[bit_of(s, record_fsblk(e) + i)].free_at;
		if (!free_at)
			continue;
		r = data_at_time(s->u, life, record_fsblk(e) + i);
		if (r && r->tid < free_at)
			states[i] |= FORMER;
	}
}

/* Judge the lives that were chosen before @until; no bitmap before is left. */
static errcode_t find_former(struct search *s, uint64_t until)
{
	uint8_t *state = s->states;
	errcode_t err = 0;

	for (const struct record *e = s->from; !err && e < s->to; e++) {
		uint32_t chosen = life_get(s->u, life_of(e))->chosen;

		if (e->flags & LOGGED && chosen >= s->judged &&
		    chosen < until) {
			err = watch_stop(s->u->opts->watch);
			mark_former(s, e, state);
		}
		state += count_of(e);
	}
	return err;
}

static errcode_t take_bitmap(struct search *s, uint32_t when)
{
	errcode_t err = find_former(s, when);

	s->judged = when;
	for (uint32_t i = s->low; i < s->high; i++) {
		struct bit *bit = &s->bits[i];

		if (is_set(s, i)) {
			bit->taken_at = when + 1;
			bit->refilled = bit->free_at;
		} else {
			bit->free_at = when + 1;
		}
	}
	return err;
}

/* A bitmap of transaction @when is lost. */
static void lose_bitmap(struct search *s, uint32_t when)
{
	s->u->unreadable++;
	s->lost = when + 1;
}

/* Did a bitmap after the life show the block free, or another owner's? */
static void judge_piece(struct search *s, const struct record *e,
			uint8_t *state)
{
	const struct life *life = life_get(s->u, life_of(e));
	uint64_t after = (uint64_t)life->chosen + 1;

	for (uint32_t i = 0; i < count_of(e); i++, state++) {
		struct bit bit = s->bits[bit_of(s, record_fsblk(e) + i)];
		bool freed = bit.taken_at > life->freed;

		if (bit.free_at > after)
			*state |= FREED;
		if (bit.refilled > after || (freed && bit.taken_at > after))
			state_set_grade(state, E2LAZY_GRADE_BETWEEN);
	}
	s->u->asked += count_of(e);
}

/* A lost bitmap may have told that a copy is a former owner's. */
static void judge_pieces(struct search *s)
{
	uint8_t *state = s->states;

	for (const struct record *e = s->from; e < s->to; e++) {
		uint64_t chosen = life_get(s->u, life_of(e))->chosen;

		judge_piece(s, e, state);
		if (s->lost && (e->flags & LOGGED || s->lost > chosen + 1))
			mark_unknown(state, count_of(e));
		state += count_of(e);
	}
}

static void take_bitmap_now(struct search *s)
{
	uint8_t *state = s->states;

	for (const struct record *e = s->from; e < s->to; e++) {
		const struct life *life = life_get(s->u, life_of(e));

		for (uint32_t i = 0; i < count_of(e); i++, state++)
			if (is_taken(s, record_fsblk(e) + i) &&
			    (*state & FREED || !life->pending))
				state_set_grade(state, E2LAZY_GRADE_REUSED);
	}
}

static void lose_bitmap_now(struct search *s)
{
	uint8_t *state = s->states;

	s->u->unreadable++;
	for (const struct record *e = s->from; e < s->to; e++) {
		mark_unknown(state, count_of(e));
		state += count_of(e);
	}
}

static errcode_t take_bitmaps(struct search *s, dgrp_t group)
{
	const struct versions *v = &s->u->versions;
	ext2_filsys fs = s->u->fs;
	blk64_t at = ext2fs_block_bitmap_loc(fs, group);
	errcode_t err = 0;

	begin_bitmaps(s);
	for (size_t i = versions_lower_bound(v, at);
	     !err && version_is_of(v, i, at); i++) {
		const struct record *r = version_get(v, i);

		err = watch_stop(s->u->opts->watch);
		if (err || version_is_revoke(r))
			continue;
		if (copy_read(s->u, r, s->bitmap)) {
			lose_bitmap(s, r->tid);
			continue;
		}
		err = take_bitmap(s, r->tid);
	}
	if (!err)
		err = find_former(s, (uint64_t)MOMENT_NOW + 1);
	if (err)
		return err;
	judge_pieces(s);
	if (ext2fs_bg_flags_test(fs, group, EXT2_BG_BLOCK_UNINIT))
		return 0;
	err = io_channel_read_blk64(fs->io, at, 1, s->bitmap);
	if (err == E2LAZY_ET_CANCELLED)
		return err;
	if (err)
		lose_bitmap_now(s);
	else
		take_bitmap_now(s);
	return 0;
}

/* ---------------------------------------------------------- all groups */

static errcode_t judge_group(struct search *s, dgrp_t group)
{
	uint8_t *state;
	errcode_t err;

	s->first = ext2fs_group_first_block2(s->u->fs, group);
	err = overlaps_mark(s->u, s->from, s->to, s->states);
	if (!err)
		err = take_bitmaps(s, group);
	state = s->states;
	for (const struct record *e = s->from; !err && e < s->to; e++) {
		err = add_judgement(s->u, e, state);
		state += count_of(e);
	}
	return err;
}

/* Judge the pieces from @at on in one group; beyond MOST_STATES: UNKNOWN. */
static errcode_t next_group(struct search *s, const struct record *at)
{
	const struct record *end = array_end(s->extents.at, s->extents.nr);
	dgrp_t group = ext2fs_group_of_blk2(s->u->fs, record_fsblk(at));
	blk64_t next = ext2fs_group_last_block2(s->u->fs, group) + 1;
	uint64_t states = 0;
	errcode_t err;

	s->from = s->to = at;
	while (s->to < end && record_fsblk(s->to) < next &&
	       states + count_of(s->to) <= MOST_STATES)
		states += count_of(s->to++);
	s->states = calloc(1, states + 1);
	if (!s->states)
		return EXT2_ET_NO_MEMORY;
	err = judge_group(s, group);
	free(s->states);
	for (; !err && s->to < end && record_fsblk(s->to) < next; s->to++)
		err = add_run(&s->u->evidences, s->to, 0, count_of(s->to),
			      E2LAZY_GRADE_UNKNOWN);
	return err;
}

static int by_life(const void *a, const void *b)
{
	const struct evidence *x = a, *y = b;

	if (x->life != y->life)
		return x->life < y->life ? -1 : 1;
	return x->fsblk < y->fsblk ? -1 : x->fsblk > y->fsblk;
}

static errcode_t search_groups(struct search *s)
{
	const struct record *first = s->extents.at, *at = first;
	const struct record *end = array_end(first, s->extents.nr);
	errcode_t err = io_channel_alloc_buf(s->u->fs->io, 1, &s->bitmap);

	s->bits = calloc((size_t)s->u->fs->blocksize * 8, sizeof(*s->bits));
	if (!err && !s->bits)
		err = EXT2_ET_NO_MEMORY;
	while (!err && at < end) {
		err = watch_tick(s->u->opts->watch, E2LAZY_PHASE_ROLES,
				 (uint64_t)(at - first), s->extents.nr);
		if (!err)
			err = next_group(s, at);
		at = s->to;
	}
	ext2fs_free_mem(&s->bitmap);
	free(s->bits);
	return err;
}

static void sort(struct evidences *list)
{
	if (list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), by_life);
}

/* Where a file has kept a block, nothing shows whether it has written there. */
static errcode_t add_kept(struct e2lazy_undelete *u, const struct records *kept)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < kept->nr; i++)
		err = add_run(&u->evidences, &kept->at[i], 0,
			      count_of(&kept->at[i]), E2LAZY_GRADE_UNKNOWN);
	return err;
}

errcode_t evidence_find(struct e2lazy_undelete *u)
{
	struct search s = { .u = u };
	struct records kept = { .nr = 0 };
	errcode_t err = pieces_collect(u, &s.extents, &kept);

	if (!err)
		err = add_kept(u, &kept);
	records_free(&kept);
	if (!err)
		err = records_sort(&s.extents);
	if (!err && s.extents.nr) {
		allow_runs(u, s.extents.nr);
		err = search_groups(&s);
	}
	records_free(&s.extents);
	sort(&u->evidences);
	sort(&u->former);
	return err;
}

static const struct evidence *find(const struct evidences *list, uint32_t life,
				   blk64_t fsblk, uint64_t *count)
{
	struct halving h = { .high = list->nr };
	const struct evidence *e;

	/* The first that ends behind @fsblk. */
	while (halve(&h)) {
		e = &list->at[h.mid];
		halved(&h, e->life < life || (e->life == life &&
					      e->fsblk + e->count <= fsblk));
	}
	if (h.low == list->nr)
		return NULL;
	e = &list->at[h.low];
	if (e->life != life || e->fsblk >= fsblk + *count)
		return NULL;
	if (e->fsblk > fsblk) {
		*count = e->fsblk - fsblk;
		return NULL;
	}
	if (e->fsblk + e->count - fsblk < *count)
		*count = e->fsblk + e->count - fsblk;
	return e;
}

const struct evidence *evidence_of(const struct e2lazy_undelete *u,
				   uint32_t life, blk64_t fsblk,
				   uint64_t *count)
{
	return find(&u->evidences, life, fsblk, count);
}

bool evidence_of_former(const struct e2lazy_undelete *u, uint32_t life,
			blk64_t fsblk)
{
	uint64_t count = 1;

	return find(&u->former, life, fsblk, &count);
}
