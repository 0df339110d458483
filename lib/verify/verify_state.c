/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* verify_state.c - problems in the superblocks */

#include <string.h>

#include <uuid/uuid.h>

#include "view/view.h"
#include "verify.h"

static bool has_errno(const struct verify *v)
{
	return v->journal->geo.error != 0;
}

static bool recovery_of_nothing(const struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;

	return g->needs_recovery && !g->start;
}

/* Building the view has proved that the damage is nothing worse. */
static bool super_torn(const struct verify *v)
{
	return v->journal->geo.super_torn;
}

static bool inode_lost(const struct verify *v)
{
	return v->journal->geo.from_backup;
}

static bool external_bare(const struct verify *v)
{
	return v->journal->bare;
}

static bool device_short(const struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;

	return g->device_blocks < g->fs_blocks;
}

/*
 * Without a view, use the static superblock, whose flag means that the orphan
 * file may have an inode.
 */
static bool has_orphans(const struct verify *v)
{
	const struct e2lazy_view *view = v->subject->view;
	const struct ext2_super_block *sb = v->journal->fs->super;

	if (!view)
		return sb->s_last_orphan ||
		       sb->s_feature_ro_compat &
		       EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT;
	sb = (const void *)(view_super(view)->bytes +
			    super_offset(view->blocksize));
	return sb->s_last_orphan || view_orphan_present(view);
}

/*
 * mke2fs makes a journal whose ring begins behind its superblock and ends with
 * its inode or device.  If a checksum covers another ring, it is intended.
 */
static bool ring_contradicted(const struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;

	return (g->start || g->needs_recovery) && g->csum < E2LAZY_CSUM_V2 &&
	       (g->maxlen != v->journal->runs.blocks ||
		g->first != journal_super_logblk(v->journal) + 1);
}

static bool names_uuid_too(const struct verify *v)
{
	return !v->journal->geo.external &&
	       !uuid_is_null(v->journal->fs->super->s_journal_uuid);
}

/* The list of users is for journals on devices of their own. */
static bool counts_users(const struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;

	return !g->external && !g->given && g->version > 1 &&
	       get_be32(v->journal->judged.journal + JSB_NR_USERS) > 1;
}

/*
 * If the list of users is lost, the superblock's copy in the log names the file
 * system as well: nobody else logs a superblock with its UUID.
 */
static errcode_t find_stranger(struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;
	const struct ext2_super_block *logged;
	uint8_t *block = NULL;
	errcode_t err;

	if (!g->external || g->listed)
		return 0;
	if (!v->journal->users_lost) {
		verify_found(v, PROBLEM_EXTERNAL_NOT_USER, NULL, 0);
		return 0;
	}
	err = io_channel_alloc_buf(v->journal->io, 1, &block);
	if (err)
		return err;
	logged = verify_logged_super(v, block);
	if (!logged || memcmp(logged->s_uuid, g->fs_uuid, 16))
		verify_found(v, PROBLEM_EXTERNAL_USERS_LOST, NULL, 0);
	ext2fs_free_mem(&block);
	return 0;
}

static const struct {
	enum problem	problem;
	bool		(*holds)(const struct verify *v);
} states[] = {
	{ PROBLEM_ERRNO,		has_errno },
	{ PROBLEM_SUPER_TORN,		super_torn },
	{ PROBLEM_RECOVERY_OF_NOTHING,	recovery_of_nothing },
	{ PROBLEM_JOURNAL_INODE_LOST,	inode_lost },
	{ PROBLEM_EXTERNAL_MAGIC,	external_bare },
	{ PROBLEM_DEVICE_SHORT,		device_short },
	{ PROBLEM_JOURNAL_UUID,		names_uuid_too },
	{ PROBLEM_JOURNAL_USERS,	counts_users },
	{ PROBLEM_ORPHANS,		has_orphans },
	{ PROBLEM_RING_CONTRADICTED,	ring_contradicted },
};

errcode_t verify_state(struct verify *v)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (states[i].holds(v))
			verify_found(v, states[i].problem, NULL, 0);
	return find_stranger(v);
}
