/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verdict.c - findings, answers, and the blocks that may be written
 *
 * Each writer asks the verdict three things: is it of this view, are all
 * consents given, and may each block be written?  The problem table decides the
 * last: a problem's effect is on the blocks where it was found.
 * target_open() checks that the devices are still as they were judged: it
 * compares them, under its locks, with the state that e2lazy_open() found.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "view/copies.h"
#include "map/jmap.h"
#include "view/view.h"
#include "verdict.h"

/* ------------------------------------------------------------- reaching */

static bool is_one_journal(const struct e2lazy_subject *s)
{
	return s->journal && s->map && s->layout &&
	       jmap_journal(s->map) == s->journal &&
	       (!s->view || (s->view->journal == s->journal &&
			     s->view->map == s->map));
}

errcode_t verdict_begin(const struct e2lazy_subject *subject, unsigned flags,
			struct e2lazy_verdict **out)
{
	bool reads = !(flags & E2LAZY_VERIFY_GLANCE) ||
		     flags & E2LAZY_VERIFY_SUPERSEDED;
	const unsigned needed = E2LAZY_JMAP_STATES |
				(reads ? E2LAZY_JMAP_CSUMS : 0);
	struct e2lazy_verdict *v;

	if (!is_one_journal(subject) ||
	    (jmap_flags(subject->map) & needed) != needed ||
	    (e2lazy_jmap_is_past(subject->map) &&
	     (!(flags & E2LAZY_VERIFY_UNTIL) || !jmap_is_of_log(subject->map))))
		return EXT2_ET_INVALID_ARGUMENT;
	v = calloc(1, sizeof(*v));
	if (!v)
		return EXT2_ET_NO_MEMORY;
	v->subject = *subject;
	v->content = flags & E2LAZY_VERIFY_CONTENT &&
		     !(flags & E2LAZY_VERIFY_GLANCE);
	v->restore = flags & E2LAZY_VERIFY_RESTORE;
	for (size_t i = 0; i < NR_PROBLEMS; i++)
		v->findings[i].problem = &problem_table[i];
	*out = v;
	return 0;
}

static bool is_on_blocks(enum problem problem)
{
	const struct e2lazy_problem *p = &problem_table[problem];

	return p->effect >= E2LAZY_EFFECT_OLDER_COPY ||
	       p->otherwise >= E2LAZY_EFFECT_OLDER_COPY;
}

bool verdict_count(struct e2lazy_verdict *v, enum problem problem)
{
	if (!v->findings[problem].count || is_on_blocks(problem))
		return false;
	v->findings[problem].count++;
	return true;
}

static void add_block(struct e2lazy_verdict *v, enum problem problem,
		      blk64_t fsblk)
{
	struct block_list *list = &v->blocks[problem];
	blk64_t *at = grow(list->at, list->nr, &list->room, sizeof(*at));

	if (!at) {
		v->no_memory = true;
		return;
	}
	if (!list->nr)
		v->on_blocks[v->nr_on_blocks++] = (uint8_t)problem;
	list->at = at;
	list->at[list->nr++] = fsblk;
}

void verdict_take(struct e2lazy_verdict *v, enum problem problem,
		  uint64_t count, const struct e2lazy_where *where,
		  errcode_t error)
{
	struct e2lazy_finding *f = &v->findings[problem];

	if (f->count == 0) {
		f->first = *where;
		f->error = error;
	}
	f->count += count;
	if (where->has & E2LAZY_AT_FSBLK && is_on_blocks(problem))
		add_block(v, problem, where->fsblk);
}

static int by_number(const void *a, const void *b)
{
	const blk64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

errcode_t verdict_reach(struct e2lazy_verdict *v)
{
	for (size_t i = 0; i < NR_PROBLEMS; i++)
		if (v->blocks[i].nr)
			qsort(v->blocks[i].at, v->blocks[i].nr,
			      sizeof(*v->blocks[i].at), by_number);
	return v->no_memory ? EXT2_ET_NO_MEMORY : 0;
}

void e2lazy_verdict_free(struct e2lazy_verdict *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < NR_PROBLEMS; i++)
		free(v->blocks[i].at);
	records_free(&v->older);
	e2lazy_view_free(v->fast);
	free(v);
}

