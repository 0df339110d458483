/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hazard.c - selects the library's problems that info reports
 *
 * It reports the problems of a quick verdict, and those that follow from
 * info's own facts.  Severity, text and advice are the library's.
 */
#include <string.h>

#include "info.h"

static bool is_live(const struct info *i)
{
	return i->s->log->geo->start != 0;
}

/* Backup superblocks never carry needs_recovery. */
static bool from_backup(const struct info *i)
{
	return i->s->source.open.superblock != 0;
}

static bool wiped_on_mount(const struct info *i)
{
	return is_live(i) && !i->s->log->geo->needs_recovery && !from_backup(i);
}

static bool inode_lost(const struct info *i)
{
	return is_live(i) && i->s->log->geo->from_backup;
}

static bool fast_commits_valid(const struct info *i)
{
	return i->fc.valid > 0;
}

static bool uses_fast_commit(const struct info *i)
{
	return i->s->log->geo->incompat & E2LAZY_INCOMPAT_FAST_COMMIT;
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
	return i->s->log->geo->error != 0;
}

static bool is_mounted(const struct info *i)
{
	return i->mounted;
}

static bool is_full(const struct info *i)
{
	return i->s->log->end->walked == i->ring;
}

static bool is_crowded(const struct info *i)
{
	return i->live * 100 > (uint64_t)i->ring * E2LAZY_CROWDED_PERCENT;
}

static bool has_torn(const struct info *i)
{
	return i->s->log->stats->torn > 0;
}

static bool has_tail(const struct info *i)
{
	/* If damage ends the log, the transaction may have been committed. */
	return !i->damage && i->s->log->looked &&
	       i->s->log->beyond.verdict == E2LAZY_BEYOND_UNCOMMITTED;
}

static bool recovery_of_nothing(const struct info *i)
{
	return i->s->log->geo->needs_recovery && !is_live(i);
}

static bool has_live_copies(const struct info *i)
{
	return i->live > 0;
}

static bool emptied_by_tools(const struct info *i)
{
	return is_live(i) && i->s->log->geo->needs_recovery &&
	       (i->lazy_marker ||
		i->s->log->geo->lazy_record == E2LAZY_RECORD_FITS);
}

static bool is_short(const struct info *i)
{
	return device_short(i->s->log->geo);
}

static const struct {
	const char	*id;
	bool		(*holds)(const struct info *info);
} known[] = {
	{ "wiped-on-mount",       wiped_on_mount },
	{ "damaged",              has_damage },
	{ "device-short",         is_short },
	{ "journal-inode-lost",   inode_lost },
	{ "fast-commits-valid",   fast_commits_valid },
	{ "fast-commit-wrapped",  fast_commit_wrapped },
	{ "fast-commit",          fast_commit_live },
	{ "errno",                has_errno },
	{ "mounted",              is_mounted },
	{ "full",                 is_full },
	{ "crowded",              is_crowded },
	{ "emptied-by-tools",     emptied_by_tools },
	{ "torn-commit",          has_torn },
	{ "uncommitted-tail",     has_tail },
	{ "recovery-of-nothing",  recovery_of_nothing },
	{ "static-stale",         has_live_copies },
};

static bool is_known(const struct info *i, const char *id)
{
	for (size_t n = 0; n < sizeof(known) / sizeof(known[0]); n++)
		if (!strcmp(known[n].id, id))
			return known[n].holds(i);
	return false;
}

static bool is_found(const struct info *i, const struct e2lazy_problem *p)
{
	const struct e2lazy_finding *f;

	if (!i->verdict)
		return false;
	for (size_t n = 0; (f = e2lazy_verdict_finding(i->verdict, n)); n++)
		if (f->problem == p)
			return true;
	return false;
}

const struct e2lazy_problem *next_hazard(const struct info *i, size_t *at)
{
	size_t count;
	const struct e2lazy_problem *problems = e2lazy_problems(&count);

	while (*at < count) {
		const struct e2lazy_problem *p = &problems[(*at)++];

		if (is_found(i, p) || is_known(i, p->id))
			return p;
	}
	return NULL;
}
