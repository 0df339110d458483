/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.c - shows the work and the time of a checkpoint
 */
#include "ck.h"
#include "facts/plan.h"
#include "support/nls.h"
#include "window.h"

void ck_sheet_speed(struct sheet *sheet, const struct ck_speed *speed)
{
	static const char *const names[] = {
		[CK_GIVEN] = "given", [CK_MEASURED] = "measured",
	};
	const struct e2lazy_throughput *t = &speed->measured;
	bool measured = speed->source == CK_MEASURED;

	sheet_text(sheet, "throughput_source", names[speed->source]);
	sheet_text(sheet, ".source", measured ? _("measured") : _("given"));
	sheet_bool(sheet, ".cached", measured && !t->direct);
	if (!t->samples) {
		sheet_null(sheet, "measured");
		return;
	}
	sheet_group(sheet, "measured");
	sheet_u64(sheet, "bytes_per_second", t->bytes_per_second);
	sheet_u64(sheet, "offset", t->offset);
	sheet_u64(sheet, "samples", t->samples);
	sheet_u64(sheet, "slowest", t->slowest);
	sheet_u64(sheet, "fastest", t->fastest);
	sheet_bool(sheet, "direct", t->direct);
	sheet_bool(sheet, "busy", t->busy);
	sheet_bool(sheet, "implausible", t->implausible);
	sheet_group_end(sheet);
}

/* The library's plan, and the drive model's view of its writes. */
struct planned {
	struct e2lazy_plan plan;
	struct window_counted checkpoint, replay;
	struct window_times times;
};

/* Facts of the section; the rows follow those of the plan. */
static void window_facts(struct sheet *sheet, const struct window_times *t)
{
	sheet_group(sheet, "window");
	sheet_absent(sheet, !t->known);
	sheet_real(sheet, "check_seconds", t->check);
	sheet_real(sheet, "undo_seconds", t->undo);
	sheet_real(sheet, "write_seconds", t->write);
	sheet_real(sheet, "cleaning_seconds", t->cleaning);
	sheet_real(sheet, "verify_seconds", t->verify);
	sheet_real(sheet, "fsck_seconds", t->fsck);
	sheet_real(sheet, "total_seconds", t->total);
	sheet_real(sheet, "replay_seconds", t->replay);
	sheet_real(sheet, "replay_cleaning_seconds", t->replay_cleaning);
	sheet_absent(sheet, false);
	sheet_group_end(sheet);
}

static void print_plan(struct ck *ck, const struct ck_speed *speed,
		       const struct planned *planned)
{
	const struct e2lazy_plan *p = &planned->plan;
	struct sheet plan, *sheet = &plan;

	print_sheet(&ck->s->print, sheet);
	sheet_section(sheet, "plan", JSON_SPREAD);
	plan_facts(sheet, &(struct plan_shown){
		.plan = p, .compared = !ck->clean, .memory = ck->memory, .band = ck->band,
		.bands = planned->checkpoint.bands.changes,
		.replay_bands = planned->replay.bands.changes,
		.throughput = speed->rate });
	ck_sheet_speed(sheet, speed);
	window_facts(sheet, &planned->times);
	ck_sheet_tail(ck, sheet);
	sheet_end(sheet, plan_rows);
}

void ck_count_bands(void *priv, blk64_t block, uint32_t count)
{
	e2lazy_band_write(priv, block, count);
}

static errcode_t compute(struct ck *ck, const struct ck_speed *speed,
			 struct window *w, struct planned *planned)
{
	const struct e2lazy_subject subject = opened_subject(ck->s->log);
	const struct e2lazy_watch watch = { .stop = session_stop };
	bool wanted = ck->drive || ck->throughput;
	const struct e2lazy_plan_opts opts = {
		.memory = ck->memory, .watch = &watch,
		.throughput = speed->rate, .seek_us = speed->seek_us,
		.checkpoint = { window_write, &planned->checkpoint },
		.replay = { window_write, &planned->replay },
		.tail = ck->clean ? &ck->tail : NULL,
		.home = ck->clean ? NULL : &ck->home,
	};

	planned->checkpoint.runs = wanted ? &w->checkpoint : NULL;
	planned->replay.runs = wanted ? &w->replay : NULL;
	return e2lazy_plan(&subject, ck->verdict, &opts, &planned->plan);
}

bool ck_plan(struct ck *ck)
{
	struct session *s = ck->s;
	const struct window_counted bands = { .bands = {
		.model.band_bytes = ck->band,
		.blocksize = s->log->geo->blocksize,
	} };
	struct planned planned = { .checkpoint = bands, .replay = bands };
	struct ck_speed speed;
	struct window w = { .replay = { 0 } };
	errcode_t err;
	bool ok;

	if (!ck_shows_plan(ck))
		return true;
	if (!ck_speed(ck, &speed))
		return false;
	err = compute(ck, &speed, &w, &planned);
	if (err)
		session_fail(s, err, NULL);
	ok = !err && (!(ck->drive || ck->throughput) ||
		      window_times(ck, &w, speed.rate, &planned.times));
	window_close(&w);
	if (ok)
		print_plan(ck, &speed, &planned);
	return ok;
}
