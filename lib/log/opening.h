/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * opening.h - where a journal is to be looked for, and the steps of opening
 *
 *	journal_locate()	the devices, and the blocks that hold the log
 *	journal_geometry()	what the journal superblock says, or the caller
 *
 * journal.c makes the handle out of both.
 */
#ifndef E2LAZY_OPENING_H
#define E2LAZY_OPENING_H

#include "e2lazy_medium.h"
#include "log.h"

struct sought {
	const char	*path;		/* of the file system's device; NULL: */
	const struct e2lazy_medium *fs;	/* it is the caller's */
	const struct e2lazy_medium *journal;	/* the same, or NULL */
	struct e2lazy_open_opts opts;	/* with a manager */
};

/*
 * Find the log: j->fs, j->jfs, j->io, j->runs and their devices; of j->geo what
 * the ext4 superblock and the journal's inode say.
 */
errcode_t journal_locate(struct e2lazy_journal *j,
			 const struct sought *sought,
			 struct e2lazy_where *where);

/*
 * Fill the rest of j->geo from the journal superblock, or from @given, which
 * must hold what a superblock could say.
 */
errcode_t journal_geometry(struct e2lazy_journal *j,
			   const struct e2lazy_geometry *given,
			   struct e2lazy_where *where);

/* medium.c: hold @path, or know the caller's medium by its name. */
errcode_t medium_hold(struct e2lazy_device *device, const char *path,
		      const struct e2lazy_medium *medium, uint64_t offset);
/* How large a device is that is not held, unless the caller has said so. */
errcode_t medium_measure(struct e2lazy_device *device, io_channel io);

/* external.c: open the journal that is on a device of its own. */
errcode_t external_find(struct e2lazy_journal *j, const struct sought *sought);
/* Hold its superblock's users against the file system. */
errcode_t external_check_users(struct e2lazy_journal *j, const uint8_t *sb);

/* locate.c: whether the device that holds the journal ends before this log block. */
bool is_cut_off(const struct e2lazy_journal *j, uint32_t logblk);
/* The first block that is missing; an external journal counts log blocks. */
void locate_end(const struct e2lazy_journal *j, struct e2lazy_where *where);

#endif
