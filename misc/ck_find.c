/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ck_find.c - what the library finds wrong, kept to be told and asked about
 */
#include <stdlib.h>
#include <string.h>

#include "ck.h"
#include "support/grow.h"
#include "support/status.h"

/* ------------------------------------------------------------ progress */

errcode_t ck_progress(struct ck *ck, enum phase phase, uint64_t done,
		      uint64_t total)
{
	struct progress *progress = &ck->s->progress;

	if (ck->no_memory)
		return EXT2_ET_NO_MEMORY;
	if (phase != progress->phase || done < ck->blocks_done) {
		if (progress->phase != PHASE_NONE)
			progress_end(progress);
		progress_begin(progress, phase);
	}
	ck->blocks_done = done;
	return progress_tick(progress, done, total) ? 0 : E2LAZY_ET_CANCELLED;
}

static errcode_t note_progress(void *priv, enum e2lazy_mend_phase phase,
			       uint64_t done, uint64_t total)
{
	return ck_progress(priv, phase == E2LAZY_MEND_OWNERS ? PHASE_INODES :
			   PHASE_VERIFY, done, total);
}

static errcode_t note_kept(void *priv, uint64_t done, uint64_t total)
{
	return ck_progress(priv, PHASE_READ, done, total);
}

/* ------------------------------------------------------------- findings */

static size_t number_of(const struct e2lazy_problem *problem)
{
	size_t count;

	return problem - e2lazy_problems(&count);
}

static void note_found(void *priv, const struct e2lazy_finding *finding)
{
	struct ck *ck = priv;

	ck->found[number_of(finding->problem)].finding = *finding;
}

static bool add_place(struct ck_places *to, const struct e2lazy_where *where)
{
	struct ck_place *at = grow(to->at, to->count, &to->room, sizeof(*at));

	if (!at)
		return false;
	to->at = at;
	at[to->count++] = (struct ck_place){
		.fsblk = where->fsblk, .logblk = where->logblk,
		.tid = where->tid, .has = where->has,
	};
	return true;
}

static bool add_block(struct ck_blocks *to, blk64_t fsblk)
{
	blk64_t *at = grow(to->at, to->count, &to->room, sizeof(*at));

	if (!at)
		return false;
	to->at = at;
	at[to->count++] = fsblk;
	return true;
}

/* The blocks that a checkpoint leaves as they are for this problem's sake. */
static struct ck_blocks *kept_blocks(struct ck *ck, const char *id)
{
	if (!strcmp(id, "data-csum") || !strcmp(id, "unreadable"))
		return &ck->unwritable;
	return strcmp(id, "copy-of-data") ? NULL : &ck->data;
}

static void note_place(void *priv, const struct e2lazy_problem *problem,
		       errcode_t error, const struct e2lazy_where *where)
{
	struct ck *ck = priv;
	struct ck_places *places = &ck->found[number_of(problem)].places;
	struct ck_blocks *kept = kept_blocks(ck, problem->id);

	(void)error;
	if (where->has && (ck->verbose || places->count < CK_PLACES_SHOWN) &&
	    !add_place(places, where))
		ck->no_memory = true;
	if (kept && where->has & E2LAZY_AT_FSBLK &&
	    !add_block(kept, where->fsblk))
		ck->no_memory = true;
}

static int by_number(const void *a, const void *b)
{
	const blk64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void sort_blocks(struct ck_blocks *blocks)
{
	if (blocks->count)
		qsort(blocks->at, blocks->count, sizeof(*blocks->at),
		      by_number);
}

/* The log is read once for all that follows, if the memory suffices. */
static errcode_t find(struct ck *ck, const struct e2lazy_verify_opts *opts)
{
	struct session *s = ck->s;
	const struct e2lazy_subject subject = {
		.journal = s->journal, .map = s->map, .layout = s->layout,
		.view = s->view,
	};
	errcode_t err = 0;

	if (s->view && !ck->quick)
		err = e2lazy_view_keep(s->view, ck->memory, note_kept, ck);
	return err ? err : e2lazy_verify(&subject, opts);
}

static bool make_room(struct ck *ck)
{
	e2lazy_problems(&ck->nr_problems);
	ck->found = calloc(ck->nr_problems, sizeof(*ck->found));
	if (!ck->found)
		session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
	return ck->found;
}

bool ck_find(struct ck *ck)
{
	struct session *s = ck->s;
	const struct e2lazy_verify_opts opts = {
		.flags = ck->quick ? 0 : E2LAZY_VERIFY_CONTENT,
		.found = note_found,
		.place = note_place,
		.progress = note_progress,
		.priv = ck,
	};
	errcode_t err;

	if (!make_room(ck))
		return false;
	err = find(ck, &opts);
	if (s->progress.phase != PHASE_NONE)
		progress_end(&s->progress);
	if (!err && ck->no_memory)
		err = EXT2_ET_NO_MEMORY;
	if (err)
		session_fail(s, err, NULL);
	sort_blocks(&ck->unwritable);
	sort_blocks(&ck->data);
	return !err;
}

/* Of an error that the table has in other words, its own say more. */
bool ck_find_unopened(struct ck *ck)
{
	const struct finding *why = &ck->s->unopened;
	const struct e2lazy_problem *p = e2lazy_problem_of(why->error);
	struct e2lazy_finding finding = { .problem = p, .count = 1 };

	if (!p || !make_room(ck))
		return false;
	finding.first = why->where;
	if (strcmp(p->text, error_message(why->error)))
		finding.error = why->error;
	note_found(ck, &finding);
	note_place(ck, p, why->error, &why->where);
	if (ck->no_memory)
		session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
	return !ck->no_memory;
}

void ck_free_findings(struct ck *ck)
{
	for (size_t i = 0; ck->found && i < ck->nr_problems; i++)
		free(ck->found[i].places.at);
	free(ck->found);
	free(ck->unwritable.at);
	free(ck->data.at);
}

/* ------------------------------------------------- what follows from it */

bool ck_pending(const struct ck *ck)
{
	return ck->s->geo->start || ck->s->geo->needs_recovery;
}

static bool is_among(const struct ck_blocks *blocks, blk64_t fsblk)
{
	return blocks->count &&
	       bsearch(&fsblk, blocks->at, blocks->count, sizeof(fsblk),
		       by_number);
}

/* Past its end an image file would grow. */
bool ck_left_out(void *priv, const struct e2lazy_copy *copy)
{
	const struct ck *ck = priv;

	return copy->fsblk >= ck->s->geo->device_blocks ||
	       is_among(&ck->unwritable, copy->fsblk) ||
	       (!ck->data_journal && is_among(&ck->data, copy->fsblk));
}
