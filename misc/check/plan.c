/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.c - shows the work and the time of a checkpoint
 */
#include "ck.h"
#include "facts/plan.h"
#include "support/nls.h"

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
	struct e2lazy_band_writes checkpoint, replay;
};

static void print_plan(struct ck *ck, const struct ck_speed *speed,
		       const struct planned *planned)
{
	const struct e2lazy_plan *p = &planned->plan;
	struct sheet plan, *sheet = &plan;

	print_sheet(&ck->s->print, sheet);
	sheet_section(sheet, "plan", JSON_SPREAD);
	if (ck->home.known && !ck->clean)
		sheet_u64(sheet, ".in_place", ck->home.blocks);
	plan_facts(sheet, &(struct plan_shown){
		.plan = p, .memory = ck->memory, .band = ck->band,
		.bands = planned->checkpoint.changes,
		.replay_bands = planned->replay.changes,
		.throughput = speed->rate });
	ck_sheet_speed(sheet, speed);
	ck_sheet_tail(ck, sheet);
	sheet_end(sheet, plan_rows);
}

void ck_count_bands(void *priv, blk64_t block, uint32_t count)
{
	e2lazy_band_write(priv, block, count);
}

bool ck_plan(struct ck *ck)
{
	struct session *s = ck->s;
	const struct e2lazy_subject subject = opened_subject(s->log);
	const struct e2lazy_watch watch = { .stop = session_stop };
	const struct e2lazy_band_writes bands = {
		.model.band_bytes = ck->band,
		.blocksize = s->log->geo->blocksize,
	};
	struct planned planned = { .checkpoint = bands, .replay = bands };
	struct e2lazy_plan_opts opts = {
		.memory = ck->memory, .watch = &watch,
		.checkpoint = { ck_count_bands, &planned.checkpoint },
		.replay = { ck_count_bands, &planned.replay },
		.tail = ck->clean ? &ck->tail : NULL,
	};
	struct ck_speed speed;
	errcode_t err;

	if (!ck->plan && !ck->downgrade && !ck->verbose &&
	    !s->print.json_wanted)
		return true;
	if (!ck_speed(ck, &speed))
		return false;
	opts.throughput = speed.rate;
	opts.seek_us = speed.seek_us;
	err = e2lazy_plan(&subject, ck->verdict, &opts, &planned.plan);
	if (err)
		session_fail(s, err, NULL);
	else
		print_plan(ck, &speed, &planned);
	return !err;
}
