/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * home.c - the proof that contents have gone home from the log
 *
 * Some contents are written to the log first: targets of long symbolic links,
 * blocks of attributes, and with data=journal those of files.  A checkpoint writes
 * them home later.  If the file is deleted before, jbd2 forgets them, and their
 * place keeps what was there before: an older version, or another file's bytes.
 * While the ring has their copy, that does not matter.  Once a later lap has
 * overwritten it, the contents in place count only if they must be the newest:
 *
 *  - the ring has each transaction since before the file was made, so nobody
 *    logged them;
 *  - the ring begins with the first transaction of all;
 *  - the ring shows that a mount began before the deletion.  An unmount empties
 *    the log, and a crash makes the next mount, or e2fsck, replay it;
 *  - the last mount began after their last change, and before the deletion: it
 *    is older than the ring, and the superblock has its time;
 *  - they changed an hour before the deletion: half a minute after the commit, the
 *    kernel's flusher writes them home, but in a lazy journal;
 *  - no transaction deleted the file, and the log begins later.
 *
 * So it is with the blocks of a map: of those in place, an older one may have a
 * checksum that is right, too.
 *
 * In each case the copy is of before transaction u->gapless, for the ring would
 * have a later one.  A tail that has passed the copy is no proof, because it also
 * passes what jbd2 has forgotten.
 */

#include "map/super.h"
#include "undelete.h"

void home_find(struct e2lazy_undelete *u)
{
	const struct versions *v = &u->versions;

	u->mounted = MOMENT_NOW;
	for (size_t i = v->nr_moments; i-- > (size_t)u->gapless + 1; )
		if (v->moments[i].tid != v->moments[i - 1].tid + 1)
			u->mounted = (uint32_t)i;
}

bool home_is_asked(const struct e2lazy_undelete *u,
		   const struct ext2_inode_large *inode)
{
	if (LINUX_S_ISREG(inode->i_mode))
		return u->logs_contents ||
		       inode->i_flags & EXT3_JOURNAL_DATA_FL;
	return LINUX_S_ISLNK(inode->i_mode);
}

/* ------------------------------------------------------------- the proofs */

/* Times of inodes and of commits may differ by a tick, which may end a second. */
#define TICK	1

static bool was_made_since(const struct e2lazy_undelete *u,
			   const struct life *life)
{
	const struct moment *m = &u->versions.moments[u->gapless];

	return m->sec && inode_time(life->crtime, life->crtime_extra).sec >
			 (int64_t)m->sec + TICK;
}

/* mke2fs begins with transaction 1, and the first mount with 2. */
static bool is_first_of_all(const struct moment *m)
{
	return m->tid == 1 || m->tid == 2;
}

static bool is_of_last_mount(const struct e2lazy_undelete *u,
			     const struct life *life)
{
	return life->gone == MOMENT_NOW ||
	       u->versions.moments[life->gone].sec >
	       (uint64_t)u->fs->super->s_mtime + TICK;
}

/* Longer than any flusher leaves a block dirty, if it writes back at all. */
#define WRITTEN_BACK	3600

static bool is_written_back(const struct e2lazy_undelete *u,
			    const struct life *life, int64_t changed)
{
	return life->gone != MOMENT_NOW &&
	       (int64_t)u->versions.moments[life->gone].sec >
	       changed + WRITTEN_BACK &&
	       u->journal->geo.lazy_record == E2LAZY_RECORD_NONE &&
	       !super_has_option(u->fs->super, SUPER_LAZY);
}

static bool is_before_tail(const struct e2lazy_undelete *u)
{
	const struct e2lazy_geometry *g = &u->journal->geo;

	return !g->start ||
	       !e2lazy_tid_after(u->versions.moments[u->gapless].tid,
				 g->sequence);
}

bool home_is_sure(const struct e2lazy_undelete *u, const struct life *life,
		  int64_t changed)
{
	/* Without a transaction, or behind a gap, other rules speak. */
	if (u->gapless >= u->versions.nr_moments)
		return true;
	if (was_made_since(u, life) ||
	    is_first_of_all(&u->versions.moments[u->gapless]) ||
	    (u->mounted != MOMENT_NOW && u->mounted <= life->gone))
		return true;
	if (changed + TICK < (int64_t)u->fs->super->s_mtime &&
	    is_of_last_mount(u, life))
		return true;
	if (is_written_back(u, life, changed))
		return true;
	return life->gone == MOMENT_NOW && is_before_tail(u);
}
