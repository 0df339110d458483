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
 * A merge takes whole transactions, in their order.  So it need not keep a
 * revoke: every copy that the revoke can void is already in the array, or among
 * the records of the same transaction.
 */

#include <stdlib.h>
#include <string.h>

#include "log/revoke.h"
#include "live_set.h"

#define LEAST_TO_MERGE 65536

/* ----------------------------------------------- one block's history */

/*
 * Apply the records [r, end) of one block to its mapping; m->copies 0 means
 * that the block has no live copy.
 */
static void apply(struct live_set *fold, struct mapping *m,
		  const struct record *r, const struct record *end)
{
	const struct record *revoke = NULL;

	for (; r < end; r++) {
		if (r->flags & RECORD_REVOKE) {
			revoke = r;
			if (m->copies && revoke_voids(r->tid, m->tid)) {
				fold->revoked += m->copies;
				m->copies = 0;
			}
			continue;
		}
		if (revoke && revoke_voids(revoke->tid, r->tid)) {
			fold->revoked++;
			continue;
		}
		m->fs_low = r->fs_low;
		m->fs_high = r->fs_high;
		m->flags = r->flags;
		m->logblk = r->logblk;
		m->tid = r->tid;
		m->copies++;
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

static errcode_t make_room(struct live_set *fold, size_t more)
{
	size_t need = fold->nr_live + more;
	struct mapping *live;

	if (need <= fold->room)
		return 0;
	live = realloc(fold->live, need * sizeof(*live));
	if (!live)
		return EXT2_ET_NO_MEMORY;
	fold->live = live;
	fold->room = need;
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
static void merge(struct live_set *fold, size_t blocks)
{
	const struct record *begin = fold->pending.at;
	const struct record *end = begin + fold->pending.nr;
	size_t top = fold->nr_live + blocks;
	size_t left = fold->nr_live, to = top;

	while (end > begin) {
		const struct record *r = first_of_block(begin, end);
		struct mapping m = { .copies = 0 };
		blk64_t fsblk = record_fsblk(r);

		while (left && mapping_fsblk(&fold->live[left - 1]) > fsblk)
			fold->live[--to] = fold->live[--left];
		if (left && mapping_fsblk(&fold->live[left - 1]) == fsblk)
			m = fold->live[--left];
		apply(fold, &m, r, end);
		if (m.copies)
			fold->live[--to] = m;
		end = r;
	}
	memmove(fold->live + left, fold->live + to,
		(top - to) * sizeof(*fold->live));
	fold->nr_live = left + (top - to);
}

/* Call it only between transactions. */
static errcode_t merge_pending(struct live_set *fold)
{
	size_t blocks;
	errcode_t err;

	err = records_sort(&fold->pending);
	if (err)
		return err;
	blocks = count_blocks(fold->pending.at, fold->pending.nr);
	err = make_room(fold, blocks);
	if (err)
		return err;
	merge(fold, blocks);
	fold->pending.nr = fold->sealed = 0;
	return 0;
}

/* ---------------------------------------------------------- the outside */

errcode_t live_set_add(struct live_set *fold, const struct record *r)
{
	return records_add(&fold->pending, r);
}

errcode_t live_set_commit(struct live_set *fold)
{
	size_t enough = fold->nr_live / 8 * 3;

	fold->sealed = fold->pending.nr;
	if (enough < LEAST_TO_MERGE)
		enough = LEAST_TO_MERGE;
	return fold->sealed < enough ? 0 : merge_pending(fold);
}

void live_set_drop(struct live_set *fold)
{
	fold->pending.nr = fold->sealed;
}

errcode_t live_set_finish(struct live_set *fold)
{
	errcode_t err = 0;

	live_set_drop(fold);
	if (fold->sealed)
		err = merge_pending(fold);
	records_free(&fold->pending);
	return err;
}

void live_set_free(struct live_set *fold)
{
	records_free(&fold->pending);
	free(fold->live);
	fold->live = NULL;
	fold->nr_live = fold->room = 0;
}
