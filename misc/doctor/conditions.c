/* SPDX-License-Identifier: GPL-2.0-only */
/* conditions.c - what holds for a log and its device, by the facts alone */
#include <errno.h>
#include <string.h>

#include "conditions.h"
#include "session/names.h"

uint64_t doctor_found(const struct doctor *d, const char *id)
{
	const struct e2lazy_finding *f = d->verdict ?
					 finding_of(d->verdict, id) : NULL;

	return f ? f->count : 0;
}

static bool state_in_use(const struct doctor *d)
{
	return d->s->log->geo && d->s->log->geo->start;
}

static const struct e2lazy_end *end_of(const struct doctor *d)
{
	return d->verdict ? d->s->log->end : NULL;
}

static bool ends_by(const struct doctor *d, enum e2lazy_end_reason reason)
{
	const struct e2lazy_end *end = end_of(d);

	return end && end->reason == reason;
}

/* Conditions that hold where e2lazyck has found something. */
#define FOUND(name, id)						\
	bool name(const struct doctor *d)			\
	{							\
		return doctor_found(d, id);			\
	}
FOUND(state_fast_stale, "fast-commits-stale")
FOUND(state_fast_later, "fast-commits-later")
FOUND(state_fast_unknown, "fast-commits-unknown")
FOUND(state_fast_unfinished, "fast-commits-unfinished")
FOUND(state_fast_wrapped, "fast-commit-wrapped")
FOUND(state_fast_commits, "fast-commits-valid")
FOUND(state_stale, "commit-before-mkfs")
FOUND(state_discarded, "discarded-log")
FOUND(state_has_error, "errno")
FOUND(state_replayed, "replayed-before")
FOUND(state_at_home, "bad-copy-at-home")
FOUND(state_uuid_too, "journal-uuid")
FOUND(state_counts_users, "journal-users")

/* Without these features, tags and blocks have another form. */
bool state_misread(const struct doctor *d)
{
	return state_counts_users(d) && state_in_use(d) &&
	       d->s->log->geo->incompat & (E2LAZY_INCOMPAT_64BIT |
					   E2LAZY_INCOMPAT_CSUM_V2 |
					   E2LAZY_INCOMPAT_CSUM_V3);
}

bool state_no_magic(const struct doctor *d)
{
	return d->unopened == E2LAZY_ET_JSB_MAGIC;
}

bool state_super_csum(const struct doctor *d)
{
	return d->unopened == EXT2_ET_SB_CSUM_INVALID;
}

bool state_cut_off(const struct doctor *d)
{
	return d->unopened == E2LAZY_ET_DEVICE_SHORT ||
	       doctor_found(d, "device-short");
}

/* libext2fs passes on what the kernel said. */
bool state_bad_sector(const struct doctor *d)
{
	return (d->unopened == EIO && d->where.has & E2LAZY_AT_LOGBLK) ||
	       (doctor_found(d, "unreadable") && !state_cut_off(d));
}

bool state_held(const struct doctor *d)
{
	return d->mmp_held;
}

/* A length below the real one passes for a shorter ring. */
bool state_wrong_ring(const struct doctor *d)
{
	return d->unopened == E2LAZY_ET_JSB_FIRST ||
	       (d->unopened == E2LAZY_ET_JOURNAL_SHORT &&
		d->where.has & E2LAZY_AT_VALUE && d->where.value < 1024) ||
	       doctor_found(d, "ring-contradicted");
}

bool state_bad_super(const struct doctor *d)
{
	static const errcode_t errors[] = {
		E2LAZY_ET_JSB_CSUM, E2LAZY_ET_JSB_BLOCKSIZE,
		E2LAZY_ET_JSB_CSUM_TYPE, E2LAZY_ET_JSB_FAST_COMMIT,
		E2LAZY_ET_JOURNAL_SHORT,
	};

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (d->unopened == errors[i])
			return !state_wrong_ring(d);
	return false;
}

bool state_bad_start(const struct doctor *d)
{
	return d->unopened == E2LAZY_ET_JSB_START;
}

bool state_journal_features(const struct doctor *d)
{
	return d->unopened == E2LAZY_ET_JSB_FEATURE;
}

bool state_fs_features(const struct doctor *d)
{
	return d->unopened == EXT2_ET_UNSUPP_FEATURE ||
	       d->unopened == EXT2_ET_RO_UNSUPP_FEATURE;
}

/* The device of an external journal. */
bool state_journal_missing(const struct doctor *d)
{
	return d->unopened == E2LAZY_ET_EXT_UNKNOWN;
}

bool state_journal_foreign(const struct doctor *d)
{
	return d->unopened == E2LAZY_ET_EXT_UUID;
}

bool state_no_journal_super(const struct doctor *d)
{
	return d->unopened == E2LAZY_ET_EXT_NOT_JOURNAL ||
	       doctor_found(d, "external-magic");
}

