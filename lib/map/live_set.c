/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * live_set.c - fold copies and revokes of the log into the live mappings
 *
 * Records gather in log order until there are 3/8 as many as live mappings.
 * Then they are sorted by static block and merged into the sorted array of
 * mappings, in place, from its far end.  So enough records share the cost of a
 * merge to keep the whole linear, and no mapping is in memory twice.  A mapping
 * takes 32 bytes: 20 itself, and twice 3/8 of 16 for records and their sort.
 *
 * Many logs write the same blocks again and again.  Where the last merge had
 * fewer new blocks than half its records, a committed copy takes the place of
 * the block's last one among the records, if a small table knows that, and
 * counts it: see absorb().  Only the others wait for the next merge.
 *
 * A merge takes whole transactions, in their order.  So it need not keep a
 * revoke: every copy that the revoke can void is already in the array, or among
 * the records of the same transaction.
 */

#include <stdlib.h>
#include <string.h>

#include "io/big.h"
#include "io/populate.h"
#include "log/revoke.h"
#include "live_set.h"

#define LEAST_TO_MERGE 65536

/* Earlier copies that a record stands for, beside its own, in its flags. */
#define EARLIER_SHIFT	8
#define MOST_EARLIER	0x7fU
_Static_assert(MOST_EARLIER << EARLIER_SHIFT == RECORD_SPARE,
	       "the number takes the flags that are to spare");

static unsigned earlier_copies(const struct record *r)
{
	return r->flags >> EARLIER_SHIFT & MOST_EARLIER;
}

/* ----------------------------------------------- one block's history */

/*
 * Apply the records [r, end) of one block to its mapping; m->copies 0 means
 * that the block has no live copy.
 */
static void apply(struct live_set *set, struct mapping *m,
		  const struct record *r, const struct record *end)
{
	const struct record *revoke = NULL;

	for (; r < end; r++) {
		if (r->flags & RECORD_REVOKE) {
			revoke = r;
			if (m->copies && revoke_voids(r->tid, m->tid)) {
				set->revoked += m->copies;
				m->copies = 0;
			}
			continue;
		}
		/* Such a copy stands for no earlier one: see absorb(). */
		if (revoke && revoke_voids(revoke->tid, r->tid)) {
			set->revoked++;
			continue;
		}
		m->fs_low = r->fs_low;
		m->fs_high = r->fs_high;
		m->flags = r->flags & ((1U << EARLIER_SHIFT) - 1);
		m->logblk = r->logblk;
		m->tid = r->tid;
		m->copies += 1 + earlier_copies(r);
	}
}

/* ------------------------------------------------------------- merging */

static size_t count_blocks(const struct record *r, size_t nr)
{
	size_t blocks = nr ? 1 : 0;

	for (size_t i = 1; i < nr; i++)
		blocks += record_fsblk(r + i) != record_fsblk(r + i - 1);
	return blocks;
}

static errcode_t make_room(struct live_set *set, size_t more)
{
	size_t need = set->nr_live + more;
	struct mapping *live;

	if (need <= set->room)
		return 0;
	live = big_realloc(set->live, set->room * sizeof(*live),
			   need * sizeof(*live));
	if (!live)
		return EXT2_ET_NO_MEMORY;
	populate(live + set->room, (need - set->room) * sizeof(*live));
	set->live = live;
	set->room = need;
	return 0;
}

/* The first record of the block whose last record is @end - 1. */
static const struct record *first_of_block(const struct record *begin,
					   const struct record *end)
{
	const struct record *r = end - 1;
	blk64_t fsblk = record_fsblk(r);

	while (r > begin && record_fsblk(r - 1) == fsblk)
		r--;
	return r;
}

/*
 * Merge the sorted records of @blocks different blocks.  The result grows down
 * from the end of the enlarged array.  It never overtakes the mappings still to
 * be read, because the array has one free place for each block of the records.
 */
