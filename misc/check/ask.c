/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ask.c - the questions before the log is written back
 *
 * Each kind of damage is one question; the places of the damage come before
 * it.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "ck.h"
#include "states/states.h"
#include "support/nls.h"
#include "support/status.h"

/* e2fsck's verdict is a question, too, like a problem of the table. */
struct question {
	const char	*id;
	const char	*member;	/* its name in JSON; NULL: @id */
	const char	*text;		/* the problem, translated; or NULL */
	const char	*question;
	const struct ck_found *found;	/* NULL: it has no places */
	bool		another;	/* a second question follows a no */
};

/* -------------------------------------------------------------- terminal */

/* Print the places: " blocks 10001, 10002 (and 3 more)". */
static void show_places(const struct ck_found *found)
{
	const struct ck_places *places = &found->places;
	size_t shown = places->count < CK_PLACES_SHOWN ? places->count :
							 CK_PLACES_SHOWN;

	for (size_t i = 0; i < shown; i++) {
		const struct ck_place *p = &places->at[i];
		const char *comma = "  ";

		if (p->has & E2LAZY_AT_FSBLK) {
			fprintf(stderr, _("%sblock %llu"), comma,
				(unsigned long long)p->fsblk);
			comma = ", ";
		}
		if (p->has & E2LAZY_AT_LOGBLK) {
			fprintf(stderr, _("%slog block %u"), comma, p->logblk);
			comma = ", ";
		}
		if (p->has & E2LAZY_AT_TID)
			fprintf(stderr, _("%stransaction %u"), comma, p->tid);
		if (p->has & E2LAZY_AT_AGE)
			fprintf(stderr, P_(", %u transaction older",
					   ", %u transactions older", p->age),
				p->age);
		fputc('\n', stderr);
	}
	if (shown && found->finding.count > shown)
		fprintf(stderr, _("  and %llu more\n"),
			(unsigned long long)(found->finding.count - shown));
}

/* A signal that comes between the question and the wait for it counts too. */
static bool wait_for_input(void)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	sigset_t stop, before;
	bool ready;

	sigemptyset(&stop);
	for (unsigned i = 0; i < STATUS_NR_SIGNALS; i++)
		sigaddset(&stop, status_signals[i]);
	sigprocmask(SIG_BLOCK, &stop, &before);
	ready = !cancelled() && ppoll(&input, 1, NULL, &before) > 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ready && !cancelled();
}

/* The first letter of a line; 0 at the end of input or when cancelled. */
static char read_answer(void)
{
	char c, first = 0;

	for (;;) {
		if (!wait_for_input() || read(STDIN_FILENO, &c, 1) != 1)
			return 0;
		if (c == '\n')
			return first ? first : ' ';
		if (!first)
			first = c;
	}
}

static bool ask_terminal(const struct question *q)
{
	char answer;

	if (q->text)
		fprintf(stderr, "%s: %s\n", q->id, q->text);
	if (q->found)
		show_places(q->found);
	do {
		fprintf(stderr, _("%s (y/n) "), q->question);
		fflush(stderr);
		answer = read_answer();
	} while (answer && !strchr("yYnN", answer) && !cancelled());
	if (!answer)
		fputc('\n', stderr);
	return (answer == 'y' || answer == 'Y') && !cancelled();
}

/* ------------------------------------------------------------- answering */

