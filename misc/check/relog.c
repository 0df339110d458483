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
	{ N_("drops"), N_("copies that are in place: %llu"),
	  "?.drops dropped" },
	{ N_("mount reads"), N_("control blocks: %llu now, %llu afterwards"),
	  "control_before control_after" },
	{ N_("free blocks"), N_("%llu of the log now, %llu afterwards"),
	  "free_before free_after" },
	{ N_("reads"), N_("%s of the log"), "read_bytes" },
	{ N_("bands written"), N_("%llu of %s"),
	  "?band_bytes bands band_bytes" },
	{ N_("replay"), N_("writes blocks: %llu now, %llu afterwards"),
	  "replay_before replay_after" },
	{ "", N_("band changes: %llu"), "?band_bytes replay_bands" },
	{ N_("undo file"), N_("%s of blocks, read before the first write"),
	  "?.undo undo_bytes" },
	{ N_("throughput"), N_("%s a second, %s"),
	  "throughput_bytes .source" },
	{ "", N_("measured through the page cache; may be too high"),
	  "throughput_bytes ?.cached" },
	{ N_("time"), N_("%.1f s; replay %.1f s now, %.1f s afterwards"),
	  "seconds replay_seconds_before replay_seconds_after" },
	{ 0 }
};

static const struct e2lazy_tail *tail_of(const struct ck *ck)
{
	return ck->clean ? &ck->tail : NULL;
}

/* The library's plan, and the drive model's view of its writes. */
struct planned {
	struct e2lazy_relog relog;
	struct ck_speed	speed;
	struct e2lazy_band_writes writes, replay;
};

/*
 * The two superblocks, cleared fast commits, each log block written, and those
 * that are cleared behind them.
 */
static uint64_t undo_blocks(const struct ck *ck, const struct e2lazy_relog *r)
{
	const struct e2lazy_geometry *g = ck->s->log->geo;
	uint32_t ring = g->end - g->first;

	return 1 + !g->needs_recovery +
	       (e2lazy_verdict_void_fast(ck->verdict) != 0) +
	       (r->blocks < ring ? r->blocks : ring) + r->cleared_behind;
}

static void costs(const struct ck *ck, struct sheet *sheet,
		  const struct planned *p)
{
	const struct e2lazy_relog *r = &p->relog;
	bool external = ck->s->log->geo->external;

	sheet_u64(sheet, "read_bytes", r->read_bytes);
	sheet_u64(sheet, "write_bytes", r->write_bytes);
	sheet_u64(sheet, "replay_before", r->replay_before);
	sheet_u64(sheet, "replay_after", r->replay_after);
	sheet_bool(sheet, ".undo", ck->undo != NULL);
	sheet_u64(sheet, "undo_bytes", undo_blocks(ck, r) *
		  ck->s->log->geo->blocksize);
	sheet_u64(sheet, "replay_bands", p->replay.changes);
	sheet_absent(sheet, !r->fits || external);
	sheet_u64(sheet, "band_bytes", external ? 0 : ck->band);
	sheet_u64(sheet, "bands", p->writes.changes);
	sheet_absent(sheet, !r->fits || !p->speed.rate);
	sheet_u64(sheet, "throughput_bytes", p->speed.rate);
	sheet_real(sheet, "seconds", r->seconds);
	sheet_real(sheet, "replay_seconds_before", r->replay_seconds_before);
	sheet_real(sheet, "replay_seconds_after", r->replay_seconds_after);
}

static void print_plan(struct ck *ck, const struct planned *p)
{
	const struct e2lazy_relog *r = &p->relog;
	struct sheet plan, *sheet = &plan;

	print_sheet(&ck->s->print, sheet);
	sheet_section(sheet, "plan", JSON_SPREAD);
	sheet_bool(sheet, "fits", r->fits);
	sheet_bool(sheet, "wraps", r->wraps);
	sheet_absent(sheet, !r->fits);
	sheet_u64(sheet, "copies", r->copies);
	sheet_u64(sheet, "log_blocks", r->blocks);
	sheet_u64(sheet, "rounds", r->rounds);
	sheet_u64(sheet, "control_before", r->control_before);
	sheet_u64(sheet, "control_after", r->control_after);
	sheet_u64(sheet, "free_before", r->free_before);
	sheet_u64(sheet, "free_after", r->free_after);
	sheet_u64(sheet, "dropped", r->dropped);
	sheet_bool(sheet, ".drops", ck->freeze_ready);
	costs(ck, sheet, p);
	sheet_absent(sheet, false);
	ck_sheet_speed(sheet, &p->speed);
	ck_sheet_tail(ck, sheet);
	sheet_end(sheet, plan_rows);
}

static unsigned flags_of(const struct ck *ck)
{
	return (ck->compare ? E2LAZY_CHECKPOINT_COMPARE : 0) |
	       (ck->freeze_ready ? E2LAZY_RELOG_DROP_HOME : 0);
}

