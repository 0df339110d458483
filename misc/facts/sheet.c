/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sheet.c - the rows that print the facts
 */
#include <uuid/uuid.h>

#include "map/jmap.h"
#include "session/bands.h"
#include "info.h"
#include "session/names.h"
#include "support/nls.h"

static bool is_empty(const struct info *info)
{
	return info->s->log->end->reason == E2LAZY_END_EMPTY;
}

/* ------------------------------------------------------- the file system */

static const struct sheet_row filesystem_rows[] = {
	{ NULL, N_("File system"), "" },
	{ N_("device"), "%s", ".device" },
	{ N_("UUID"), "%s", "uuid" },
	{ N_("size"), PN_("%llu block of %u bytes (%s)",
			  "%llu blocks of %u bytes (%s)"),
	  "#.blocks block_size .bytes" },
	{ N_("needs_recovery"), "%s", ".recovery" },
	{ N_("lazy marker"), "%s", ".marker" },
	{ N_("mounted"), "%s", ".mounted" },
	{ 0 }
};

static void filesystem(struct info *info, struct sheet *sheet)
{
	const struct e2lazy_geometry *g = info->s->log->geo;
	ext2_filsys fs = e2lazy_static_fs(info->s->log->journal);
	bool backup = info->s->source.open.superblock;
	char uuid[UUID_STR_LEN];

	uuid_unparse_lower(jmap_fs_uuid(info->s->log->map), uuid);
	sheet_section(sheet, "filesystem", JSON_SPREAD);
	sheet_text(sheet, ".device", info->s->device);
	sheet_text(sheet, "uuid", uuid);
	/* Only the text shows a resize that is only in the log. */
	sheet_u64(sheet, "blocks", ext2fs_blocks_count(fs->super));
	sheet_u64(sheet, ".blocks", g->fs_blocks);
	sheet_u64(sheet, "block_size", g->blocksize);
	sheet_u64(sheet, ".bytes", g->fs_blocks * g->blocksize);
	sheet_u64(sheet, "groups", fs->group_desc_count);
	sheet_absent(sheet, backup);	/* a backup does not tell */
	sheet_bool(sheet, "needs_recovery", g->needs_recovery);
	sheet_absent(sheet, false);
	sheet_text(sheet, ".recovery",
		   backup ? _("unknown (a backup does not tell)") :
		   g->needs_recovery ? _("set") : _("clear"));
	sheet_bool(sheet, "lazy_marker", info->lazy_marker);
	sheet_text(sheet, ".marker",
		   info->lazy_marker ?
		   _("present; a kernel with it keeps the log") :
		   _("absent"));
	sheet_bool(sheet, "mounted", info->mounted);
	sheet_text(sheet, ".mounted", info->mounted ? _("yes") : _("no"));
	sheet_end(sheet, filesystem_rows);
}

/* ----------------------------------------------------------- the journal */

static const struct {
	const char *id, *text;
} checksums[] = {
	[E2LAZY_CSUM_NONE] = { NULL, N_("none") },
	[E2LAZY_CSUM_V1] = { "v1", N_("v1: one per transaction") },
	[E2LAZY_CSUM_V2] = { "v2", N_("v2: one per block, 16 bits for a "
				      "copy") },
	[E2LAZY_CSUM_V3] = { "v3", N_("v3: one per block") },
};

static const struct {
	const char *id, *text;
} records[] = {
	[E2LAZY_RECORD_NONE] = { NULL, "" },
	[E2LAZY_RECORD_OTHER] = {
		"other", N_("does not fit: a mount with journal_lazy replays "
			    "the log") },
	[E2LAZY_RECORD_FITS] = { "fits", N_("fits this log") },
};

static const struct sheet_row journal_rows[] = {
	{ NULL, N_("Journal"), "" },
	{ N_("place"), N_("external, %s"), "?external device" },
	{ N_("place"), N_("from the superblock's backup, pieces: %zu"),
	  "!external ?from_backup pieces" },
	{ N_("place"), N_("inode %u, pieces: %zu"),
	  "!external !from_backup inode pieces" },
	{ N_("size"), PN_("%u block (%s)", "%u blocks (%s)"), "#blocks bytes" },
	{ N_("superblock"), N_("version %u"), "version" },
	{ N_("features"), "%s", "?features features" },
	{ N_("features"), N_("none"), "!features" },
	{ N_("checksums"), "%s", ".checksum" },
	{ N_("ring"), N_("log blocks %u to %u"), "first .last" },
	{ N_("tail"), N_("log block %u, transaction %u"),
	  "?start start sequence" },
	{ N_("tail"), N_("none; the next transaction is %u"),
	  "!start sequence" },
	{ N_("error"), "%d", "?errno errno" },
	{ N_("error"), N_("none"), "!errno" },
	{ N_("lazy record"), "%s", "?lazy_record .record" },
	{ 0 }
};

