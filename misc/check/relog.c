/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * relog.c - logs live copies again: --clean --forward and --compact
 */
#include "ck.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

static const struct sheet_row plan_rows[] = {
	{ NULL, N_("Plan"), "" },
	{ N_("logs again"), N_("copies: %llu, in log blocks: %llu; rounds: "
			       "%llu"), "copies log_blocks rounds" },
	{ N_("mount reads"), N_("control blocks: %llu now, %llu afterwards"),
	  "control_before control_after" },
	{ N_("free blocks"), N_("%llu of the log now, %llu afterwards"),
	  "free_before free_after" },
	{ 0 }
};

static const struct e2lazy_tail *tail_of(const struct ck *ck)
{
	return ck->clean ? &ck->tail : NULL;
}

static void print_plan(struct ck *ck, const struct e2lazy_relog *r)
{
	struct sheet plan, *sheet = &plan;

	print_sheet(&ck->s->print, sheet);
	sheet_section(sheet, "plan", JSON_SPREAD);
	sheet_bool(sheet, "fits", r->fits);
	sheet_absent(sheet, !r->fits);
	sheet_u64(sheet, "copies", r->copies);
	sheet_u64(sheet, "log_blocks", r->blocks);
	sheet_u64(sheet, "rounds", r->rounds);
	sheet_u64(sheet, "control_before", r->control_before);
	sheet_u64(sheet, "control_after", r->control_after);
	sheet_u64(sheet, "free_before", r->free_before);
	sheet_u64(sheet, "free_after", r->free_after);
	sheet_absent(sheet, false);
	ck_sheet_tail(ck, sheet);
	sheet_end(sheet, plan_rows);
}

/* False if there is no room. */
static bool plan(struct ck *ck)
{
	const struct e2lazy_subject subject = opened_subject(ck->s->log);
	struct e2lazy_relog r;
	errcode_t err = e2lazy_relog_plan(&subject, tail_of(ck), &r);

	if (err) {
		session_fail(ck->s, err, NULL);
		return false;
	}
	if (ck->plan || ck->verbose || ck->s->print.json_wanted)
		print_plan(ck, &r);
	if (!r.fits)
		session_complain(ck->s, FSCK_LEFT,
				 _("no room: %u log blocks are needed at a "
				   "time, and %u are free; --checkpoint or "
				   "--clean makes room"), r.needed, r.room);
	return r.fits;
}

static errcode_t note_locked(void *priv)
{
	return cancelled() ? E2LAZY_ET_CANCELLED : ck_still_may_write(priv);
}

static void json_done(struct ck *ck, const struct e2lazy_checkpoint_done *d)
{
	struct json *json = &ck->s->print.json;

	json_object(json, "relog", JSON_SPREAD);
	json_bool(json, "done", d->sealed);
	json_u64(json, "log_blocks", d->blocks_written);
	json_u64(json, "rounds", d->passes);
	json_end(json);
	ck->told_done = true;
}

/* Whatever ends it, the log is whole. */
static void tell(struct ck *ck, errcode_t err, const struct e2lazy_where *where,
		 const struct e2lazy_checkpoint_done *d)
{
	struct session *s = ck->s;

	if (err)
		session_fail(s, err, where);
	if (err && !d->begun)
		session_complain(s, 0, _("nothing was written"));
	else if (err && !d->sealed)
		session_complain(s, 0, _("the log is whole; run it again to "
					 "finish"));
	if (d->sealed)
		session_complain(s, FSCK_CORRECTED,
				 _("logged again: %llu log blocks, rounds: "
				   "%u; the old copies are freed"),
				 (unsigned long long)d->blocks_written,
				 d->passes);
}

static void relog(struct ck *ck)
{
	const struct e2lazy_watch watch = session_watch(ck->s);
	const struct e2lazy_checkpoint_opts opts = {
		.locked = note_locked, .priv = ck, .watch = &watch,
		.tail = tail_of(ck),
	};
	struct e2lazy_checkpoint_done done = { 0 };
	struct e2lazy_where where = { .has = 0 };
	errcode_t err;

	out_flush(&ck->s->print.out);
	ck_tell_mmp(ck);
	err = e2lazy_relog(ck->s->log->view, ck->verdict, &opts, &done,
			   &where);
	if (ck->s->print.progress.phase != PHASE_NONE)
		progress_end(&ck->s->print.progress);
	if (ck->s->print.json_wanted)
		json_done(ck, &done);
	tell(ck, err, &where, &done);
}

void ck_relog(struct ck *ck)
{
	bool consent = ck_consent(ck), fits = plan(ck);

	if (ck->plan) {
		ck_tell_findings(ck);
		ck_tell_verdict(ck);
	} else if (consent && fits) {
		relog(ck);
	}
}
