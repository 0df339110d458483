/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * judge.c - judges the log of an open device, and once more after a write
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ck.h"
#include "support/nls.h"
#include "support/status.h"

/*
 * If the superblock's copy in the log is bad there is no view.  That is a
 * finding; the layout then comes from the superblock in place.
 */
static bool see_through(struct ck *ck)
{
	const unsigned logged = E2LAZY_AT_FSBLK | E2LAZY_AT_LOGBLK;
	struct session *s = ck->s;
	struct e2lazy_where where = { .has = 0 };
	errcode_t err = session_try_view(s, &where);

	if (!err)
		return session_layout(s);
	if (s->log->geo->super_torn)
		err = EXT2_ET_SB_CSUM_INVALID;
	else if ((where.has & logged) == logged &&
		 where.fsblk == 1024 / s->log->geo->blocksize)
		err = e2lazy_layout_build(s->log->journal, NULL,
					  &s->log->layout, &where);
	if (err)
		session_fail(s, err, &where);
	return !err;
}

unsigned judge_flags(const struct ck *ck)
{
	unsigned flags = E2LAZY_JMAP_STATES | E2LAZY_JMAP_CSUMS;

	if (ck->stop_at_damage || ck->restore)
		return flags;
	return flags | E2LAZY_JMAP_BEHIND |
	       (ck->quick ? 0 : OPENED_RECOVER);
}

bool ck_answer(struct ck *ck, struct ck_found *found,
	       enum e2lazy_answer answer)
{
	errcode_t err = e2lazy_verdict_answer(ck->verdict,
					      found->finding.problem, answer);

	found->answer = answer;
	if (err)
		session_fail(ck->s, err, NULL);
	return !err;
}

struct ck_found *ck_found_of(struct ck *ck, const char *id)
{
	for (size_t i = 0; i < ck->nr_problems; i++)
		if (ck->found[i].finding.count &&
		    !strcmp(ck->found[i].finding.problem->id, id))
			return &ck->found[i];
	return NULL;
}

/* --data-journal answers the questions whether copies are contents. */
static bool answer_by_option(struct ck *ck)
{
	static const struct {
		const char	*id;
		enum e2lazy_answer answer;
	} answers[] = {
		{ "copy-of-data",	E2LAZY_OTHERWISE },
		{ "data-before-lazy",	E2LAZY_OTHERWISE },
		{ "data-before-damage",	E2LAZY_OTHERWISE },
		{ "tag-not-proven",	E2LAZY_YES },
	};
	bool good = true;

	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		struct ck_found *found = ck_found_of(ck, answers[i].id);

		if (ck->data_journal && found)
			good = ck_answer(ck, found, answers[i].answer) && good;
	}
	return good;
}

bool ck_look(struct ck *ck)
{
	struct session *s = ck->s;

	return session_build(s, judge_flags(ck), false) && session_look(s) &&
	       see_through(ck) && ck_find(ck) && answer_by_option(ck);
}

bool ck_drops_any(struct ck *ck)
{
	if (ck_found_of(ck, "dropped-transactions") ||
	    ck_found_of(ck, "dropped-unknown"))
		return true;
	session_complain(ck->s, FSCK_ERROR,
			 _("transaction %u is the last one of the log, so "
			   "--until-tid drops nothing"),
			 ck->s->source.limits.until);
	return false;
}

/* ------------------------------------------------------------- once more */

static bool identity(const struct ck *ck, struct stat *st)
{
	const struct e2lazy_journal *j = ck->s->log->journal;

	return !fstat(e2lazy_device(j, E2LAZY_FILE_SYSTEM)->fd, st);
}

/* The name may mean another device by now. */
static bool open_again(struct ck *ck)
{
	struct session *s = ck->s;
	struct stat before, now;
	bool known = identity(ck, &before);

	opened_free(s->log);
	memset(s->log, 0, sizeof(*s->log));
	if (!session_open(s))
		return false;
	if (known && identity(ck, &now) && now.st_dev == before.st_dev &&
	    now.st_ino == before.st_ino)
		return true;
	session_fail(s, E2LAZY_ET_CHANGED, NULL);
	return false;
}

/* Give the same answers to the same questions. */
static bool answer_again(struct ck *ck, const struct ck_found *before)
{
	for (size_t i = 0; i < ck->nr_problems; i++) {
		struct ck_found *f = &ck->found[i];

		if (!f->finding.count || !before[i].answer)
			continue;
		if (!ck_answer(ck, f, before[i].answer))
			return false;
	}
	return true;
}

static bool judge_again(struct ck *ck, const struct ck_found *before)
{
	struct session *s = ck->s;

	if (!open_again(ck) || !ck_look(ck))
		return false;
	if (answer_again(ck, before) && s->log->view &&
	    !e2lazy_verdict_open(ck->verdict))
		return true;
	session_complain(s, FSCK_LEFT, _("the log asks a new question; run it "
					 "again to finish"));
	return false;
}

bool ck_look_again(struct ck *ck)
{
	ck_free_findings(ck);
	e2lazy_home_free(&ck->home);
	return open_again(ck) && ck_look(ck);
}

bool ck_judge_again(struct ck *ck)
{
	struct ck_found *before = ck->found;
	size_t nr = ck->nr_problems;
	bool good;

	ck->found = NULL;
	ck_free_findings(ck);
	good = judge_again(ck, before);
	for (size_t i = 0; i < nr; i++)
		free(before[i].places.at);
	free(before);
	return good;
}

bool ck_fast_waits(const struct ck *ck)
{
	struct e2lazy_fast_plan p;

	return e2lazy_fast_plan(ck->verdict, &p) || p.records;
}