bool state_backup_only(const struct doctor *d)
{
	return d->backup;
}

bool state_bad_groups(const struct doctor *d)
{
	return d->bad_groups;
}

bool state_no_inode(const struct doctor *d)
{
	return !d->bad_groups && doctor_found(d, "journal-inode-lost");
}

/* Not even the backup in the superblock leads to the log. */
bool state_no_place(const struct doctor *d)
{
	return d->unopened == E2LAZY_ET_JOURNAL_INODE ||
	       d->unopened == E2LAZY_ET_JOURNAL_MAP;
}

bool state_unsafe_flag(const struct doctor *d)
{
	return state_in_use(d) && !d->s->log->geo->needs_recovery &&
	       !d->s->source.open.superblock;
}

/* tune2fs does not know it, and loses its way in the ring at the first step. */
bool state_fast_area(const struct doctor *d)
{
	return state_in_use(d) && d->s->log->geo->fc_blocks;
}

bool state_super_copy(const struct doctor *d)
{
	return doctor_found(d, "super-foreign") ||
	       doctor_found(d, "super-csum");
}

/* Nothing of this log stands behind the damage. */
static bool state_is_false_end(const struct doctor *d)
{
	return !d->given_up.count && !doctor_found(d, "later-transactions") &&
	       !doctor_found(d, "behind-damage");
}

bool state_false_block(const struct doctor *d)
{
	return ends_by(d, E2LAZY_END_BLOCK_CSUM) && state_is_false_end(d);
}

static bool state_is_async(const struct doctor *d)
{
	return d->s->log->geo->incompat & E2LAZY_INCOMPAT_ASYNC_COMMIT;
}

bool state_bad_commit(const struct doctor *d)
{
	return ends_by(d, E2LAZY_END_COMMIT_CSUM) && !state_is_async(d) &&
	       !state_is_false_end(d);
}

bool state_false_commit(const struct doctor *d)
{
	return ends_by(d, E2LAZY_END_COMMIT_CSUM) && !state_is_async(d) &&
	       state_is_false_end(d);
}

bool state_bad_control(const struct doctor *d)
{
	return (ends_by(d, E2LAZY_END_BLOCK_CSUM) ||
		ends_by(d, E2LAZY_END_REVOKE_COUNT)) && !state_false_block(d);
}

/* Every recovery takes the damage for the end of the log. */
bool state_hole(const struct doctor *d)
{
	return d->verdict && !d->contradicted && !state_bad_control(d) &&
	       !state_bad_commit(d) && !state_bad_sector(d) &&
	       (ends_by(d, E2LAZY_END_TYPE) || d->given_up.count ||
		doctor_found(d, "later-transactions"));
}

bool state_bad_copies(const struct doctor *d)
{
	return doctor_found(d, "older-copy") || doctor_found(d, "data-csum");
}

bool state_hidden(const struct doctor *d)
{
	return !d->contradicted && doctor_found(d, "tail-contradicted");
}

bool state_contradicted(const struct doctor *d)
{
	return d->contradicted;
}

/*
 * After a crash the blocks are often all in place, because the kernel writes
 * them home long before it moves the tail.  A mount or a check after the last
 * commit, however, has state_replayed the log, and must have emptied it.
 */
bool state_replay_loop(const struct doctor *d)
{
	const struct ext2_super_block *sb;
	uint64_t last;

	if (!state_in_use(d) || !d->home.known || !d->live ||
	    d->home.blocks != d->live || !d->s->log->geo->needs_recovery)
		return false;
	sb = e2lazy_static_fs(d->s->log->journal)->super;
	last = d->s->log->stats->last_sec;
	return last && (sb->s_mtime > last || sb->s_lastcheck > last);
}

bool state_read_only(const struct doctor *d)
{
	return d->read_only &&
	       (d->unopened || state_in_use(d) || d->s->log->geo->needs_recovery);
}

bool state_damaged(const struct doctor *d)
{
	return d->unopened ||
	       e2lazy_verdict_status(d->verdict) >= E2LAZY_DAMAGED;
}

/* The kernel has its own state of the journal, and writes it when it likes. */
bool state_moving(const struct doctor *d)
{
	return d->mounted && state_damaged(d);
}

bool state_refused(const struct doctor *d)
{
	return !state_damaged(d) && d->kernel.answer == KERNEL_REFUSES;
}

bool state_not_known(const struct doctor *d)
{
	return !state_damaged(d) && d->kernel.answer == KERNEL_UNKNOWN;
}

bool state_sound_in_use(const struct doctor *d)
{
	return !state_damaged(d) && state_in_use(d) && d->txns;
}

bool state_sound_empty(const struct doctor *d)
{
	return !state_damaged(d) && !state_sound_in_use(d);
}