static void merge(struct live_set *set, size_t blocks)
{
	const struct record *begin = set->pending.at;
	const struct record *end = begin + set->pending.nr;
	struct mapping *live = set->live;
	size_t top = set->nr_live + blocks;
	size_t left = set->nr_live, to = top;

	while (end > begin) {
		const struct record *r = first_of_block(begin, end);
		blk64_t fsblk = record_fsblk(r);

		while (left && mapping_fsblk(&live[left - 1]) > fsblk)
			live[--to] = live[--left];
		live[to - 1].copies = 0;	/* free, as a block is to come */
		if (left && mapping_fsblk(&live[left - 1]) == fsblk)
			live[to - 1] = live[--left];
		apply(set, &live[to - 1], r, end);
		to -= live[to - 1].copies != 0;
		end = r;
	}
	if (to > left)
		memmove(live + left, live + to, (top - to) * sizeof(*live));
	set->nr_live = left + (top - to);
}

/* Call it only between transactions. */
static errcode_t merge_pending(struct live_set *set)
{
	size_t blocks, before;
	errcode_t err;

	err = records_sort(&set->pending);
	if (err)
		return err;
	blocks = count_blocks(set->pending.at, set->pending.nr);
	err = make_room(set, blocks);
	if (err)
		return err;
	before = set->nr_live;
	merge(set, blocks);
	set->absorbs = set->nr_live < before + set->pending.nr / 2;
	if (set->absorbs)
		last_of_clear(&set->last);
	set->pending.nr = set->sealed = 0;
	return 0;
}

/* ------------------------------------------------------ before merging */

static bool is_revoke(const struct record *r)
{
	return r->flags & RECORD_REVOKE;
}

/*
 * Let @r, the newest record, take the place of @last, the one before of its
 * block.  False: both must stay, as one is a revoke, or the count is full.
 */
static bool replace(struct record *last, const struct record *r)
{
	unsigned earlier = earlier_copies(last) + 1;

	if (is_revoke(last) || is_revoke(r) || earlier > MOST_EARLIER)
		return false;
	*last = *r;
	last->flags |= (uint16_t)(earlier << EARLIER_SHIFT);
	return true;
}

/*
 * Thin out the records of the transaction that has just been committed.  The
 * table goes on to show a revoke for as long as that voids what follows: such a
 * copy must not be counted to a later one.
 */
static void absorb(struct live_set *set)
{
	struct record *at = set->pending.at;
	size_t to = set->sealed;

	for (size_t i = to; i < set->pending.nr; i++) {
		const struct record *r = &at[i];
		struct last_slot *slot = last_of_find(&set->last, at, r);
		struct record *last = slot && slot->place ?
				      &at[slot->place - 1] : NULL;

		if (last && replace(last, r))
			continue;
		at[to++] = *r;
		if (slot && !(last && is_revoke(last) && !is_revoke(r) &&
			      revoke_voids(last->tid, r->tid)))
			*slot = (struct last_slot){ r->fs_low, (uint32_t)to };
	}
	set->pending.nr = to;
}

/* ---------------------------------------------------------- the outside */

errcode_t live_set_add(struct live_set *set, const struct record *r)
{
	return records_add(&set->pending, r);
}

errcode_t live_set_commit(struct live_set *set)
{
	size_t enough = set->nr_live / 8 * 3;

	if (set->absorbs && set->sealed < LAST_OF_MOST)
		absorb(set);
	set->sealed = set->pending.nr;
	if (enough < LEAST_TO_MERGE)
		enough = LEAST_TO_MERGE;
	return set->sealed < enough ? 0 : merge_pending(set);
}

void live_set_drop(struct live_set *set)
{
	set->pending.nr = set->sealed;
}

errcode_t live_set_finish(struct live_set *set)
{
	errcode_t err = 0;

	live_set_drop(set);
	if (set->sealed)
		err = merge_pending(set);
	records_free(&set->pending);
	last_of_free(&set->last);
	return err;
}

void live_set_free(struct live_set *set)
{
	records_free(&set->pending);
	last_of_free(&set->last);
	big_free(set->live, set->room * sizeof(*set->live));
	set->live = NULL;
	set->nr_live = set->room = 0;
}