static void journal(struct sheet *sheet, const struct e2lazy_geometry *g)
{
	const char *names[MAX_FEATURES];
	size_t features = feature_names(g, names);
	char uuid[UUID_STR_LEN];

	uuid_unparse_lower(g->uuid, uuid);
	sheet_section(sheet, "journal", JSON_SPREAD);
	sheet_text(sheet, "device", g->journal_device);
	sheet_bool(sheet, "external", g->external);
	sheet_known(sheet, "inode", g->ino);
	sheet_bool(sheet, "from_backup", g->from_backup);
	sheet_u64(sheet, "pieces", g->runs);
	sheet_u64(sheet, "blocks", g->maxlen);
	sheet_u64(sheet, "bytes", (uint64_t)g->maxlen * g->blocksize);
	sheet_u64(sheet, "version", g->version);
	sheet_text(sheet, "uuid", uuid);
	sheet_words(sheet, "features", names, features);
	sheet_text(sheet, "checksum", checksums[g->csum].id);
	sheet_text(sheet, ".checksum", _(checksums[g->csum].text));
	sheet_u64(sheet, "tag_bytes", g->tag_bytes);
	sheet_u64(sheet, "first", g->first);
	sheet_u64(sheet, "end", g->end);
	sheet_u64(sheet, ".last", g->end - 1);
	sheet_u64(sheet, "start", g->start);
	sheet_u64(sheet, "sequence", g->sequence);
	sheet_u64(sheet, "head", g->head);
	sheet_i64(sheet, "errno", g->error);
	sheet_text(sheet, "lazy_record", records[g->lazy_record].id);
	sheet_text(sheet, ".record", _(records[g->lazy_record].text));
	sheet_end(sheet, journal_rows);
}

/* --------------------------------------------------------------- the log */

static const struct sheet_row log_rows[] = {
	{ NULL, N_("Log"), "" },
	{ N_("transactions"), N_("none; the log is empty"), "?.empty" },
	{ N_("transactions"), N_("none"), "!.empty !transactions" },
	{ N_("transactions"), N_("%llu, from %u to %u"),
	  "transactions first_tid last_tid" },
	{ N_("lazy marks"), N_("on all: a mount with journal_lazy keeps the log"),
	  "?.kept" },
	{ N_("lazy marks"), N_("missing on %llu, from transaction %u on: a mount "
			       "with journal_lazy replays the log"),
	  "?.replayed unmarked first_unmarked" },
	{ N_("committed"), N_("%s to %s"), "first_time last_time" },
	{ N_("blocks"), N_("%u of %u, %.1f%% of the ring%s"),
	  "!.empty blocks .ring .percent .wrapped" },
	{ N_("checksums"), "%s", "!.empty ?.verified csum" },
	{ N_("checksums"), N_("%s (copies not read: --check-data)"),
	  "!.empty !.verified csum" },
	{ 0 }
};

static void log_in_use(struct info *info, struct sheet *sheet)
{
	const struct e2lazy_map_stats *stats = info->s->log->stats;
	const struct e2lazy_end *end = info->s->log->end;
	bool fits = opened_is_kept(info->s->log) ||
		    opened_is_mixed(info->s->log);

	sheet_section(sheet, "log", JSON_SPREAD);
	sheet_bool(sheet, ".empty", is_empty(info));
	sheet_u64(sheet, "transactions", stats->txns);
	sheet_absent(sheet, !stats->txns);
	sheet_u64(sheet, "first_tid", stats->first_tid);
	sheet_u64(sheet, "last_tid", stats->last_tid);
	sheet_time(sheet, "first_time", stats->first_sec);
	sheet_time(sheet, "last_time", stats->last_sec);
	sheet_absent(sheet, false);
	sheet_bool(sheet, ".kept", fits && stats->txns && !stats->unmarked);
	sheet_bool(sheet, ".replayed", fits && stats->unmarked);
	sheet_absent(sheet, !fits);
	sheet_u64(sheet, "unmarked", stats->unmarked);
	sheet_absent(sheet, !fits || !stats->unmarked);
	sheet_u64(sheet, "first_unmarked", stats->first_unmarked);
	sheet_absent(sheet, false);
	sheet_u64(sheet, "tail", info->s->log->geo->start);
	sheet_u64(sheet, "head", end->head);
	sheet_u64(sheet, "blocks", end->walked);
	sheet_u64(sheet, ".ring", info->ring);
	sheet_real(sheet, ".percent", end->walked * 100.0 / info->ring);
	sheet_bool(sheet, "wrapped", info->wrapped);
	sheet_text(sheet, ".wrapped", info->wrapped ? _(", wrapped") : "");
	sheet_u64(sheet, "descriptors", stats->descriptors);
	sheet_u64(sheet, "revoke_blocks", stats->revoke_blocks);
	sheet_u64(sheet, "revokes", stats->revokes);
	sheet_u64(sheet, "torn", stats->torn);
	sheet_text(sheet, "csum", csum_name(stats->csum));
	sheet_bool(sheet, "copies_verified", info->copies_verified);
	sheet_bool(sheet, ".verified", info->copies_verified ||
		   stats->csum == E2LAZY_UNCHECKED);
	sheet_end(sheet, log_rows);
}

