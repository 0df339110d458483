/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * find.c - collects the library's findings
 */
#include <stdlib.h>
#include <string.h>

#include "ck.h"
#include "io/grow.h"
#include "states/states.h"
#include "support/status.h"

/* ------------------------------------------------------------- findings */

static size_t number_of(const struct e2lazy_problem *problem)
{
	size_t count;

	return problem - e2lazy_problems(&count);
}

static void take_finding(struct ck *ck, const struct e2lazy_finding *finding)
{
	ck->found[number_of(finding->problem)].finding = *finding;
}

static void take_findings(struct ck *ck)
{
	const struct e2lazy_finding *f;

	for (size_t i = 0; (f = e2lazy_verdict_finding(ck->verdict, i)); i++)
		take_finding(ck, f);
}

static bool add_place(struct ck_places *to, const struct e2lazy_where *where)
{
	struct ck_place *at = grow(to->at, to->count, &to->room, sizeof(*at));

	if (!at)
		return false;
	to->at = at;
	at[to->count++] = (struct ck_place){
		.fsblk = where->fsblk, .logblk = where->logblk,
		.tid = where->tid, .age = where->age, .has = where->has,
	};
	return true;
}

static errcode_t note_place(void *priv, const struct e2lazy_problem *problem,
			    errcode_t error, const struct e2lazy_where *where)
{
	struct ck *ck = priv;
	struct ck_places *places = &ck->found[number_of(problem)].places;

	(void)error;
	if (!where->has || (!ck->verbose && places->count >= CK_PLACES_SHOWN))
		return 0;
	return add_place(places, where) ? 0 : EXT2_ET_NO_MEMORY;
}

/* If the memory suffices, the log is read once for all later steps. */
static errcode_t find(struct ck *ck, const struct e2lazy_verify_opts *opts)
{
	struct session *s = ck->s;
	const struct e2lazy_subject subject = opened_subject(s->log);
	errcode_t err = 0;

	if (s->log->view && !ck->quick)
		err = e2lazy_view_keep(s->log->view, ck->memory, opts->watch);
	if (!err)
		err = e2lazy_verify(&subject, opts, &ck->verdict);
	/* A checkpoint that shows no plan does not need the count of copies
	   in place. */
	e2lazy_home_free(&ck->home);
	if (!err && s->log->view && s->log->geo->start && !ck->quick &&
	    (ck_shows_plan(ck) || ck->restore || !ck->checkpoint))
		err = e2lazy_home(&subject, opts->watch, &ck->home);
	return err;
}

static bool make_room(struct ck *ck)
{
	e2lazy_problems(&ck->nr_problems);
	ck->found = calloc(ck->nr_problems, sizeof(*ck->found));
	if (!ck->found)
		session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
	return ck->found;
}

/* A checkpoint needs no superseded copy, so it does not verify them. */
static unsigned verify_flags(const struct ck *ck)
{
	if (ck->quick)
		return 0;
	if (ck->restore)	/* a replay stops at bad superseded copies */
		return E2LAZY_VERIFY_CONTENT | E2LAZY_VERIFY_SUPERSEDED |
		       E2LAZY_VERIFY_RESTORE;
	return E2LAZY_VERIFY_CONTENT | (ck->until ? E2LAZY_VERIFY_UNTIL : 0) |
	       (ck->checkpoint || ck->plan ? 0 : E2LAZY_VERIFY_SUPERSEDED);
}

bool ck_find(struct ck *ck)
{
	struct session *s = ck->s;
	const struct e2lazy_watch watch = session_watch(s);
	const struct e2lazy_verify_opts opts = {
		.flags = verify_flags(ck),
		.place = note_place,
		.priv = ck,
		.watch = &watch,
	};
	errcode_t err;

	if (!make_room(ck))
		return false;
	err = find(ck, &opts);
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	if (err)
		session_fail(s, err, NULL);
	else
		take_findings(ck);
	return !err;
}

/* The text of the error tells more than the title of the problem. */
bool ck_find_unopened(struct ck *ck)
{
	const struct finding *why = &ck->s->log->unopened;
	const struct e2lazy_problem *p = e2lazy_problem_of(why->error);
	struct e2lazy_finding finding = { .problem = p, .count = 1 };
	errcode_t err;

	if (!p || !make_room(ck))
		return false;
	finding.first = why->where;
	if (strcmp(diagnosis_of(p)->text, error_message(why->error)))
		finding.error = why->error;
	take_finding(ck, &finding);
	err = note_place(ck, p, why->error, &why->where);
	if (err)
		session_fail(ck->s, err, NULL);
	return !err;
}

void ck_free_findings(struct ck *ck)
{
	for (size_t i = 0; ck->found && i < ck->nr_problems; i++)
		free(ck->found[i].places.at);
	free(ck->found);
	e2lazy_verdict_free(ck->verdict);
	e2lazy_home_free(&ck->home);
	ck->found = NULL;
	ck->verdict = NULL;
}

/* ------------------------------------------------- what follows from it */

bool ck_pending(const struct ck *ck)
{
	const struct e2lazy_geometry *g = ck->s->log->geo;

	return g->start || g->needs_recovery || g->super_torn;
}
