/* SPDX-License-Identifier: GPL-2.0-only */
/* plan.c - the work and the time of a checkpoint, as facts and rows */
#include "plan.h"
#include "support/nls.h"

const struct sheet_row plan_rows[] = {
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
	{ "", PN_("%llu more block is already in place",
		  "%llu more blocks are already in place"),
	  "?in_place #in_place" },
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
	{ N_("window"), N_("%.1f s in all, on the modelled drive:"),
	  "window.total_seconds" },
	{ "", N_("%.1f s check, %.1f s undo file, %.1f s writes"),
	  "window.check_seconds window.undo_seconds window.write_seconds" },
	{ "", N_("%.1f s cleaning, %.1f s --verify-after, %.1f s e2fsck"),
	  "window.cleaning_seconds window.verify_seconds "
	  "window.fsck_seconds" },
	{ "", N_("a replay by a mount: %.1f s, and %.1f s cleaning"),
	  "window.replay_seconds window.replay_cleaning_seconds" },
	{ 0 }
};

void plan_facts(struct sheet *sheet, const struct plan_shown *shown)
{
	const struct e2lazy_plan *p = shown->plan;

	sheet_u64(sheet, "blocks", p->blocks);
	sheet_u64(sheet, "skipped", p->skipped);
	sheet_absent(sheet, !shown->compared);
	sheet_u64(sheet, "in_place", p->in_place);
	sheet_absent(sheet, false);
	sheet_u64(sheet, "writes", p->runs);
	sheet_u64(sheet, "write_bytes", p->write_bytes);
	sheet_u64(sheet, "reads", p->log_runs);
	sheet_u64(sheet, "read_bytes", p->read_bytes);
	sheet_u64(sheet, "passes", p->passes);
	sheet_u64(sheet, "memory_bytes", shown->memory);
	sheet_u64(sheet, "band_bytes", shown->band);
	sheet_u64(sheet, "bands", shown->bands);
	sheet_u64(sheet, "replay_blocks", p->replay_blocks);
	sheet_u64(sheet, "replay_bands", shown->replay_bands);
	sheet_u64(sheet, "undo_bytes", p->undo_bytes);
	sheet_u64(sheet, "undo_reads", p->undo_reads);
	sheet_u64(sheet, "undo_read_bytes", p->undo_bytes);
	sheet_absent(sheet, !shown->throughput);
	sheet_u64(sheet, "throughput_bytes", shown->throughput);
	sheet_real(sheet, "seconds", p->seconds);
	sheet_real(sheet, "replay_seconds", p->replay_seconds);
	sheet_real(sheet, "undo_seconds", p->undo_seconds);
	sheet_absent(sheet, false);
}