static errcode_t make_plan(struct ck *ck, struct planned *p)
{
	const struct e2lazy_subject subject = opened_subject(ck->s->log);
	const struct e2lazy_watch watch = session_watch(ck->s);
	const struct e2lazy_plan_opts opts = {
		.throughput = p->speed.rate, .seek_us = p->speed.seek_us,
		.checkpoint = { ck_count_bands, &p->writes },
		.replay = { ck_count_bands, &p->replay },
		.watch = &watch, .tail = tail_of(ck), .flags = flags_of(ck),
	};
	errcode_t err = e2lazy_relog_plan(&subject, &opts, &p->relog);

	if (ck->s->print.progress.phase != PHASE_NONE)
		progress_end(&ck->s->print.progress);
	return err;
}

/* What is logged again takes room of what is freed. */
static void tell_goal(struct ck *ck, const struct e2lazy_relog *r)
{
	const struct e2lazy_geometry *geo = ck->s->log->geo;
	uint64_t ring = geo->end - geo->first;

	if (!ck->clean || ck->want.by != E2LAZY_TAIL_FREE || !r->fits ||
	    r->free_after * 100ULL >= ck->want.least * ring)
		return;
	session_complain(ck->s, FSCK_LEFT,
			 _("%llu%% of the ring will be free instead of %u%%: "
			   "live copies stay in the log; --clean without "
			   "--forward writes them back"),
			 (unsigned long long)(r->free_after * 100ULL / ring),
			 (unsigned)ck->want.least);
}

/* False if there is no room, the log would begin to wrap, or a copy bars it. */
static bool plan(struct ck *ck)
{
	const struct e2lazy_band_writes bands = {
		.model.band_bytes = ck->band,
		.blocksize = ck->s->log->geo->blocksize,
	};
	struct planned p = { .writes = bands, .replay = bands };
	const struct e2lazy_relog *r = &p.relog;
	const struct e2lazy_finding *bar;
	errcode_t err;

	if (!ck_speed(ck, &p.speed))
		return false;
	err = make_plan(ck, &p);
	if (err) {
		session_fail(ck->s, err, NULL);
		return false;
	}
	ck->undo_blocks = undo_blocks(ck, r);
	tell_goal(ck, r);
	if (ck->plan || ck->verbose || ck->s->print.json_wanted)
		print_plan(ck, &p);
	if (!r->fits)
		session_complain(ck->s, FSCK_LEFT,
				 P_("no room: %u log block is needed at a "
				    "time, and %u are free; --checkpoint or "
				    "--clean makes room",
				    "no room: %u log blocks are needed at a "
				    "time, and %u are free; --checkpoint or "
				    "--clean makes room", r->needed),
				 r->needed, r->room);
	if (r->wraps)
		session_complain(ck->s, FSCK_LEFT,
				 _("the log would begin to wrap, and e2fsck "
				   "loses a wrapped log beside a fast-commit "
				   "area; use --checkpoint instead, or --clean "
				   "without --forward"));
	bar = e2lazy_verdict_bars_relog(ck->verdict);
	if (bar)
		session_complain(ck->s, FSCK_LEFT,
				 _("%s: a bad copy cannot be logged again; "
				   "--checkpoint and --clean without --forward "
				   "leave it out; nothing is written"),
				 bar->problem->id);
	return r->fits && !r->wraps && !bar;
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
	json_string(json, "undo", ck->undoable ? ck->undo : NULL);
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
	if (d->sealed && !d->passes)
		ck_tell_cleared(ck);
	else if (d->sealed)
		session_complain(s, FSCK_CORRECTED,
				 _("logged again: %llu log blocks, rounds: "
				   "%u; the old copies are freed"),
				 (unsigned long long)d->blocks_written,
				 d->passes);
	if (ck->undoable && !s->print.json_wanted)
		ck_tell_undo(ck);
}

static void relog(struct ck *ck)
{
	const struct e2lazy_watch watch = session_watch(ck->s);
	struct e2lazy_checkpoint_opts opts = {
		.flags = flags_of(ck), .locked = note_locked, .priv = ck,
		.watch = &watch, .tail = tail_of(ck),
	};
	struct e2lazy_checkpoint_done done = { 0 };
	struct e2lazy_where where = { .has = 0 };
	errcode_t err;

	out_flush(&ck->s->print.out);
	if (ck->undo && !ck_begin_undo(ck, &opts.keeper))
		return;
	ck_tell_mmp(ck);
	err = e2lazy_relog(ck->s->log->view, ck->verdict, &opts, &done,
			   &where);
	if (ck->s->print.progress.phase != PHASE_NONE)
		progress_end(&ck->s->print.progress);
	if (ck->undo)
		ck_end_undo(ck, &done);
	if (ck->s->print.json_wanted)
		json_done(ck, &done);
	ck_tell_cached(ck, &done);
	tell(ck, err, &where, &done);
}

void ck_relog(struct ck *ck)
{
	bool consent = ck_consent(ck), fits = plan(ck);

	if (ck->plan) {
		ck_could_undo(ck);
		ck_tell_findings(ck);
		ck_tell_verdict(ck);
	} else if (consent && fits) {
		relog(ck);
	}
}