/* -------------------------------------------------------------- reading */

const struct e2lazy_finding *
e2lazy_verdict_finding(const struct e2lazy_verdict *v, size_t index)
{
	for (size_t i = 0; i < NR_PROBLEMS; i++)
		if (v->findings[i].count && index-- == 0)
			return &v->findings[i];
	return NULL;
}

enum e2lazy_status e2lazy_verdict_status(const struct e2lazy_verdict *v)
{
	enum e2lazy_status status = E2LAZY_CLEAN;

	if (e2lazy_jmap_count(v->subject.map))
		status = E2LAZY_SOUND_IN_USE;
	for (size_t i = 0; i < NR_PROBLEMS; i++)
		if (v->findings[i].count && problem_table[i].status > status)
			status = problem_table[i].status;
	return status;
}

/* ------------------------------------------------------------- answering */

errcode_t e2lazy_verdict_answer(struct e2lazy_verdict *v,
				const struct e2lazy_problem *problem,
				enum e2lazy_answer answer)
{
	if (problem < problem_table || problem >= problem_table + NR_PROBLEMS ||
	    problem->consent != E2LAZY_ASK || answer > E2LAZY_OTHERWISE ||
	    (answer == E2LAZY_OTHERWISE && !problem->otherwise))
		return EXT2_ET_INVALID_ARGUMENT;
	v->answers[problem - problem_table] = answer;
	return 0;
}

size_t e2lazy_verdict_open(const struct e2lazy_verdict *v)
{
	size_t open = 0;

	for (size_t i = 0; i < NR_PROBLEMS; i++)
		if (v->findings[i].count &&
		    problem_table[i].consent != E2LAZY_GO)
			open += v->answers[i] == E2LAZY_NO;
	return open;
}

/*
 * The strongest effect that the answers so far have on a static block.  A
 * problem without an answer counts as yes, for a plan.
 */
static enum e2lazy_effect verdict_effect(const struct e2lazy_verdict *v,
					 blk64_t fsblk)
{
	enum e2lazy_effect strongest = E2LAZY_EFFECT_NONE;

	for (unsigned n = 0; n < v->nr_on_blocks; n++) {
		unsigned i = v->on_blocks[n];
		const struct e2lazy_problem *p = &problem_table[i];
		enum e2lazy_effect effect = v->answers[i] == E2LAZY_OTHERWISE ?
					    p->otherwise : p->effect;

		if (effect > strongest &&
		    bsearch(&fsblk, v->blocks[i].at, v->blocks[i].nr,
			    sizeof(fsblk), by_number))
			strongest = effect;
	}
	return strongest;
}

/* A write past the end of an image file would make it grow. */
bool e2lazy_verdict_leaves_out(const struct e2lazy_verdict *v,
			       const struct e2lazy_copy *copy)
{
	return copy->fsblk >= v->subject.journal->geo.device_blocks ||
	       verdict_effect(v, copy->fsblk) == E2LAZY_EFFECT_LEAVE_OUT;
}

bool e2lazy_verdict_stand_in(const struct e2lazy_verdict *v,
			     const struct e2lazy_copy *live,
			     struct e2lazy_copy *out)
{
	const struct record *r = copies_older(&v->older, live->fsblk);

	if (!r || verdict_effect(v, live->fsblk) != E2LAZY_EFFECT_OLDER_COPY)
		return false;
	memset(out, 0, sizeof(*out));
	out->fsblk = live->fsblk;
	out->logblk = r->logblk;
	out->tid = r->tid;
	out->flags = r->flags;
	e2lazy_physblk(v->subject.journal, r->logblk, &out->physblk);
	return true;
}

