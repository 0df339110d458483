/* SPDX-License-Identifier: GPL-2.0-only */
/* ring.c - the blocks of the ring, counted in cells */
#include "report.h"
#include "session/names.h"
#include "support/nls.h"

static const char *const texts[NR_RING_KINDS] = {
	[E2LAZY_LIVE] = N_("newer than the static block"),
	[E2LAZY_SUPERSEDED] = N_("a later transaction has a newer copy"),
	[E2LAZY_REVOKED] = N_("a revoke record makes it void"),
	[E2LAZY_UNCOMMITTED] = N_("its transaction has no commit block"),
	[E2LAZY_STALE] = N_("of transactions that the log has left "
			    "behind"),
	[E2LAZY_REFUSED] = N_("of a block outside the file system or "
			      "inside the journal"),
	[RING_CONTROL] = N_("descriptor, revoke and commit blocks"),
	[RING_FREE] = N_("in no whole transaction"),
	[RING_UNREAD] = N_("past the log, and not read"),
};

const char *ring_kind_name(unsigned kind)
{
	static const char *const names[] = {
		[RING_CONTROL] = "control",
		[RING_FREE] = "free",
		[RING_UNREAD] = "unread",
	};

	return kind < E2LAZY_NR_STATES ? state_name(kind) : names[kind];
}

const char *ring_kind_text(unsigned kind)
{
	return texts[kind];
}

void ring_begin(struct ring_picture *p, const struct e2lazy_geometry *g)
{
	p->first = g->first;
	p->size = last_end(g) - g->first;
	p->each = p->size / RING_CELLS + (p->size % RING_CELLS != 0);
	p->count = p->size / p->each + (p->size % p->each != 0);
}

uint32_t ring_cell_blocks(const struct ring_picture *p, unsigned i)
{
	uint32_t left = p->size - i * p->each;

	return left < p->each ? left : p->each;
}

struct ring_cell *ring_cell_of(struct ring_picture *p, uint32_t logblk)
{
	return &p->cell[(logblk - p->first) / p->each];
}

static void note_tid(struct ring_cell *c, uint32_t tid)
{
	if (!c->known)
		c->first_tid = tid;
	c->known = true;
	c->last_tid = tid;
}

typedef void count_fn(struct ring_cell *c, uint32_t blocks, uint32_t tid);

/* Call @count for each cell with some of the blocks [at, end). */
static void each_cell_of(struct ring_picture *p, uint32_t at, uint32_t end,
			 uint32_t tid, count_fn *count)
{
	uint32_t n;

	end = end < p->size ? end : p->size;
	for (; at < end; at += n) {
		unsigned i = at / p->each;

		n = i * p->each + ring_cell_blocks(p, i) - at;
		n = n < end - at ? n : end - at;
		count(&p->cell[i], n, tid);
	}
}

/* Its lap may have ended before the last block of the picture. */
static uint32_t blocks_before_wrap(const struct e2lazy_txn *txn,
				   uint32_t after)
{
	uint64_t blocks = (uint64_t)txn->descriptors + txn->revoke_blocks +
			  txn->copies + txn->committed;

	return blocks > after ? (uint32_t)(blocks - after) : 0;
}

/* Call @count for each cell with blocks of @txn. */
static void each_cell(struct ring_picture *p, const struct e2lazy_txn *txn,
		      count_fn *count)
{
	uint32_t at = txn->start - p->first, end = txn->end - p->first + 1;

	if (at >= p->size || end > p->size)
		return;
	if (at < end) {
		each_cell_of(p, at, end, txn->tid, count);
		return;
	}
	each_cell_of(p, at, at + blocks_before_wrap(txn, end), txn->tid,
		     count);
	each_cell_of(p, 0, end, txn->tid, count);
}

static void cover(struct ring_cell *c, uint32_t blocks, uint32_t tid)
{
	c->covered += blocks;
	note_tid(c, tid);
}

static void cover_old(struct ring_cell *c, uint32_t blocks, uint32_t tid)
{
	c->blocks[E2LAZY_STALE] += blocks;
	if (!c->covered)
		note_tid(c, tid);
}

void ring_cover(struct ring_picture *p, const struct e2lazy_txn *txn)
{
	each_cell(p, txn, cover);
}

void ring_cover_old(struct ring_picture *p, const struct e2lazy_txn *txn)
{
	each_cell(p, txn, cover_old);
}

void ring_end(struct ring_picture *p, unsigned rest)
{
	for (unsigned i = 0; i < p->count; i++) {
		struct ring_cell *c = &p->cell[i];
		uint32_t copies = 0, used, all = ring_cell_blocks(p, i);

		for (unsigned kind = 0; kind < E2LAZY_NR_STATES; kind++)
			if (kind != E2LAZY_STALE)
				copies += c->blocks[kind];
		if (c->covered > copies)
			c->blocks[RING_CONTROL] = c->covered - copies;
		used = copies + c->blocks[RING_CONTROL] +
		       c->blocks[E2LAZY_STALE];
		c->blocks[rest] = used < all ? all - used : 0;
	}
}

uint64_t ring_total(const struct ring_picture *p, unsigned kind)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < p->count; i++)
		total += p->cell[i].blocks[kind];
	return total;
}
