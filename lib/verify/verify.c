/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* verify.c - find problems of a log and of the blocks that it maps */

#include <stdlib.h>
#include <string.h>

#include "io/watch.h"
#include "verify.h"

/* ------------------------------------------------------------- finding */

void verify_found_where(struct verify *v, enum problem problem, uint64_t count,
		 const struct e2lazy_where *where, errcode_t error)
{
	verdict_take(v->verdict, problem, count, where, error);
	if (v->opts->place && !v->told)
		v->told = v->opts->place(v->opts->priv,
					 &problem_table[problem], error,
					 where);
}

void verify_found(struct verify *v, enum problem problem, const struct spot *spot,
	   errcode_t error)
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

/* -------------------------------------------------------- all of it */

/* The reads of a step; a glance skips most of them. */
enum reads { READS_LITTLE, READS_LOG, READS_COPIES, READS_SUPERSEDED };

static const struct {
	errcode_t	(*look)(struct verify *v);
	enum reads	reads;
} steps[] = {
	{ verify_state,		READS_LITTLE },
	{ verify_log,		READS_LOG },
	{ verify_mapping,	READS_LITTLE },
	{ verify_copies,	READS_COPIES },
	{ verify_escapes,	READS_COPIES },
	{ verify_superseded,	READS_SUPERSEDED },
	{ verify_discarded_on_mount,		READS_COPIES },
	{ verify_discarded,	READS_LITTLE },
	{ verify_tail,		READS_COPIES },
	{ verify_written_since,	READS_COPIES },
};

static bool is_wanted(const struct verify *v, enum reads reads)
{
	if (!(v->opts->flags & E2LAZY_VERIFY_GLANCE))
		return true;
	return reads == READS_LITTLE || reads == READS_SUPERSEDED ||
	       (reads == READS_LOG && v->opts->flags & E2LAZY_VERIFY_WALK);
}

static errcode_t search(struct verify *v)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (is_wanted(v, steps[i].reads))
			err = steps[i].look(v);
		err = err ? err : v->told;
	}
	return err ? err : verdict_reach(v->verdict);
}

static void forget(struct verify *v)
{
	if (v->fs)
		ext2fs_free(v->fs);
	e2lazy_owners_free(v->owners);
	end_proof_free(&v->proof);
	records_free(&v->escaped);
	free(v->bad.at);
	free(v->voided);
	free(v);
}

errcode_t e2lazy_verify(const struct e2lazy_subject *subject,
			const struct e2lazy_verify_opts *opts,
			struct e2lazy_verdict **out)
{
	struct verify *v = calloc(1, sizeof(*v));
	errcode_t err;

	*out = NULL;
	if (!v)
		return EXT2_ET_NO_MEMORY;
	v->subject = subject;
	v->opts = opts;
	v->journal = subject->journal;
	v->map = subject->map;
	err = verdict_begin(subject, opts->flags, &v->verdict);
	if (!err) {
		v->end = e2lazy_jmap_end(subject->map);
		err = search(v);
	}
	if (!err)
		*out = v->verdict;
	else
		e2lazy_verdict_free(v->verdict);
	forget(v);
	return err;
}