/* --------------------------------------------------------------- showing */

struct showing {
	const struct e2lazy_verdict *verdict;
	struct made_block *older;
	size_t		nr_older, older_room;
	blk64_t		*in_place;
	size_t		nr_in_place, in_place_room;
};

static errcode_t add_older(struct showing *s, const struct e2lazy_copy *copy)
{
	struct e2lazy_journal *j = s->verdict->subject.journal;
	struct made_block made = { .fsblk = copy->fsblk }, *at;
	errcode_t err = io_channel_alloc_buf(j->io, 1, &made.bytes);

	if (!err)
		err = e2lazy_read_copy(j, copy->logblk, copy->flags,
				       made.bytes);
	at = err ? NULL : grow(s->older, s->nr_older, &s->older_room,
			       sizeof(*at));
	if (!at) {
		ext2fs_free_mem(&made.bytes);
		return err ? err : EXT2_ET_NO_MEMORY;
	}
	s->older = at;
	at[s->nr_older++] = made;
	return 0;
}

static errcode_t add_in_place(struct showing *s, blk64_t fsblk)
{
	blk64_t *at = grow(s->in_place, s->nr_in_place, &s->in_place_room,
			   sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	s->in_place = at;
	at[s->nr_in_place++] = fsblk;
	return 0;
}

/* In the order of the map: both lists ascend. */
static errcode_t show_copy(struct showing *s, size_t index)
{
	struct e2lazy_copy live, older;

	e2lazy_jmap_get(s->verdict->subject.map, index, &live);
	if (e2lazy_verdict_stand_in(s->verdict, &live, &older))
		return add_older(s, &older);
	return e2lazy_verdict_leaves_out(s->verdict, &live) ?
	       add_in_place(s, live.fsblk) : 0;
}

errcode_t e2lazy_verdict_show(const struct e2lazy_verdict *v,
			      struct e2lazy_view *view)
{
	struct showing s = { .verdict = v };
	size_t count = e2lazy_jmap_count(v->subject.map);
	errcode_t err = 0;

	if (view->map != v->subject.map)
		return EXT2_ET_INVALID_ARGUMENT;
	for (size_t i = 0; !err && v->nr_on_blocks && i < count; i++)
		err = show_copy(&s, i);
	if (!err)
		err = e2lazy_view_leave_out(view, s.in_place, s.nr_in_place);
	if (!err)
		err = view_patch_more(view, s.older, s.nr_older);
	else
		made_blocks_free(s.older, s.nr_older);
	free(s.in_place);
	return err;
}

/* ------------------------------------------------------------ permitting */

errcode_t verdict_is_of(const struct e2lazy_verdict *v,
			const struct e2lazy_subject *s)
{
	if (!v)
		return E2LAZY_ET_NO_VERDICT;
	if (v->used || v->subject.journal != s->journal ||
	    v->subject.map != s->map || v->subject.view != s->view)
		return E2LAZY_ET_STALE_VERDICT;
	return 0;
}

static errcode_t admits(const struct e2lazy_verdict *v,
			const struct e2lazy_view *view, bool restore)
{
	if (!v)
		return E2LAZY_ET_NO_VERDICT;
	if (v->used || !view || v->subject.view != view ||
	    v->restore != restore)
		return E2LAZY_ET_STALE_VERDICT;
	if (!v->content)
		return E2LAZY_ET_QUICK_VERDICT;
	if (e2lazy_verdict_open(v))
		return E2LAZY_ET_CONSENT;
	return 0;
}

errcode_t verdict_admits(const struct e2lazy_verdict *v,
			 const struct e2lazy_view *view)
{
	return admits(v, view, false);
}

errcode_t verdict_admits_restore(const struct e2lazy_verdict *v,
				 const struct e2lazy_view *view)
{
	return admits(v, view, true);
}
