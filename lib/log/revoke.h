/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_REVOKE_H
#define E2LAZY_REVOKE_H

#include "e2lazy.h"
#include "sort.h"

/*
 * The rule of revocation: a record of transaction @revoke voids copies of
 * transactions up to and including it, wherever in the log either stands.
 * Source: Linux fs/jbd2/revoke.c, jbd2_journal_test_revoke().
 */
static inline bool revoke_voids(uint32_t revoke, uint32_t copy)
{
	return !e2lazy_tid_after(copy, revoke);
}

/*
 * The newest revoking transaction of each static block.  Fill it in log order
 * with records of committed transactions, close it, then search it.  It drops
 * older records of a block from time to time, so that its memory grows with
 * the blocks, not with the records.
 */
struct revoke_table {
	struct records	list;
	size_t		committed;	/* records of @list */
	size_t		distinct;	/* blocks, when last sorted */
};

errcode_t revoke_add(struct revoke_table *table, blk64_t fsblk, uint32_t tid);
/* The records added since the last commit count; or drop them. */
errcode_t revoke_commit(struct revoke_table *table);
void revoke_drop(struct revoke_table *table);
errcode_t revoke_close(struct revoke_table *table);
void revoke_free(struct revoke_table *table);

/* False if no committed record names @fsblk.  O(log n). */
bool revoke_find(const struct revoke_table *table, blk64_t fsblk,
		 uint32_t *tid);

#endif
