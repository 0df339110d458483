/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* versions.c - every committed copy of every static block, by block and time */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/halve.h"
#include "io/watch.h"
#include "log/log.h"
#include "versions.h"

/* ------------------------------------------------------------ building */

static errcode_t add(struct versions *v, const struct e2lazy_event *ev,
		     uint32_t when)
{
	struct record r = { .logblk = ev->logblk, .tid = when };

	if (ev->fsblk >= RECORD_FSBLK_END || ev->flags &
	    (E2LAZY_COPY_OUTSIDE | E2LAZY_COPY_IN_JOURNAL))
		return 0;
	record_set_fsblk(&r, ev->fsblk);
	r.flags = ev->kind == E2LAZY_EV_REVOKE ? RECORD_REVOKE :
		  (uint16_t)ev->flags;
	if (v->csums && ev->kind == E2LAZY_EV_TAG)
		v->csums[ev->logblk] = ev->csum;
	return records_add(&v->list, &r);
}

/* Forget the records of a transaction without a commit block. */
static errcode_t add_transaction(struct versions *v,
				 const struct e2lazy_range *range,
				 uint32_t when)
{
	size_t before = v->list.nr;
	struct e2lazy_walk *walk;
	bool committed = false;
	struct e2lazy_event ev;
	errcode_t err;

	err = e2lazy_walk_open(v->journal, range, 0, 0, &walk);
	if (err)
		return err;
	do {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT)
			committed = true;
		else if (ev.kind != E2LAZY_EV_END)
			err = add(v, &ev, when);
	} while (!err && !committed && ev.kind != E2LAZY_EV_END);
	e2lazy_walk_close(walk);
	if (!committed) {
		v->list.nr = before;
		v->moments[when].broken = true;
	}
	return err;
}

static errcode_t allocate_csums(struct versions *v)
{
	if (v->journal->csum.kind < E2LAZY_CSUM_V2)
		return 0;
	v->csums = calloc(v->journal->geo.maxlen, sizeof(*v->csums));
	return v->csums ? 0 : EXT2_ET_NO_MEMORY;
}

static errcode_t allocate(struct versions *v, const struct e2lazy_ring *ring)
{
	uint32_t count = e2lazy_ring_counts(ring)->txns;

	v->moments = calloc((size_t)count + 1, sizeof(*v->moments));
	return v->moments ? allocate_csums(v) : EXT2_ET_NO_MEMORY;
}

errcode_t versions_build(struct e2lazy_journal *journal,
			 const struct e2lazy_ring *ring,
			 const struct versions_opts *opts, struct versions *v)
{
	struct e2lazy_ring_txn txn;
	errcode_t err;

	memset(v, 0, sizeof(*v));
	v->journal = journal;
	err = allocate(v, ring);
	for (uint32_t i = 0; !err && i < opts->count; i++) {
		e2lazy_ring_txn(ring, i, &txn);
		v->moments[i] = (struct moment){
			.tid = txn.txn.tid, .sec = txn.txn.sec,
			.nsec = txn.txn.nsec,
		};
		v->nr_moments = i + 1;
		err = watch_tick(opts->watch, E2LAZY_PHASE_TXNS, i,
				 opts->count);
		if (!err)
			err = add_transaction(v, &txn.range, i);
	}
	return err ? err : records_sort(&v->list);
}

static errcode_t add_moment(struct versions *v, size_t *room,
			    const struct e2lazy_txn *txn)
{
	struct moment *at = grow(v->moments, v->nr_moments, room, sizeof(*at));

	if (!at || v->nr_moments == MOMENT_NOW)
		return EXT2_ET_NO_MEMORY;
	v->moments = at;
	at[v->nr_moments++] = (struct moment){
		.tid = txn->tid, .sec = txn->sec, .nsec = txn->nsec,
	};
	return 0;
}

errcode_t versions_of_ranges(struct e2lazy_journal *journal,
			     const struct e2lazy_range *ranges, uint32_t count,
			     struct versions *v)
{
	struct e2lazy_event ev = { .kind = E2LAZY_EV_COMMIT };
	struct e2lazy_walk *walk;
	size_t committed = 0, room = 0;
	errcode_t err;

	memset(v, 0, sizeof(*v));
	v->journal = journal;
	err = allocate_csums(v);
	if (!err)
		err = e2lazy_walk_ranges(journal, ranges, count ? count : 1, 0,
					 0, &walk);
	if (err)
		return err;
	while (!err && ev.kind != E2LAZY_EV_END) {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT) {
			err = add_moment(v, &room, ev.txn);
			committed = v->list.nr;
		} else if (ev.kind != E2LAZY_EV_END) {
			err = add(v, &ev, (uint32_t)v->nr_moments);
		}
	}
	e2lazy_walk_close(walk);
	v->list.nr = committed;
	return err ? err : records_sort(&v->list);
}

void versions_free(struct versions *v)
{
	records_free(&v->list);
	free(v->csums);
	free(v->moments);
	memset(v, 0, sizeof(*v));
}

/* ------------------------------------------------------------- looking */

size_t versions_from(const struct versions *v, blk64_t fsblk, uint64_t when)
{
	struct halving h = { .high = v->list.nr };
	const struct record *r;

	while (halve(&h)) {
		r = version_get(v, h.mid);
		halved(&h, record_fsblk(r) < fsblk ||
			   (record_fsblk(r) == fsblk && r->tid < when));
	}
	return h.low;
}

size_t versions_lower_bound(const struct versions *v, blk64_t fsblk)
{
	return versions_from(v, fsblk, 0);
}

const struct record *versions_at(const struct versions *v, blk64_t fsblk,
				 uint32_t when)
{
	size_t i = versions_from(v, fsblk, (uint64_t)when + 1);

	while (i-- && version_is_of(v, i, fsblk))
		if (!version_is_revoke(version_get(v, i)))
			return version_get(v, i);
	return NULL;
}

bool version_is_good(const struct versions *v, const struct record *r,
		     const void *block)
{
	return !v->csums || csum_copy_good(&v->journal->csum,
					   v->moments[r->tid].tid, block,
					   v->csums[r->logblk]);
}

errcode_t versions_check(const struct versions *v, const struct record *r,
			 void *block)
{
	if (!version_is_good(v, r, block))
		return E2LAZY_ET_DATA_CSUM;
	unescape(block, r->flags);
	return 0;
}

errcode_t versions_read(const struct versions *v, const struct record *r,
			void *block)
{
	errcode_t err = e2lazy_read_log(v->journal, r->logblk, 1, block);

	return err ? err : versions_check(v, r, block);
}
