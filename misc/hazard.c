/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hazard.c - what endangers the data or misleads the user, as a table
 */
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

/* The gravest first. */
const struct hazard hazards[] = {
	{ "wiped-on-mount", GRAVE, wiped_on_mount,
	  N_("the log is in use, but needs_recovery is clear: an ordinary mount discards it unread"),
	  N_("do not mount it; e2fsck -y replays it (-p stops, -n calls it clean)") },
	{ "damaged", GRAVE, has_damage,
	  N_("the log is damaged, so the map may not hold all that was committed"),
	  N_("copy the device before anything replays the log") },
	{ "device-short", GRAVE, is_short,
	  N_("the device or image ends before the file system does"),
	  N_("look for the rest of it before anything is written") },
	{ "journal-inode-lost", GRAVE, inode_lost,
	  N_("the journal inode is unusable, and only the superblock's backup finds the log"),
	  N_("e2fsck deletes such a journal: copy the device first") },
	{ "fast-commits-valid", GRAVE, fast_commits_valid,
	  N_("fast-commit records stand on top of the log and are not in the map"),
	  N_("let a kernel mount replay both; writing back blocks alone loses them") },
	{ "fast-commit-wrapped", GRAVE, fast_commit_wrapped,
	  N_("the log has a fast-commit area and wraps, which e2fsck misreads"),
	  N_("let a kernel mount replay it, not e2fsck, tune2fs or debugfs") },
	{ "fast-commit", WARNING, fast_commit_live,
	  N_("debugfs and tune2fs empty a log with a fast-commit area unread"),
	  N_("let a kernel mount or e2fsck replay it") },
	{ "errno", WARNING, has_errno,
	  N_("the kernel has recorded an error in the journal superblock"),
	  N_("run e2fsck -f once the log has been replayed") },
	{ "mounted", WARNING, is_mounted,
	  N_("the file system is mounted, so the log may change while it is read"),
	  N_("unmount it, or look at a snapshot") },
	{ "full", WARNING, is_full,
	  N_("the log fills its ring"),
	  N_("write it back, or make the journal larger") },
	{ "crowded", WARNING, is_crowded,
	  N_("more than 70% of the ring is live; an ext4-lazy kernel slows down"),
	  N_("write it back, or make the journal larger") },
	{ "emptied-by-tools", WARNING, emptied_by_tools,
	  N_("this is a lazy journal: a mount without journal_lazy, e2fsck -p and tune2fs empty it"),
	  N_("keep fsck at boot and tune2fs away from it") },
	{ "torn-commit", NOTE, has_torn,
	  N_("a commit block is torn; new kernels accept it, e2fsck and older ones do not"),
	  N_("let a kernel of 6.12 or later replay the log") },
	{ "uncommitted-tail", NOTE, has_tail,
	  N_("a transaction was begun and never committed; recovery ignores it"),
	  N_("replay with a stock kernel: the loader of ext4-lazy maps it") },
	{ "recovery-of-nothing", NOTE, recovery_of_nothing,
	  N_("needs_recovery is set, but the log is empty"),
	  N_("harmless; the next mount clears it") },
	{ "static-stale", NOTE, has_live_copies,
	  N_("static blocks, bitmaps among them, are older than the log"),
	  N_("use debugfs -c; what e2fsck -n says of it means nothing") },
	{ NULL, NOTE, NULL, NULL, NULL }
};

const char *severity_name(enum severity severity)
{
	static const char *const names[] = {
		[NOTE] = "note",
		[WARNING] = "warning",
		[GRAVE] = "grave",
	};

	return names[severity];
}
