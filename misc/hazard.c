/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hazard.c - what endangers the data or misleads the user, as a table
 */
#include "e2lazy_mend.h"
#include "info.h"
#include "support/nls.h"

static bool is_live(const struct info *i)
{
	return i->s->geo->start != 0;
}

/* Backup superblocks never carry needs_recovery. */
static bool from_backup(const struct info *i)
{
	return i->s->open.superblock != 0;
}

static bool wiped_on_mount(const struct info *i)
{
	return is_live(i) && !i->s->geo->needs_recovery && !from_backup(i);
}

static bool inode_lost(const struct info *i)
{
	return is_live(i) && i->s->geo->from_backup;
}

static bool fast_commits_valid(const struct info *i)
{
	return i->fc.valid > 0;
}

static bool uses_fast_commit(const struct info *i)
{
	return i->s->geo->incompat & E2LAZY_INCOMPAT_FAST_COMMIT;
}

static bool fast_commit_wrapped(const struct info *i)
{
	return uses_fast_commit(i) && i->wrapped;
}

static bool fast_commit_live(const struct info *i)
{
	return uses_fast_commit(i) && is_live(i) && !i->wrapped;
}

static bool has_damage(const struct info *i)
{
	return i->damage > 0;
}

static bool has_errno(const struct info *i)
{
	return i->s->geo->error != 0;
}

static bool is_mounted(const struct info *i)
{
	return i->mounted;
}

static bool is_full(const struct info *i)
{
	return i->s->end->walked == i->ring;
}

static bool is_crowded(const struct info *i)
{
	return i->live * 100 > (uint64_t)i->ring * CROWDED_PERCENT;
}

static bool has_torn(const struct info *i)
{
	return i->s->stats->torn > 0;
}

static bool has_tail(const struct info *i)
{
	/* Where damage ends the log, it may well have been committed. */
	return !i->damage && i->s->looked &&
	       i->s->beyond.verdict == E2LAZY_BEYOND_UNCOMMITTED;
}

static bool recovery_of_nothing(const struct info *i)
{
	return i->s->geo->needs_recovery && !is_live(i);
}

static bool has_live_copies(const struct info *i)
{
	return i->live > 0;
}

static bool emptied_by_tools(const struct info *i)
{
	return is_live(i) && i->s->geo->needs_recovery && i->lazy_marker;
}

static bool is_short(const struct info *i)
{
	return device_short(i->s->geo);
}

/* The gravest first.  What is a problem too has that one's text. */
const struct hazard hazards[] = {
	{ .id = "wiped-on-mount", .holds = wiped_on_mount,
	  .advice = N_("do not mount it; e2fsck -y replays it (-p stops, -n calls it clean)") },
	{ .id = "damaged", .holds = has_damage, .severity = GRAVE,
	  .text = N_("the log is damaged, so the map may not hold all that was committed"),
	  .advice = N_("copy the device before anything replays the log") },
	{ .id = "device-short", .holds = is_short,
	  .advice = N_("look for the rest of it before anything is written") },
	{ .id = "journal-inode-lost", .holds = inode_lost,
	  .advice = N_("e2fsck deletes such a journal: copy the device first") },
	{ .id = "fast-commits-valid", .holds = fast_commits_valid,
	  .advice = N_("let a kernel mount replay both; writing back blocks alone loses them") },
	{ .id = "fast-commit-wrapped", .holds = fast_commit_wrapped,
	  .advice = N_("let a kernel mount replay it, not e2fsck, tune2fs or debugfs") },
	{ .id = "fast-commit", .holds = fast_commit_live, .severity = WARNING,
	  .text = N_("debugfs and tune2fs empty a log with a fast-commit area unread"),
	  .advice = N_("let a kernel mount or e2fsck replay it") },
	{ .id = "errno", .holds = has_errno,
	  .advice = N_("run e2fsck -f once the log has been replayed") },
	{ .id = "mounted", .holds = is_mounted, .severity = WARNING,
	  .text = N_("the file system is mounted, so the log may change while it is read"),
	  .advice = N_("unmount it, or look at a snapshot") },
	{ .id = "full", .holds = is_full,
	  .advice = N_("write it back, or make the journal larger") },
	{ .id = "crowded", .holds = is_crowded, .severity = WARNING,
	  /* xgettext:no-c-format */
	  .text = N_("more than 70% of the ring is live; an ext4-lazy kernel slows down"),
	  .advice = N_("write it back, or make the journal larger") },
	{ .id = "emptied-by-tools", .holds = emptied_by_tools, .severity = WARNING,
	  .text = N_("this is a lazy journal: a mount without journal_lazy, e2fsck -p and tune2fs empty it"),
	  .advice = N_("keep fsck at boot and tune2fs away from it") },
	{ .id = "torn-commit", .holds = has_torn,
	  .advice = N_("let a kernel of 6.12 or later replay the log") },
	{ .id = "uncommitted-tail", .holds = has_tail,
	  .advice = N_("replay with a stock kernel: the loader of ext4-lazy maps it") },
	{ .id = "recovery-of-nothing", .holds = recovery_of_nothing,
	  .advice = N_("harmless; the next mount clears it") },
	{ .id = "static-stale", .holds = has_live_copies, .severity = NOTE,
	  .text = N_("static blocks, bitmaps among them, are older than the log"),
	  .advice = N_("use debugfs -c; what e2fsck -n says of it means nothing") },
	{ .id = NULL }
};

const char *hazard_text(const struct hazard *hazard)
{
	return hazard->text ? hazard->text :
			      e2lazy_problem_find(hazard->id)->text;
}

enum severity hazard_severity(const struct hazard *hazard)
{
	static const enum severity same[] = {
		[E2LAZY_NOTE] = NOTE,
		[E2LAZY_WARNING] = WARNING,
		[E2LAZY_GRAVE] = GRAVE,
	};

	return hazard->text ? hazard->severity :
			      same[e2lazy_problem_find(hazard->id)->severity];
}

const char *severity_name(enum severity severity)
{
	static const char *const names[] = {
		[NOTE] = "note",
		[WARNING] = "warning",
		[GRAVE] = "grave",
	};

	return names[severity];
}
