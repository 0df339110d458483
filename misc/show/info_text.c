/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * info_text.c - e2lazy info for people
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libsmartcols.h>

#include <uuid/uuid.h>

#include "info.h"
#include "support/nls.h"

/* Where the clauses of a hazard begin, and the columns that they have. */
#define TEXT_INDENT	4
#define TEXT_WIDTH	74

static void text_filesystem(struct info *info)
{
	struct out *out = &info->s->out;
	const struct e2lazy_geometry *g = info->s->geo;
	blk64_t blocks = g->fs_blocks;
	char uuid[UUID_STR_LEN], size[SIZE_TEXT];

	uuid_unparse_lower(g->fs_uuid, uuid);
	size_text(size, blocks * g->blocksize);
	out_heading(out, _("File system"));
	out_line(out, _("device"), "%s", info->s->device);
	out_line(out, _("UUID"), "%s", uuid);
	out_line(out, _("size"), _("%llu blocks of %u bytes (%s)"),
		 (unsigned long long)blocks, g->blocksize, size);
	out_line(out, _("needs_recovery"), "%s",
		 info->s->open.superblock ? _("not known from a backup") :
		 g->needs_recovery ? _("set") : _("clear"));
	out_line(out, _("lazy marker"), "%s",
		 info->lazy_marker ? _("present") : _("absent"));
	out_line(out, _("mounted"), "%s", info->mounted ? _("yes") : _("no"));
}

static void text_features(struct out *out, const struct e2lazy_geometry *g)
{
	const char *names[MAX_FEATURES];
	size_t n = feature_names(g, names), i;

	out_label(out, _("features"));
	for (i = 0; i < n; i++)
		out_format(out, "%s%s", i ? " " : "", names[i]);
	out_text(out, n ? "" : _("none"));
	out_char(out, '\n');
}

static const char *checksum_text(enum e2lazy_csum csum)
{
	static const char *const texts[] = {
		[E2LAZY_CSUM_NONE] = N_("none"),
		[E2LAZY_CSUM_V1] = N_("v1: one for a transaction"),
		[E2LAZY_CSUM_V2] = N_("v2: of each block, 16 bits for a copy"),
		[E2LAZY_CSUM_V3] = N_("v3: of each block"),
	};

	return _(texts[csum]);
}

static void text_journal(struct out *out, const struct e2lazy_geometry *g)
{
	char size[SIZE_TEXT];

	size_text(size, (uint64_t)g->maxlen * g->blocksize);
	out_heading(out, _("Journal"));
	if (g->external)
		out_line(out, _("place"), _("external, %s"), g->journal_device);
	else if (g->from_backup)
		out_line(out, _("place"), _("as the superblock backs it up, "
					    "pieces: %zu"), g->runs);
	else
		out_line(out, _("place"), _("inode %u, pieces: %zu"), g->ino,
			 g->runs);
	out_line(out, _("size"), _("%u blocks (%s)"), g->maxlen, size);
	out_line(out, _("superblock"), _("version %u"), g->version);
	text_features(out, g);
	out_line(out, _("checksums"), "%s", checksum_text(g->csum));
	out_line(out, _("ring"), _("log blocks %u to %u"), g->first,
		 g->end - 1);
	if (g->start)
		out_line(out, _("tail"), _("log block %u, transaction %u"),
			 g->start, g->sequence);
	else
		out_line(out, _("tail"), _("none; the next transaction is %u"),
			 g->sequence);
	if (g->error)
		out_line(out, _("error"), "%d", g->error);
	else
		out_line(out, _("error"), "%s", _("none"));
}

static void text_end(struct info *info)
{
	struct out *out = &info->s->out;
	const struct e2lazy_end *end = info->s->end;

	out_line(out, _("ends"), _("at log block %u, before transaction %u"),
		 end->head, end->tid);
	out_line(out, _("because"), _("log block %u: %s"), end->stop,
		 _(e2lazy_end_text(end->reason)));
	if (end->open.descriptors || end->open.revoke_blocks)
		out_line(out, _("begun"), _("descriptors: %u, revoke blocks: "
					    "%u, copies: %u; not committed"),
			 end->open.descriptors, end->open.revoke_blocks,
			 end->open.copies);
}

static void text_beyond(struct info *info)
{
	struct out *out = &info->s->out;
	const struct e2lazy_beyond *b = &info->s->beyond;

	if (!info->s->looked)
		return;
	out_line(out, _("past the head"), "%s", _(verdict_text(b->verdict)));
	if (b->looked < b->rest)
		out_line(out, "", _("looked at %u of %u blocks; see 'e2lazy "
				    "log --beyond'"), b->looked, b->rest);
	else
		out_line(out, "", _("looked at all %u blocks"), b->rest);
}