static const struct sheet_row end_rows[] = {
	{ N_("ends"), N_("at log block %u, before transaction %u"),
	  ".head next_tid" },
	{ N_("because"), N_("log block %u: %s"), "stop .text" },
	{ N_("begun"), N_("descriptors: %u, revoke blocks: %u, copies: %u; "
			  "not committed"),
	  "?.begun begun.descriptors begun.revoke_blocks begun.copies" },
	{ 0 }
};

static void log_end(struct info *info, struct sheet *sheet)
{
	const struct e2lazy_end *end = info->s->log->end;
	const char *text = e2lazy_end_text(end->reason);

	sheet_section(sheet, "end", JSON_SPREAD);
	sheet_text(sheet, "reason", reason_name(end->reason));
	sheet_text(sheet, "text", text);
	sheet_u64(sheet, "next_tid", end->tid);
	sheet_u64(sheet, "stop", end->stop);
	sheet_group(sheet, "begun");
	sheet_u64(sheet, "descriptors", end->open.descriptors);
	sheet_u64(sheet, "revoke_blocks", end->open.revoke_blocks);
	sheet_u64(sheet, "copies", end->open.copies);
	sheet_group_end(sheet);
	if (!is_empty(info)) {	/* the text already says that it is empty */
		sheet_u64(sheet, ".head", end->head);
		sheet_text(sheet, ".text", _(text));
		sheet_bool(sheet, ".begun", end->open.descriptors ||
			   end->open.revoke_blocks);
	}
	sheet_end(sheet, end_rows);
}

static const struct sheet_row beyond_rows[] = {
	{ N_("past the head"), "%s", ".verdict" },
	{ "", PN_("read %u of %u block; see 'e2lazy log --beyond'",
		  "read %u of %u blocks; see 'e2lazy log --beyond'"),
	  "?.partly looked #rest" },
	{ "", PN_("read %u block", "read all %u blocks"),
	  "!.partly #rest" },
	{ 0 }
};

static void beyond(struct info *info, struct sheet *sheet)
{
	const struct e2lazy_beyond *b = &info->s->log->beyond;

	if (!info->s->log->looked) {
		sheet_null(sheet, "beyond");
		return;
	}
	sheet_section(sheet, "beyond", JSON_INLINE);
	session_beyond_facts(info->s, sheet);
	sheet_text(sheet, ".verdict", _(verdict_text(b->verdict)));
	sheet_bool(sheet, ".partly", b->looked < b->rest);
	sheet_end(sheet, beyond_rows);
}

/* ---------------------------------------------------- what the log holds */

static const struct sheet_row map_rows[] = {
	{ NULL, N_("Copies"), "!.empty" },
	{ N_("logged"), "%llu", "logged" },
	{ N_("live"), N_("%llu, %.1f%% of the ring"), "live .percent" },
	/* The other states have their names of columns and JSON. */
	{ "superseded", "%llu", "superseded" },
	{ "revoked", "%llu", "revoked" },
	{ "uncommitted", "%llu", "uncommitted" },
	{ "stale", "%llu", "stale" },
	{ "refused", "%llu", "refused" },
	{ N_("revoke records"), "%llu", ".revokes" },
	{ N_("overwrite ratio"), N_("%.1f logged copies per live copy"),
	  "overwrite_ratio" },
	{ 0 }
};

