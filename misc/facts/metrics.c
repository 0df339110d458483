/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metrics.c - the facts of e2lazy info in the text format of Prometheus
 *
 * The sheet of info hands over each of its sections.  The table says which of
 * its facts are metrics; whatever is null in JSON has no sample.  Names, labels
 * and HELP lines are a contract: they are not translated, because a collector
 * refuses two texts for one name.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "info.h"
#include "session/names.h"
#include "support/text.h"

#define METRIC_PREFIX	"e2lazy_"
#define MAX_FACT	256

/* One sample; rows of one name stand together, the help with the first. */
static const struct metric {
	const char	*fact;		/* section.fact */
	const char	*name;
	const char	*label;		/* of a text; or the label's name... */
	const char	*value;		/* ...with this value */
	const char	*help;
} metrics[] = {
	{ "filesystem.uuid", "filesystem_info", "uuid", NULL,
	  "Always 1; the UUID of the file system is a label." },
	{ "filesystem.needs_recovery", "needs_recovery", NULL, NULL,
	  "1: the flag needs_recovery is set." },
	{ "filesystem.lazy_marker", "lazy_marker", NULL, NULL,
	  "1: the superblock has the mount option journal_lazy." },
	{ "filesystem.mounted", "mounted", NULL, NULL,
	  "1: the file system was mounted when it was read." },
	{ "journal.bytes", "journal_bytes", NULL, NULL,
	  "Size of the journal." },
	{ "journal.errno", "journal_errno", NULL, NULL,
	  "Error that the kernel recorded in the journal; 0: none." },
	{ "log.transactions", "transactions", NULL, NULL,
	  "Committed transactions in the log." },
	{ "log.blocks", "log_blocks", NULL, NULL,
	  "Log blocks in use, from tail to head." },
	{ "log..ring", "ring_blocks", NULL, NULL,
	  "Log blocks of the ring." },
	{ "log.first_time", "tail_commit_timestamp_seconds", NULL, NULL,
	  "Commit time of the oldest transaction in the log." },
	{ "log.last_time", "head_commit_timestamp_seconds", NULL, NULL,
	  "Commit time of the newest transaction in the log." },
	{ "log.revokes", "revoke_records", NULL, NULL,
	  "Revoke records in the log." },
	{ "map.live", "copies", "state", "live",
	  "Copies of blocks in the log." },
	{ "map.superseded", "copies", "state", "superseded", NULL },
	{ "map.revoked", "copies", "state", "revoked", NULL },
	{ "map.uncommitted", "copies", "state", "uncommitted", NULL },
	{ "map.stale", "copies", "state", "stale", NULL },
	{ "map.refused", "copies", "state", "refused", NULL },
	{ "map.live_fraction", "live_fraction", NULL, NULL,
	  "Live copies for each log block of the ring." },
	{ "map.overwrite_ratio", "overwrite_ratio", NULL, NULL,
	  "Logged copies for each live copy." },
	{ "fast_commit.valid", "fast_commit_valid_records", NULL, NULL,
	  "Fast-commit records that wait on top of the log." },
	{ "estimates.replay_writes", "replay_write_blocks", NULL, NULL,
	  "Blocks that a stock replay writes." },
	{ "estimates.live_writes", "checkpoint_write_blocks", NULL, NULL,
	  "Blocks that a checkpoint writes." },
	{ "estimates.read_seconds", "mount_read_seconds", NULL, NULL,
	  "Estimated time of an ext4-lazy mount to read the log." },
	{ "estimates.jmap_bytes", "jmap_bytes", NULL, NULL,
	  "Kernel memory of the map." },
};

/* ---------------------------------------------------------------- samples */

/* A collector takes UTF-8 only. */
static void put_label(struct out *out, const char *text)
{
	bool good = text_is_utf8(text);

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '\n')
			out_text(out, "\\n");
		else if (c == '"' || c == '\\')
			out_format(out, "\\%c", c);
		else
			out_char(out, c < ' ' || c == 0x7f ||
				 (c >= 0x80 && !good) ? '?' : (char)c);
	}
}

static void begin_metric(struct out *out, const char *name, const char *help)
{
	out_format(out, "# HELP " METRIC_PREFIX "%s %s\n"
		   "# TYPE " METRIC_PREFIX "%s gauge\n", name, help, name);
}