static void text_log(struct info *info)
{
	struct session *s = info->s;
	char first[TIME_TEXT], last[TIME_TEXT];

	out_heading(&s->out, _("Log"));
	if (s->end->reason == E2LAZY_END_EMPTY) {
		out_line(&s->out, _("transactions"),
			 _("none, the log is empty"));
		return;
	}
	if (s->stats->txns) {
		time_text(first, s->stats->first_sec);
		time_text(last, s->stats->last_sec);
		out_line(&s->out, _("transactions"), _("%llu, from %u to %u"),
			 (unsigned long long)s->stats->txns,
			 s->stats->first_tid, s->stats->last_tid);
		out_line(&s->out, _("committed"), _("%s to %s"), first, last);
	} else {
		out_line(&s->out, _("transactions"), _("none"));
	}
	out_line(&s->out, _("blocks"), _("%u of %u, %.1f%% of the ring%s"),
		 s->end->walked, info->ring,
		 s->end->walked * 100.0 / info->ring,
		 info->wrapped ? _(", wrapped") : "");
	if (info->copies_verified || s->stats->csum == E2LAZY_UNCHECKED)
		out_line(&s->out, _("checksums"), "%s",
			 csum_name(s->stats->csum));
	else
		out_line(&s->out, _("checksums"), _("%s (copies not read: "
						    "--check-data)"),
			 csum_name(s->stats->csum));
	text_end(info);
	text_beyond(info);
}

static void text_copies(struct info *info)
{
	struct out *out = &info->s->out;
	const uint64_t *states = info->s->stats->states;
	unsigned i;

	out_heading(out, _("Copies"));
	out_line(out, _("logged"), "%llu", (unsigned long long)info->logged);
	out_line(out, _("live"), _("%llu, %.1f%% of the ring"),
		 (unsigned long long)info->live,
		 info->live * 100.0 / info->ring);
	for (i = 0; i < E2LAZY_NR_STATES; i++)
		if (i != E2LAZY_LIVE)
			out_line(out, state_name(i), "%llu",
				 (unsigned long long)states[i]);
	out_line(out, _("revoke records"), "%llu",
		 (unsigned long long)info->s->stats->revokes);
	if (info->live)
		out_line(out, _("overwrite ratio"),
			 _("%.1f logged for a live one"),
			 (double)info->logged / info->live);
}

static int type_line(struct libscols_table *table, const struct info *info,
		     enum e2lazy_type type)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char blocks[OUT_DIGITS + 1], size[SIZE_TEXT];

	if (!line)
		return -1;
	blocks[put_u64(blocks, info->types[type])] = 0;
	size_text(size, info->types[type] * info->s->geo->blocksize);
	return scols_line_set_data(line, 0, e2lazy_type_name(type)) ||
	       scols_line_set_data(line, 1, blocks) ||
	       scols_line_set_data(line, 2, size);
}

/* False: no memory. */
static bool type_table(struct libscols_table *table, const struct info *info,
		       char **text)
{
	unsigned i;

	if (!scols_table_new_column(table, "TYPE", 0, 0) ||
	    !scols_table_new_column(table, "BLOCKS", 0, SCOLS_FL_RIGHT) ||
	    !scols_table_new_column(table, "SIZE", 0, SCOLS_FL_RIGHT))
		return false;
	for (i = 0; i < E2LAZY_NR_TYPES; i++)
		if (info->types[i] && type_line(table, info, i))
			return false;
	return !scols_print_table_to_string(table, text);
}

/* libsmartcols knows nothing of an indent. */
static void indented(struct out *out, const char *text)
{
	size_t length;

	for (; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		out_text(out, "  ");
		out_bytes(out, text, length);
		out_char(out, '\n');
	}
}

static void text_types(struct info *info)
{
	struct libscols_table *table;
	char *text = NULL;

	if (!info->typed || !info->live)
		return;
	out_heading(&info->s->out, _("Live blocks"));
	table = scols_new_table();
	if (table && type_table(table, info, &text))
		indented(&info->s->out, text);
	else
		session_fail(info->s, EXT2_ET_NO_MEMORY, NULL);
	free(text);
	scols_unref_table(table);
}

static void text_fast_commit(struct info *info)
{
	struct out *out = &info->s->out;
	const struct e2lazy_geometry *g = info->s->geo;

	if (!g->fc_blocks)
		return;
	out_heading(out, _("Fast commits"));
	out_line(out, _("area"), _("log blocks %u to %u"), g->fc_first,
		 g->fc_first + g->fc_blocks - 1);
	out_line(out, _("records"), _("%u, valid: %u"), info->fc.records,
		 info->fc.valid);
}