static void map(struct info *info, struct sheet *sheet)
{
	const struct e2lazy_map_stats *stats = info->s->log->stats;
	unsigned i;

	sheet_section(sheet, "map", JSON_SPREAD);
	sheet_bool(sheet, ".empty", is_empty(info));
	sheet_u64(sheet, "logged", info->logged);
	for (i = 0; i < E2LAZY_NR_STATES; i++)
		sheet_u64(sheet, state_name(i), stats->states[i]);
	sheet_real(sheet, "live_fraction", (double)info->live / info->ring);
	sheet_real(sheet, ".percent", info->live * 100.0 / info->ring);
	sheet_u64(sheet, ".revokes", stats->revokes);
	sheet_absent(sheet, !info->live);
	sheet_real(sheet, "overwrite_ratio", (double)info->logged / info->live);
	sheet_absent(sheet, false);
	sheet_end(sheet, map_rows);
}

static const struct sheet_row fast_commit_rows[] = {
	{ NULL, N_("Fast commits"), "" },
	{ N_("area"), N_("log blocks %u to %u"), "first .last" },
	{ N_("records"), N_("%u, valid: %u"), "records valid" },
	{ 0 }
};

static void fast_commit(struct info *info, struct sheet *sheet)
{
	const struct e2lazy_geometry *g = info->s->log->geo;

	if (!g->fc_blocks) {
		sheet_null(sheet, "fast_commit");
		return;
	}
	sheet_section(sheet, "fast_commit", JSON_INLINE);
	sheet_u64(sheet, "first", g->fc_first);
	sheet_u64(sheet, "blocks", g->fc_blocks);
	sheet_u64(sheet, ".last", g->fc_first + g->fc_blocks - 1);
	sheet_u64(sheet, "records", info->fc.records);
	sheet_u64(sheet, "valid", info->fc.valid);
	sheet_end(sheet, fast_commit_rows);
}

/* -------------------------------------------------------- what it costs */

static const struct sheet_row band_rows[] = {
	{ NULL, N_("Bands"), "" },
	{ N_("size"), N_("%s; the file system is in %llu of them"),
	  "band_bytes all" },
	{ N_("tables"), N_("%s, regions: %llu"), "metadata_bytes regions" },
	{ N_("by the paper"), PN_("%llu band, %s; cleaning moves %s",
				  "%llu bands, %s; cleaning moves %s"),
	  "#paper.bands paper.cleaned paper.moved_static" },
	{ "", N_("%s with dynamic mapping"), "paper.moved_dynamic" },
	{ N_("exact count"), PN_("%llu band, %s; cleaning moves %s",
				 "%llu bands, %s; cleaning moves %s"),
	  "#exact.bands exact.cleaned exact.moved_static" },
	{ "", N_("%s with dynamic mapping"), "exact.moved_dynamic" },
	{ N_("with superblocks"), PN_("%llu band", "%llu bands"),
	  "#exact_with_super" },
	{ 0 }
};

static void bands(struct info *info, struct sheet *sheet)
{
	if (!info->banded) {
		sheet_null(sheet, "bands");
		return;
	}
	bands_facts(sheet, info->band, &info->bands, &info->dynamic,
		    BANDS_PAPER | BANDS_EXACT);
	sheet_end(sheet, band_rows);
}

static const struct sheet_row estimate_rows[] = {
	{ NULL, N_("Estimates"), "!.empty" },
	{ N_("replay"), PN_("writes %llu block, live: %llu",
			    "writes %llu blocks, live: %llu"),
	  "#replay_writes live_writes" },
	{ N_("ext4-lazy mount"),
	  PN_("reads %llu control block, spread over %s",
	      "reads %llu control blocks, spread over %s"),
	  "#control_blocks .log" },
	{ "", N_("%.1f s to read them at an assumed 190 MiB/s"),
	  "read_seconds" },
	{ N_("compacted"),
	  PN_("%llu control block, spread over %s: %.1f s",
	      "%llu control blocks, spread over %s: %.1f s"),
	  "#compacted.control_blocks compacted.log_bytes "
	  "compacted.read_seconds" },
	{ "", N_("log blocks needed at once: %llu, free: %llu; see 'e2lazyck "
		 "--compact --plan'"),
	  "!compacted.at_once .needed .free" },
	{ N_("jmap"), N_("%s of kernel memory, %u bytes per mapping"),
	  "jmap_bytes .mapping" },
	{ N_("lazy ring"),
	  N_("%.0f%% live; 2.3 times the live blocks are %s"),
	  "?.lazy ring.live_percent ring.needed" },
	{ "", N_("its cleaner logs %.0f%% more than the file system does, as "
		 "measured elsewhere"), "~ ?.lazy ring.cleaner_percent" },
	{ 0 }
};