/* A device that does not open has no other name than the user's. */
static void begin_sample(const struct info *info, struct out *out,
			 const char *name, const char *label,
			 const char *value)
{
	const struct session *s = info->s;

	out_format(out, METRIC_PREFIX "%s{device=\"", name);
	put_label(out, s->device ? s->device : s->operands[0]);
	if (label) {
		out_format(out, "\",%s=\"", label);
		put_label(out, value);
	}
	out_text(out, "\"} ");
}

static void put_fact(const struct info *info, struct out *out,
		     const struct metric *m, const struct sheet_fact *fact)
{
	bool text = fact->kind == SHEET_TEXT;

	begin_sample(info, out, m->name, m->label,
		     text ? fact->text : m->value);
	if (text)
		out_text(out, "1\n");
	else if (fact->kind == SHEET_REAL)
		out_format(out, "%.6f\n", fact->real);
	else
		out_format(out, "%" PRId64 "\n", (int64_t)fact->count);
}

/* ---------------------------------------------------------------- sections */

static void put_section(struct sheet *sheet, void *priv)
{
	const struct info *info = priv;
	const char *begun = "";
	char name[MAX_FACT];

	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		const struct metric *m = &metrics[i];

		for (size_t f = 0; f < sheet->count; f++) {
			snprintf(name, sizeof(name), "%s.%s", sheet->section,
				 sheet->facts[f].name);
			if (strcmp(name, m->fact))
				continue;
			if (strcmp(begun, m->name))
				begin_metric(sheet->out, m->name, m->help);
			begun = m->name;
			put_fact(info, sheet->out, m, &sheet->facts[f]);
		}
	}
}

static void put_types(const struct info *info, struct out *out)
{
	if (!info->typed)
		return;
	begin_metric(out, "live_blocks", "Live copies by the type of block.");
	for (unsigned i = 0; i < E2LAZY_NR_TYPES; i++) {
		/* The layout does not tell the later ones from other. */
		if (i > E2LAZY_TYPE_OTHER && !info->identify)
			break;
		begin_sample(info, out, "live_blocks", "type",
			     e2lazy_type_name(i));
		out_format(out, "%" PRIu64 "\n", info->types[i]);
	}
}

static void put_hazards(const struct info *info, struct out *out)
{
	uint64_t kinds[E2LAZY_GRAVE + 1] = { 0 };
	const struct e2lazy_problem *p;
	size_t at = 0;

	while ((p = next_hazard(info, &at)))
		kinds[p->severity]++;
	begin_metric(out, "findings", "Kinds of problems that info finds.");
	for (unsigned i = 0; i <= E2LAZY_GRAVE; i++) {
		begin_sample(info, out, "findings", "severity",
			     severity_name(i));
		out_format(out, "%" PRIu64 "\n", kinds[i]);
	}
}

/* ------------------------------------------------- the reading itself */

#define UNKNOWN	"unknown"

static void put_number(const struct info *info, struct out *out,
		       const char *name, const char *help, int64_t number)
{
	begin_metric(out, name, help);
	begin_sample(info, out, name, NULL, NULL);
	out_format(out, "%" PRId64 "\n", number);
}

/* All verdicts have a sample, so that a query meets a series that exists. */
static void put_verdict(const struct info *info, struct out *out)
{
	const char *is = info->verdict ?
			 status_name(e2lazy_verdict_status(info->verdict)) :
			 UNKNOWN;

	begin_metric(out, "verdict", "1: the verdict on the log.");
	for (unsigned i = 0; i <= E2LAZY_UNUSABLE + 1; i++) {
		const char *name = i > E2LAZY_UNUSABLE ? UNKNOWN :
				   status_name(i);

		begin_sample(info, out, "verdict", "verdict", name);
		out_format(out, "%d\n", !strcmp(name, is));
	}
}

static void put_reading(const struct info *info, struct out *out, bool up)
{
	put_number(info, out, "up", "1: the log could be read.", up);
	put_number(info, out, "read_timestamp_seconds",
		   "Time of this reading.", time(NULL));
	put_number(info, out, "exit_status", "Exit status of e2lazy info.",
		   info->s->status);
	put_verdict(info, out);
}

void info_metrics_down(const struct info *info, struct out *out)
{
	put_reading(info, out, false);
}

void info_metrics(struct info *info, struct out *out)
{
	struct sheet sheet;

	put_reading(info, out, true);
	sheet_init(&sheet, out, NULL);
	sheet.tell = put_section;
	sheet.priv = info;
	info_sheet(info, &sheet);
	put_types(info, out);
	put_hazards(info, out);
}
