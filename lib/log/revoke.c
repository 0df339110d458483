/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* revoke.c - static block -> the newest transaction that revoked it */

#include "revoke.h"

errcode_t revoke_add(struct revoke_table *table, blk64_t fsblk, uint32_t tid)
{
	struct record r = { .flags = RECORD_REVOKE, .tid = tid };

	if (fsblk >= RECORD_FSBLK_END)
		return 0;	/* no copy of such a block is ever mapped */
	record_set_fsblk(&r, fsblk);
	return records_add(&table->list, &r);
}

void revoke_drop(struct revoke_table *table)
{
	table->list.nr = table->committed;
}

/*
 * Keep one record a block.  The sort keeps log order within a block, so the
 * newest record is the last one.
 */
static errcode_t keep_newest(struct revoke_table *table)
{
	struct record *at;
	size_t kept = 0;
	errcode_t err;

	err = records_sort(&table->list);
	if (err)
		return err;
	at = table->list.at;
	for (size_t i = 0; i < table->list.nr; i++) {
		if (kept && record_fsblk(at + kept - 1) == record_fsblk(at + i))
			kept--;
		at[kept++] = at[i];
	}
	table->list.nr = table->committed = table->distinct = kept;
	return 0;
}

#define LEAST_TO_SORT 65536

errcode_t revoke_commit(struct revoke_table *table)
{
	table->committed = table->list.nr;
	if (table->committed < 2 * table->distinct + LEAST_TO_SORT)
		return 0;
	return keep_newest(table);
}

errcode_t revoke_close(struct revoke_table *table)
{
	revoke_drop(table);
	return keep_newest(table);
}

void revoke_free(struct revoke_table *table)
{
	records_free(&table->list);
	table->committed = table->distinct = 0;
}

bool revoke_find(const struct revoke_table *table, blk64_t fsblk, uint32_t *tid)
{
	size_t low = 0, high = table->list.nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		blk64_t at = record_fsblk(table->list.at + mid);

		if (at == fsblk) {
			*tid = table->list.at[mid].tid;
			return true;
		}
		if (at < fsblk)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}
