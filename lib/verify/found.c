/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * found.c - the tools of each step: tell a problem, tell the watch, read a
 * live copy, walk the committed transactions
 */

#include <string.h>

#include "io/watch.h"
#include "map/super.h"
#include "verify.h"

/* No tool that retries helps where the journal's device has ended. */
static bool is_past_journal(const struct verify *v,
			    const struct e2lazy_where *where)
{
	const struct e2lazy_geometry *g = &v->journal->geo;

	return g->external && where->has & E2LAZY_AT_LOGBLK &&
	       (where->logblk + 1ULL) * g->blocksize > v->journal->log.bytes;
}

void verify_found_where(struct verify *v, enum problem problem, uint64_t count,
			const struct e2lazy_where *where, errcode_t error)
{
	if (problem == PROBLEM_UNREADABLE && is_past_journal(v, where))
		problem = PROBLEM_JOURNAL_DEVICE_SHORT;
	verdict_take(v->verdict, problem, count, where, error);
	if (v->opts->place && !v->told)
		v->told = v->opts->place(v->opts->priv,
					 &problem_table[problem], error,
					 where);
}

void verify_found(struct verify *v, enum problem problem,
		  const struct spot *spot, errcode_t error)
{
	static const struct spot nowhere;
	struct e2lazy_where where;

	/* There can be millions; the caller wants the count only. */
	if (!v->opts->place && verdict_count(v->verdict, problem))
		return;
	if (!spot)
		spot = &nowhere;
	memset(&where, 0, sizeof(where));
	where.volume = spot->has & E2LAZY_AT_LOGBLK ? E2LAZY_JOURNAL :
						      E2LAZY_FILE_SYSTEM;
	where.has = spot->has;
	where.logblk = spot->logblk;
	where.tid = spot->tid;
	where.fsblk = spot->fsblk;
	where.age = spot->age;
	verify_found_where(v, problem, 1, &where, error);
}

void verify_found_copy(struct verify *v, enum problem problem,
		       const struct e2lazy_copy *copy, errcode_t error)
{
	struct spot spot = {
		.has = E2LAZY_AT_FSBLK | E2LAZY_AT_LOGBLK | E2LAZY_AT_TID,
		.fsblk = copy->fsblk, .logblk = copy->logblk,
		.tid = copy->tid,
	};

	verify_found(v, problem, &spot, error);
}

bool verify_read(const struct verify *v, size_t index, uint8_t *block)
{
	size_t bad;

	return cache_get(verify_kept(v), index, block) ||
	       !e2lazy_jmap_read(v->map, index, 1, block, &bad);
}

const struct ext2_super_block *verify_logged_super(const struct verify *v,
						   uint8_t *block)
{
	blk64_t fsblk = super_fsblk(v->journal);
	struct e2lazy_copy copy;

	if (e2lazy_jmap_lookup(v->map, fsblk, &copy) ||
	    !verify_read(v, e2lazy_jmap_lower_bound(v->map, fsblk), block))
		return NULL;
	return (const void *)(block + super_offset(v->journal->geo.blocksize));
}

errcode_t verify_tick(struct verify *v, enum e2lazy_phase phase,
		      uint64_t done, uint64_t total)
{
	return v->told ? v->told : watch_tick(v->opts->watch, phase, done,
					      total);
}

#define EVENTS_PER_TICK	4096

errcode_t verify_walk(struct verify *v,
		      errcode_t (*take)(void *priv,
					const struct e2lazy_event *ev),
		      errcode_t (*tick)(void *priv, uint32_t tid), void *priv)
{
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	uint64_t events = 0;
	errcode_t err = e2lazy_walk_open(v->journal, NULL, 0, 0, &walk);

	if (err)
		return err;
	while (!err) {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_END ||
		    !e2lazy_tid_after(v->end->tid, ev.tid))
			break;		/* the rest is not committed */
		err = take(priv, &ev);
		if (!err && tick && ++events % EVENTS_PER_TICK == 0)
			err = tick(priv, ev.tid);
	}
	e2lazy_walk_close(walk);
	return err;
}