static struct e2lazy_mount_cost mount_cost(const struct info *info,
					   uint64_t blocks, uint64_t control)
{
	const struct e2lazy_mount_of of = {
		.blocksize = info->s->log->geo->blocksize,
		.log_blocks = blocks, .control_blocks = control,
		.live = info->live,
	};
	struct e2lazy_mount_cost cost;

	e2lazy_mount_cost(&of, &cost);
	return cost;
}

/* As e2lazyck --compact would leave the log. */
static void compacted(struct info *info, struct sheet *sheet)
{
	struct e2lazy_mount_cost cost;
	struct e2lazy_relog relog;

	e2lazy_relog_estimate(info->s->log->journal, info->s->log->map, &relog);
	cost = mount_cost(info, relog.blocks, relog.control_after);
	sheet_absent(sheet, is_empty(info));
	sheet_u64(sheet, ".needed", relog.blocks);
	sheet_u64(sheet, ".free", relog.free_before);
	sheet_group(sheet, "compacted");
	sheet_bool(sheet, "at_once", relog.fits);
	sheet_u64(sheet, "control_blocks", relog.control_after);
	sheet_u64(sheet, "control_bytes", cost.control_bytes);
	sheet_u64(sheet, "log_bytes", cost.log_bytes);
	sheet_real(sheet, "read_seconds", cost.seconds);
	sheet_group_end(sheet);
	sheet_absent(sheet, false);
}

/* As mke2lazy --kernel lazy plans it. */
static void ring(const struct info *info, struct sheet *sheet)
{
	const struct e2lazy_geometry *geo = info->s->log->geo;
	double cleaner = e2lazy_cleaner_percent(info->live, info->ring);

	sheet_bool(sheet, ".lazy", info->lazy_marker ||
		   geo->lazy_record == E2LAZY_RECORD_FITS);
	sheet_group(sheet, "ring");
	sheet_real(sheet, "live_percent",
		   info->ring ? info->live * 100.0 / info->ring : 0);
	sheet_u64(sheet, "needed", (uint64_t)info->live * geo->blocksize *
		  100 / E2LAZY_LAZY_PERCENT);
	sheet_absent(sheet, cleaner < 0);
	sheet_real(sheet, "cleaner_percent", cleaner);
	sheet_absent(sheet, false);
	sheet_group_end(sheet);
}

static void estimates(struct info *info, struct sheet *sheet)
{
	const struct e2lazy_mount_cost cost =
		mount_cost(info, info->s->log->end->walked, info->control);

	sheet_section(sheet, "estimates", JSON_SPREAD);
	sheet_bool(sheet, ".empty", is_empty(info));
	sheet_u64(sheet, "replay_writes", info->replayed);
	sheet_u64(sheet, "live_writes", info->live);
	sheet_u64(sheet, "control_blocks", info->control);
	sheet_u64(sheet, ".log", cost.log_bytes);
	sheet_u64(sheet, "jmap_bytes", cost.memory);
	sheet_u64(sheet, ".mapping", E2LAZY_MAPPING_BYTES);
	sheet_real(sheet, "read_seconds", cost.seconds);
	sheet_u64(sheet, "read_rate", E2LAZY_PAPER_RATE);
	sheet_u64(sheet, "control_bytes", cost.control_bytes);
	sheet_u64(sheet, "log_bytes", cost.log_bytes);
	compacted(info, sheet);
	ring(info, sheet);
	sheet_end(sheet, estimate_rows);
}

void info_sheet(struct info *info, struct sheet *sheet)
{
	filesystem(info, sheet);
	journal(sheet, info->s->log->geo);
	log_in_use(info, sheet);
	log_end(info, sheet);
	beyond(info, sheet);
	map(info, sheet);
	if (!sheet->markup && !sheet->tell)
		info_types(info);
	fast_commit(info, sheet);
	bands(info, sheet);
	estimates(info, sheet);
	if (!sheet->markup && !sheet->tell)
		info_hazards(info);
}

void info_print(struct info *info)
{
	struct sheet sheet;

	print_sheet(&info->s->print, &sheet);
	if (sheet.json)
		session_document(info->s);
	info_sheet(info, &sheet);
}
