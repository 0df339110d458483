/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.c - shows the work and the time of a checkpoint
 */
#include "ck.h"
#include "support/nls.h"

static const struct sheet_row plan_rows[] = {
	{ NULL, N_("Plan"), "" },
	{ N_("frees"), N_("transactions: %llu, log blocks: %llu, older copies "
			  "dropped: %llu"),
	  "tail.transactions tail.log_blocks tail.dropped" },
	{ "", N_("free log blocks: %llu now, %llu afterwards"),
	  "tail.free_before tail.free_after" },
	{ "", N_("the log then begins with transaction %llu in log block "
		 "%llu"), "tail.tid tail.start" },
	{ N_("writes"), PN_("%llu block (%s); requests: %llu",
			    "%llu blocks (%s); requests: %llu"),
	  "#blocks write_bytes writes" },
	{ "", PN_("%llu of them is already in place",
		  "%llu of them are already in place"), "#.in_place" },
	{ N_("leaves out"), PN_("%llu block", "%llu blocks"), "#skipped" },
	{ N_("reads"), N_("%s of the log; requests: %llu"),
	  "read_bytes reads" },
	{ N_("passes"), N_("%u, with at most %s of memory"),
	  "passes memory_bytes" },
	{ N_("bands written"), N_("%llu of %s"),
	  "?band_bytes bands band_bytes" },
	{ N_("replay"), PN_("writes %llu block", "writes %llu blocks"),
	  "#replay_blocks" },
	{ "", N_("band changes: %llu"), "?band_bytes replay_bands" },
	{ N_("undo file"), N_("%s of blocks, read before the first write"),
	  "undo_bytes" },
	{ N_("throughput"), N_("%s a second, %s"),
	  "throughput_bytes .source" },
	{ "", N_("measured through the page cache; may be too high"),
	  "throughput_bytes ?.cached" },
	{ N_("time"), N_("%.1f s; replay %.1f s"),
	  "seconds replay_seconds" },
	{ "", N_("-z adds %.1f s"), "undo_seconds" },
	{ 0 }
};

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
	sheet_u64(sheet, "blocks", p->blocks);
	if (ck->home.known && !ck->clean)
		sheet_u64(sheet, ".in_place", ck->home.blocks);
	sheet_u64(sheet, "skipped", p->skipped);
	sheet_u64(sheet, "writes", p->runs);
	sheet_u64(sheet, "write_bytes", p->write_bytes);
	sheet_u64(sheet, "reads", p->log_runs);
	sheet_u64(sheet, "read_bytes", p->read_bytes);
	sheet_u64(sheet, "passes", p->passes);
	sheet_u64(sheet, "memory_bytes", ck->memory);
	sheet_u64(sheet, "band_bytes", ck->band);
	sheet_u64(sheet, "bands", planned->checkpoint.changes);
	sheet_u64(sheet, "replay_blocks", p->replay_blocks);
	sheet_u64(sheet, "replay_bands", planned->replay.changes);
	sheet_u64(sheet, "undo_bytes", p->undo_bytes);
	sheet_u64(sheet, "undo_reads", p->undo_reads);
	sheet_u64(sheet, "undo_read_bytes", p->undo_bytes);
	sheet_absent(sheet, !speed->rate);
	sheet_u64(sheet, "throughput_bytes", speed->rate);
	sheet_real(sheet, "seconds", p->seconds);
	sheet_real(sheet, "replay_seconds", p->replay_seconds);
	sheet_real(sheet, "undo_seconds", p->undo_seconds);
	sheet_absent(sheet, false);
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

	if (!ck->plan && !ck->verbose && !s->print.json_wanted)
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