/* One way to count bands: how many, what is in them, what cleaning moves. */
static void count_line(struct out *out, const char *label, uint64_t bands,
		       uint64_t clean, uint64_t fixed, uint64_t dynamic)
{
	char size[SIZE_TEXT], moved[SIZE_TEXT];

	size_text(size, clean);
	size_text(moved, fixed);
	out_line(out, label, _("%llu bands, %s; cleaning moves %s"),
		 (unsigned long long)bands, size, moved);
	size_text(moved, dynamic);
	out_line(out, "", _("%s where mapping is dynamic"), moved);
}

static void text_bands(struct info *info)
{
	struct out *out = &info->s->out;
	const struct e2lazy_bands *b = &info->bands, *d = &info->dynamic;
	char size[SIZE_TEXT];

	if (!info->banded)
		return;
	out_heading(out, _("Bands"));
	size_text(size, info->band);
	out_line(out, _("size"), _("%s; the file system is in %llu of them"),
		 size, (unsigned long long)b->disk);
	size_text(size, b->metadata_bytes);
	out_line(out, _("tables"), _("%s, regions: %llu"), size,
		 (unsigned long long)b->regions);
	count_line(out, _("by the paper"), b->paper, b->paper_clean,
		   b->paper_traffic, d->paper_traffic);
	count_line(out, _("as they lie"), b->exact, b->exact_clean,
		   b->exact_traffic, d->exact_traffic);
	out_line(out, _("with superblocks"), _("%llu bands"),
		 (unsigned long long)b->exact_super);
}

static void text_estimates(struct info *info)
{
	struct out *out = &info->s->out;
	uint64_t bytes = (uint64_t)info->s->end->walked *
			 info->s->geo->blocksize;
	char memory[SIZE_TEXT], log[SIZE_TEXT];

	size_text(memory, info->live * KERNEL_MAPPING_BYTES);
	size_text(log, bytes);
	out_heading(out, _("Estimates"));
	out_line(out, _("replay"),
		 _("writes %llu blocks, of which %llu are live"),
		 (unsigned long long)info->replayed,
		 (unsigned long long)info->live);
	out_line(out, _("ext4-lazy mount"),
		 _("reads %llu control blocks, spread over %s"),
		 (unsigned long long)info->control, log);
	out_line(out, "",
		 _("%.1f s to read all of that at an assumed 190 MiB/s"),
		 (double)bytes / DISK_RATE);
	out_line(out, _("its jmap"), _("%s of kernel memory, at %u bytes a "
				       "mapping"), memory,
		 KERNEL_MAPPING_BYTES);
}

/* A clause of a hazard, in a @format that ends it. False: no memory. */
__attribute__((format(printf, 2, 0)))
static bool clause(struct out *out, const char *format, const char *text)
{
	char *whole;

	if (asprintf(&whole, format, text) < 0)
		return false;
	out_spaces(out, TEXT_INDENT);
	out_wrapped(out, whole, TEXT_INDENT, TEXT_WIDTH);
	free(whole);
	return true;
}

static void text_hazards(struct info *info)
{
	struct out *out = &info->s->out;
	const struct e2lazy_problem *p;
	bool any = false;
	size_t at = 0;

	out_heading(out, _("Hazards"));
	while ((p = next_hazard(info, &at))) {
		bool grave = p->severity == E2LAZY_GRAVE;

		any = true;
		out_text(out, "  ");
		if (grave)
			out_style(out, STYLE_ALARM);
		out_format(out, "%s: %s", severity_name(p->severity), p->id);
		if (grave)
			out_style(out, STYLE_PLAIN);
		out_char(out, '\n');
		/* TRANSLATORS: what is wrong, and on the next line... */
		if (!clause(out, _("%s;"), _(p->text)) ||
		    /* TRANSLATORS: ...what to do about it */
		    !clause(out, _("%s."), _(p->advice)))
			session_fail(info->s, EXT2_ET_NO_MEMORY, NULL);
	}
	if (!any)
		out_text(out, _("  none\n"));
}

void info_text(struct info *info)
{
	text_filesystem(info);
	text_journal(&info->s->out, info->s->geo);
	text_log(info);
	if (info->s->end->reason != E2LAZY_END_EMPTY) {
		text_copies(info);
		text_types(info);
	}
	text_fast_commit(info);
	text_bands(info);
	if (info->s->end->reason != E2LAZY_END_EMPTY)
		text_estimates(info);
	text_hazards(info);
}
