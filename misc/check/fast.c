/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fast.c - makes a transaction of waiting fast commits, before all other work
 *
 * The log is judged anew afterwards, like in a second run, but without a report,
 * and with the answers of this one.
 */
#include <string.h>

#include "ck.h"
#include "support/nls.h"
#include "support/status.h"

static const struct sheet_row plan_rows[] = {
	{ NULL, N_("Fast commits"), "" },
	{ N_("records"), N_("%llu become transaction %llu; copies: %llu, log "
			    "blocks: %llu"), "records tid copies log_blocks" },
	{ N_("room"), PN_("%llu free log block", "%llu free log blocks"),
	  "#room" },
	{ "", N_("transactions that go home first: %llu"),
	  "?frees transactions" },
	{ "", N_("the rest of the plan is without that transaction"),
	  "records ?.planned" },
	{ N_("clears"), PN_("%llu record that does not count",
			    "%llu records that do not count"), "#cleared" },
	{ 0 }
};

/* Of fast commits that wait, if @p has any, or of those that are cleared. */
static void print_plan(struct ck *ck, const struct e2lazy_fast_plan *p,
		       uint64_t cleared)
{
	struct sheet plan, *sheet = &plan;

	print_sheet(&ck->s->print, sheet);
	sheet_section(sheet, "fast_commits", JSON_SPREAD);
	sheet_absent(sheet, !p->records);
	sheet_bool(sheet, "fits", p->fits || p->tail.txns);
	sheet_u64(sheet, "records", p->records);
	sheet_u64(sheet, "tid", p->tid);
	sheet_u64(sheet, "copies", p->copies);
	sheet_u64(sheet, "log_blocks", p->blocks);
	sheet_u64(sheet, "room", p->room);
	sheet_absent(sheet, !p->tail.txns);
	sheet_u64(sheet, "frees", p->tail.blocks);
	sheet_u64(sheet, "transactions", p->tail.txns);
	sheet_absent(sheet, false);
	sheet_bool(sheet, ".planned", ck->plan);
	sheet_known(sheet, "cleared", cleared);
	sheet_end(sheet, plan_rows);
}

void ck_plan_void(struct ck *ck)
{
	const struct e2lazy_fast_plan none = { .records = 0 };
	uint64_t records = e2lazy_verdict_void_fast(ck->verdict);

	if (!records || (!ck->clean && !ck->compact) ||
	    !e2lazy_verdict_is_sound(ck->verdict) ||
	    (!ck->plan && !ck->verbose && !ck->s->print.json_wanted))
		return;
	print_plan(ck, &none, records);
}

/* False if there is no room, or the log forbids it. */
static bool plan(struct ck *ck, struct e2lazy_fast_plan *p)
{
	errcode_t err = e2lazy_fast_plan(ck->verdict, p);

	if (err) {
		session_fail(ck->s, err, NULL);
		return false;
	}
	if (p->wraps) {
		session_complain(ck->s, FSCK_LEFT,
				 _("the transaction of the fast commits would "
				   "make the log wrap, and e2fsck loses such a "
				   "log; nothing is written; a mount replays "
				   "them"));
		return false;
	}
	if (p->fits || p->tail.txns)
		return true;
	session_complain(ck->s, FSCK_LEFT,
			 _("the fast commits need %u log blocks, and %u are "
			   "free; nothing is written"), p->blocks, p->room);
	return false;
}

bool ck_plan_fast(struct ck *ck)
{
	struct e2lazy_fast_plan p;

	if (!ck_fast_waits(ck) || ck_is_refused(ck))
		return true;
	if (!plan(ck, &p))
		return false;
	print_plan(ck, &p, 0);
	return true;
}

static errcode_t note_locked(void *priv)
{
	return cancelled() ? E2LAZY_ET_CANCELLED : ck_still_may_write(priv);
}

static bool failed(struct ck *ck, errcode_t err,
		   const struct e2lazy_where *where,
		   const struct e2lazy_checkpoint_done *done)
{
	session_fail(ck->s, err, where);
	session_complain(ck->s, 0, done->begun ?
			 _("the log and the fast commits are kept; run it "
			   "again to finish") : _("nothing was written"));
	return false;
}

/* Free the oldest transactions, or make one of the fast commits. */
static bool write_one(struct ck *ck, const struct e2lazy_fast_plan *p)
{
	const struct e2lazy_watch watch = session_watch(ck->s);
	struct e2lazy_checkpoint_opts opts = {
		.memory = ck->memory, .locked = note_locked, .priv = ck,
		.watch = &watch, .tail = p->fits ? NULL : &p->tail,
	};
	struct e2lazy_checkpoint_done done;
	struct e2lazy_where where;
	struct session *s = ck->s;
	errcode_t err;

	out_flush(&s->print.out);
	ck->undo_blocks = p->fits ? p->blocks : 0;
	if (ck->undo && !ck_begin_undo(ck, &opts.keeper))
		return false;
	ck_tell_mmp(ck);
	if (p->fits)
		err = e2lazy_fast_log(s->log->view, ck->verdict, &opts, &done,
				      &where);
	else
		err = e2lazy_checkpoint(s->log->view, ck->verdict, &opts,
					&done, &where);
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	ck->undo_blocks = 0;
	if (ck->undo)
		ck_end_undo(ck, &done);
	if (err)
		return failed(ck, err, &where, &done);
	if (p->fits)
		session_complain(s, FSCK_CORRECTED,
				 P_("%u fast-commit record is now transaction "
				    "%u of the log",
				    "%u fast-commit records are now "
				    "transaction %u of the log", p->records),
				 p->records, p->tid);
	return true;
}

/* The new judgement does not find it any more. */
static void tell_given_up(struct ck *ck)
{
	for (size_t i = 0; i < ck->nr_problems; i++)
		if (ck->found[i].finding.count &&
		    !strcmp(ck->found[i].finding.problem->id,
			    "fast-commits-cut"))
			session_complain(ck->s, FSCK_LEFT,
					 _("fast-commits-cut: the fast commits "
					   "behind the damage are given up; "
					   "run e2fsck -f"));
}

bool ck_log_fast(struct ck *ck)
{
	struct e2lazy_fast_plan p;

	tell_given_up(ck);
	for (unsigned i = 0; i < 2 && ck_fast_waits(ck); i++) {
		if (!plan(ck, &p))
			return false;
		if (!i && (ck->verbose || ck->s->print.json_wanted))
			print_plan(ck, &p, 0);
		if (!write_one(ck, &p) || !ck_judge_again(ck))
			return false;
	}
	return !ck_fast_waits(ck);
}
