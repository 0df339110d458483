/* SPDX-License-Identifier: GPL-2.0-only */
/* lists.c - block groups and transactions, counted in cells */
#include "report.h"

#define SECOND		1000000000ULL
/* Times after it count as this one, so that nanoseconds fit. */
#define LAST_SECOND	(UINT64_C(1) << 34)

/* -------------------------------------------------------------- groups --- */

void groups_begin(struct group_picture *p, ext2_filsys fs)
{
	p->groups = fs->group_desc_count;
	p->each = (p->groups + GROUP_CELLS - 1) / GROUP_CELLS;
	p->each += !p->each;
	p->count = (p->groups + p->each - 1) / p->each;
}

/* A copy that was refused may be of any block. */
void groups_add(struct group_picture *p, ext2_filsys fs, blk64_t fsblk,
		bool live)
{
	uint64_t group;
	struct group_cell *c;

	if (fsblk < fs->super->s_first_data_block)
		return;
	group = (fsblk - fs->super->s_first_data_block) /
		fs->super->s_blocks_per_group;
	if (group >= p->groups)
		return;
	c = &p->cell[group / p->each];
	c->logged++;
	c->live += live;
}

void groups_end(struct group_picture *p)
{
	for (unsigned i = 0; i < p->count; i++) {
		const struct group_cell *c = &p->cell[i];

		if (c->live > p->most_live)
			p->most_live = c->live;
		if (c->logged - c->live > p->most_logged)
			p->most_logged = c->logged - c->live;
	}
}

uint64_t groups_of_cell(const struct group_picture *p, unsigned i,
			uint64_t *first)
{
	*first = i * p->each;
	return p->groups - *first < p->each ? p->groups - *first : p->each;
}

/* -------------------------------------------------------- transactions --- */

uint64_t instant_ns(uint64_t sec, uint32_t nsec)
{
	if (sec > LAST_SECOND)
		sec = LAST_SECOND;
	return sec * SECOND + nsec % SECOND;
}

/* Clocks are set back, so the first is not always the earliest. */
void txns_begin(struct txn_picture *p, const struct commit_times *times)
{
	uint64_t span;

	p->begins = UINT64_MAX;
	for (size_t i = 0; i < times->count; i++) {
		uint64_t t = instant_ns(times->at[i].sec, times->at[i].nsec);

		if (!t)
			continue;
		p->begins = t < p->begins ? t : p->begins;
		p->ends = t > p->ends ? t : p->ends;
	}
	if (p->begins > p->ends)
		p->begins = p->ends;
	span = p->ends - p->begins + 1;
	p->each = span / TIME_CELLS + (span % TIME_CELLS != 0);
	p->cells = (unsigned)(span / p->each + (span % p->each != 0));
}

static unsigned size_class(uint32_t copies)
{
	return copies ? 32 - __builtin_clz(copies) : 0;
}

void txns_add(struct txn_picture *p, const struct e2lazy_txn *txn,
	      uint64_t live)
{
	uint64_t t = instant_ns(txn->sec, txn->nsec);
	struct txn_cell *c;

	p->count++;
	p->size[size_class(txn->copies)]++;
	if (t < p->begins || t > p->ends)
		return;
	c = &p->cell[(t - p->begins) / p->each];
	if (!c->txns++)
		c->first_tid = txn->tid;
	c->last_tid = txn->tid;
	c->logged += txn->copies;
	c->live += live;
	c->revokes += txn->revokes;
}

void txns_end(struct txn_picture *p)
{
	for (unsigned i = 0; i < p->cells; i++)
		if (p->cell[i].logged > p->most)
			p->most = p->cell[i].logged;
}