static bool has_terminal(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* An unasked question has the answer null. */
static void record(struct ck *ck, const struct question *q, bool asked,
		   bool yes)
{
	struct session *s = ck->s;

	if (!s->print.json_wanted) {
		if (asked)
			out_format(&s->print.out, "%s: %s %s\n", q->id,
				   q->question, yes ? _("yes") : _("no"));
		return;
	}
	json_object(&s->print.json, NULL, JSON_INLINE);
	json_string(&s->print.json, "id", q->member ? q->member : q->id);
	json_string(&s->print.json, "question", q->question);
	if (asked)
		json_bool(&s->print.json, "yes", yes);
	else
		json_null(&s->print.json, "yes");
	json_end(&s->print.json);
}

static bool decline(struct ck *ck, const struct question *q, const char *why)
{
	record(ck, q, false, false);
	session_complain(ck->s, FSCK_LEFT, "%s: %s", q->id, why);
	return false;
}

/* Does the run ask on a terminal? */
static bool asks_terminal(const struct ck *ck)
{
	return ck->answers == CK_TERMINAL && !ck->plan && has_terminal();
}

static bool ask(struct ck *ck, const struct question *q)
{
	bool yes = ck->answers == CK_YES;

	if (ck->answers == CK_PREEN)
		return decline(ck, q, _("-p does not answer questions, so "
					"nothing is written"));
	if (ck->answers == CK_TERMINAL && !asks_terminal(ck))
		return decline(ck, q, ck->plan ?
			       ck->restore ? _("--restore-log asks about it") :
			       _("--checkpoint asks about it") :
			       _("the question needs a terminal; give -y, -n "
				 "or -p"));
	out_flush(&ck->s->print.out);
	if (ck->answers == CK_TERMINAL) {
		yes = ask_terminal(q);
		if (cancelled())
			return false;
	}
	record(ck, q, true, yes);
	if (!yes && !q->another)
		session_complain(ck->s, FSCK_LEFT,
				 _("%s: the answer is not yes, so nothing is "
				   "written"), q->id);
	return yes;
}

/* ---------------------------------------------------------- all of them */

bool ck_is_refused(const struct ck *ck)
{
	for (size_t i = 0; i < ck->nr_problems; i++)
		if (ck->found[i].finding.count &&
		    ck->found[i].finding.problem->consent == E2LAZY_REFUSE)
			return true;
	return false;
}

static bool is_refused(struct ck *ck)
{
	bool refused = false;

	for (size_t i = 0; i < ck->nr_problems; i++) {
		const struct e2lazy_finding *f = &ck->found[i].finding;

		if (!f->count || f->problem->consent != E2LAZY_REFUSE)
			continue;
		refused = true;
		session_complain(ck->s, FSCK_LEFT,
				 ck->restore ?
				 _("%s: the log cannot be restored: %s") :
				 _("%s: the log cannot be written back: %s"),
				 f->problem->id, _(diagnosis_of(f->problem)->meaning));
	}
	return refused;
}

static bool ask_about(struct ck *ck, struct ck_found *found)
{
	const struct diagnosis *row = diagnosis_of(found->finding.problem);
	const struct question question = {
		row->problem->id, NULL, _(row->text), _(row->question), found,
		row->second && asks_terminal(ck),
	};

	if (ask(ck, &question))
		return ck_answer(ck, found, E2LAZY_YES);
	if (!question.another || cancelled())
		return false;
	return ask(ck, &(struct question){ .id = row->problem->id,
					   .question = _(row->second) }) &&
	       ck_answer(ck, found, E2LAZY_OTHERWISE);
}

/* The first no ends the questions; a plan shows them all. */
static bool ask_all(struct ck *ck)
{
	bool consent = true;

	for (size_t i = 0; (consent || ck->plan) && i < ck->nr_problems; i++) {
		struct ck_found *found = &ck->found[i];

		if (found->finding.count && !found->answer &&
		    found->finding.problem->consent == E2LAZY_ASK)
			consent &= ask_about(ck, found);
	}
	if (ck->fsck_status > 0 && (consent || ck->plan))
		consent &= ask(ck, &(struct question){
			"e2fsck", NULL, ck->fsck_status & FSCK_ERROR ?
			_("e2fsck could not check the file system as the log "
			  "defines it") :
			_("e2fsck finds errors in the file system as the log "
			  "defines it"),
			_("Write the log back anyway?"), NULL, false });
	return consent;
}

bool ck_ask(struct ck *ck, const char *id, const char *member,
	    const char *question)
{
	const struct question q = { .id = id, .member = member,
				    .question = question };
	struct json *json = print_json(&ck->s->print);
	bool yes;

	if (json)
		json_array(json, member, JSON_SPREAD);
	yes = ask(ck, &q);
	if (json)
		json_end(json);
	return yes && !cancelled();
}

bool ck_consent(struct ck *ck)
{
	struct session *s = ck->s;
	bool consent;

	if (ck->agreed)
		return !cancelled();
	if (s->print.json_wanted)
		json_array(&s->print.json, "questions", JSON_SPREAD);
	consent = ((!ck->clean && !ck->compact) || ck_is_sound(ck)) &&
		  !is_refused(ck) && ask_all(ck);
	if (s->print.json_wanted)
		json_end(&s->print.json);
	ck->agreed = consent;
	return consent && !cancelled();
}
