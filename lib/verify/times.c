/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * times.c - what commit times that go back say about a log
 *
 * A clock that was set back does it, and machines without a clock do it at each
 * boot.  Two other causes put older blocks over newer ones in a replay:
 *
 * An earlier file system.  Where mke2fs left the journal unzeroed, a transaction
 * of it may begin exactly where the log ends, with the next id.  Checksums show
 * it unless the two have the same UUID.
 *
 * An earlier log of this file system.  A tool that replays a log and does not
 * raise s_sequence behind it lets the next mount use the same ids again; where
 * that one's log ends, a transaction of the replayed log may begin with the next
 * id.  Here checksums are right.
 *
 * So commit times only raise a doubt, and other things decide.  The inodes
 * (continuity.c):
 *
 *  - If many of them hold another file, and none continues, all transactions
 *    from there on are another file system's.
 *  - If one continues and its i_version is lower than before, the transactions
 *    were replayed before.
 *  - If they continue, and that is all, the clock was set back.
 *  - Else those are another file system's that were committed before mke2fs.
 *
 * And the static blocks: if all live copies of the run are in place already, and
 * one of an earlier transaction is not, the run was replayed before.  jbd2
 * writes blocks home in any order, so this is a reason to ask, not a proof.
 */

#include <stdlib.h>

#include "view/compare_in_place.h"
#include "io/grow.h"
#include "log/birth.h"
#include "times.h"
#include "view/continuity.h"

void times_init(struct times *t, struct verify *v)
{
	*t = (struct times){ .verify = v, .made = birth_time(v->journal) };
}

void times_free(struct times *t)
{
	free(t->at);
}

errcode_t times_take(struct times *t, const struct e2lazy_event *ev)
{
	uint64_t sec = ev->txn->sec ? ev->txn->sec : t->last;
	bool back = sec < t->last;
	struct doubt *at;

	t->last = sec;
	t->since |= sec >= t->made;
	if (!back && !t->nr)
		return 0;
	at = grow(t->at, t->nr, &t->room, sizeof(*at));
	if (!at)
		return EXT2_ET_NO_MEMORY;
	t->at = at;
	t->runs += back;
	at[t->nr++] = (struct doubt){
		.tid = ev->tid, .logblk = ev->logblk, .run = t->runs - 1,
		.early = t->since && sec < t->made,
	};
	return 0;
}

/* -------------------------------------------------------------- the inodes */

static errcode_t tick(void *priv)
{
	struct verify *v = priv;
	uint32_t all = v->end->tid - v->journal->geo.sequence;

	return verify_tick(v, E2LAZY_PHASE_TXNS, all, all);
}

/* Without versions no inode decides. */
static errcode_t ask_inodes(const struct times *t, struct continuity *runs)
{
	struct verify *v = t->verify;
	struct continuity_search search = {
		.layout = v->subject->layout, .made = t->made,
		.runs = runs, .nr_runs = t->runs,
		.tick = tick, .priv = v,
	};

	if (!verify_has_versions(v))
		return 0;
	search.versions = v->versions;
	for (size_t i = t->nr; i--; )
		runs[t->at[i].run].first = t->at[i].tid -
					   v->versions->moments[0].tid;
	return continuity_find(&search);
}

/* Inodes that hold another file, and are too many for a coincidence. */
#define MANY_REPLACED	4

static bool is_others(const struct continuity *run)
{
	return !run->continues && run->replaced >= MANY_REPLACED;
}

/* ------------------------------------------------------- the static blocks */

/* What the live copies of each run, and those before the first, are like. */
struct placed {
	const struct times *times;
	uint64_t	*same, *differ;	/* by run, from 1; 0: before the first */
};

static uint32_t run_of(const struct times *t, uint32_t tid)
{
	size_t i = tid - t->at[0].tid;

	/* From the first doubt on, each transaction is one. */
	return e2lazy_tid_after(t->at[0].tid, tid) || i >= t->nr ?
	       0 : t->at[i].run + 1;
}

static uint64_t *count_of(const struct placed *p, uint64_t *counts,
			  size_t index)
{
	struct e2lazy_copy copy;

	e2lazy_jmap_get(p->times->verify->map, index, &copy);
	return &counts[run_of(p->times, copy.tid)];
}

static errcode_t note_differs(void *priv, size_t index, const uint8_t *copy,
			      const uint8_t *in_place)
{
	struct placed *p = priv;

	(void)copy;
	(void)in_place;
	++*count_of(p, p->differ, index);
	return 0;
}

static void note_same(void *priv, size_t index)
{
	struct placed *p = priv;

	++*count_of(p, p->same, index);
}

static errcode_t look_in_place(struct placed *p)
{
	const struct verify *v = p->times->verify;
	const struct in_place what = {
		.journal = v->journal, .map = v->map, .kept = verify_kept(v),
		.differs = note_differs, .same = note_same, .priv = p,
		.watch = v->opts->watch, .phase = E2LAZY_PHASE_IN_PLACE,
	};

	return v->opts->flags & E2LAZY_VERIFY_CONTENT ?
	       compare_in_place(&what) : 0;
}

/* @run from 1 */
static bool is_in_place(const struct placed *p, uint32_t run)
{
	uint64_t before = 0;

	for (uint32_t i = 0; i < run; i++)
		before += p->differ[i];
	return before && p->same[run] && !p->differ[run];
}

/* -------------------------------------------------------------- the verdict */

static void find(const struct times *t, enum problem problem,
		 const struct doubt *at)
{
	const struct spot spot = { .has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID,
				   .logblk = at->logblk, .tid = at->tid };

	verify_found(t->verify, problem, &spot, 0);
}

static bool find_earlier(const struct times *t, const struct continuity *runs)
{
	bool others = false, any = false;

	for (size_t i = 0; i < t->nr; i++) {
		const struct continuity *run = &runs[t->at[i].run];

		others |= is_others(run);
		if (!others && (!t->at[i].early || run->continues))
			continue;
		find(t, PROBLEM_COMMIT_BEFORE_MKFS, &t->at[i]);
		any = true;
	}
	return any;
}

static void find_replayed(const struct times *t, const struct continuity *runs,
			  const struct placed *p)
{
	for (size_t i = 0; i < t->nr; i++) {
		uint32_t run = t->at[i].run;

		if (runs[run].goes_back || is_in_place(p, run + 1))
			find(t, PROBLEM_REPLAYED_BEFORE, &t->at[i]);
		else if (!i || t->at[i - 1].run != run)
			find(t, PROBLEM_TIMES_GO_BACK, &t->at[i]);
	}
}

errcode_t times_judge(struct times *t)
{
	struct continuity *runs = calloc(t->runs + 1, sizeof(*runs));
	uint64_t *counts = calloc(2 * ((size_t)t->runs + 1), sizeof(*counts));
	struct placed placed = {
		.times = t, .same = counts,
		.differ = counts ? counts + t->runs + 1 : NULL,
	};
	errcode_t err = runs && counts ? 0 : EXT2_ET_NO_MEMORY;

	if (!err && t->nr)
		err = ask_inodes(t, runs);
	if (!err && t->nr && !find_earlier(t, runs)) {
		err = look_in_place(&placed);
		if (!err)
			find_replayed(t, runs, &placed);
	}
	free(counts);
	free(runs);
	return err;
}
