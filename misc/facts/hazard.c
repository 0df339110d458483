/* SPDX-License-Identifier: GPL-2.0-only */
/* hazard.c - what info sees of a log that no search has found */
#include "hazard.h"

static bool is_live(const struct info *i)
{
	return i->s->log->geo->start != 0;
}

/* Backup superblocks never carry needs_recovery. */
static bool from_backup(const struct info *i)
{
	return i->s->source.open.superblock != 0;
}

bool wiped_on_mount(const struct info *i)
{
	return is_live(i) && !i->s->log->geo->needs_recovery && !from_backup(i);
}

bool lost_inode(const struct info *i)
{
	return is_live(i) && i->s->log->geo->from_backup;
}

bool fast_commits_valid(const struct info *i)
{
	return i->fc.valid > 0;
}

static bool uses_fast_commit(const struct info *i)
{
	return i->s->log->geo->incompat & E2LAZY_INCOMPAT_FAST_COMMIT;
}

bool fast_commit_wrapped(const struct info *i)
{
	return uses_fast_commit(i) && i->wrapped;
}

bool fast_commit_live(const struct info *i)
{
	return uses_fast_commit(i) && is_live(i) && !i->wrapped;
}

bool has_damage(const struct info *i)
{
	return i->damage > 0;
}

bool has_errno(const struct info *i)
{
	return i->s->log->geo->error != 0;
}

bool is_mounted(const struct info *i)
{
	return i->mounted;
}

bool is_full(const struct info *i)
{
	return i->s->log->end->walked == i->ring;
}

bool is_crowded(const struct info *i)
{
	return i->live * 100 > (uint64_t)i->ring * E2LAZY_CROWDED_PERCENT;
}

bool has_torn(const struct info *i)
{
	return i->s->log->stats->torn > 0;
}

bool has_tail(const struct info *i)
{
	/* If damage ends the log, the transaction may have been committed. */
	return !i->damage && i->s->log->looked &&
	       i->s->log->beyond.verdict == E2LAZY_BEYOND_UNCOMMITTED;
}

bool recovery_of_nothing(const struct info *i)
{
	return i->s->log->geo->needs_recovery && !is_live(i);
}

bool has_live_copies(const struct info *i)
{
	return i->live > 0;
}

bool emptied_by_tools(const struct info *i)
{
	return is_live(i) && i->s->log->geo->needs_recovery &&
	       (i->lazy_marker || opened_is_kept(i->s->log));
}

bool is_short(const struct info *i)
{
	return device_short(i->s->log->geo);
}
