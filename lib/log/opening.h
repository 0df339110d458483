/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * opening.h - the steps of opening a journal
 *
 *	journal_locate()	finds the devices and the blocks of the log
 *	journal_geometry()	reads the journal superblock, or takes the
 *				caller's geometry
 *
 * journal.c makes the handle from both.
 */
#ifndef E2LAZY_OPENING_H
#define E2LAZY_OPENING_H

#include "e2lazy_medium.h"
#include "log.h"

struct sought {
	const char	*path;		/* the file system's device, or NULL */
	const struct e2lazy_medium *fs;	/* the caller's, if @path is NULL */
	const struct e2lazy_medium *journal;	/* the caller's, or NULL */
	struct e2lazy_open_opts opts;	/* @manager is always set */
};

/*
 * Find the log: set j->fs, j->jfs, j->io, j->runs, both devices, and the fields
 * of j->geo that come from the ext4 superblock and the journal's inode.
 */
errcode_t journal_locate(struct e2lazy_journal *j,
			 const struct sought *sought,
			 struct e2lazy_where *where);

/* A handle after the first step alone; @sought->opts is taken from @opts. */
errcode_t journal_place(struct sought *sought,
			const struct e2lazy_open_opts *opts,
			struct e2lazy_journal **out,
			struct e2lazy_where *where);

/*
 * Fill the rest of j->geo from the journal superblock, or from @given, which
 * must pass the same checks.
 */
errcode_t journal_geometry(struct e2lazy_journal *j,
			   const struct e2lazy_geometry *given,
			   struct e2lazy_where *where);

/* medium.c: hold @path, or know the caller's medium by its name. */
errcode_t medium_hold(struct e2lazy_device *device, const char *path,
		      const struct e2lazy_medium *medium, uint64_t offset);
/* Measure a device that is not held, unless the caller gave its size. */
errcode_t medium_measure(struct e2lazy_device *device, io_channel io);

/* external.c: open the journal that is on a device of its own. */
errcode_t external_find(struct e2lazy_journal *j, const struct sought *sought);
/* Is the file system among the users in the journal superblock @sb? */
errcode_t external_check_users(struct e2lazy_journal *j, const uint8_t *sb);
/*
 * The same where the caller gives the geometry, because the superblock @sb is
 * lost: sets geo.listed if it still lists the file system, and @users_lost if
 * its list proves nothing.
 */
void external_ask_damaged(struct e2lazy_journal *j, const uint8_t *sb);

/* locate.c: does the journal's device end before this log block? */
bool is_cut_off(const struct e2lazy_journal *j, uint32_t logblk);
/* Set the first missing block; for an external journal it is a log block. */
void locate_end(const struct e2lazy_journal *j, struct e2lazy_where *where);

#endif
