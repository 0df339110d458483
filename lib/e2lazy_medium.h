/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_medium.h - a journal without a path, or without its superblock
 *
 * Without a path the library holds no descriptor, so it could not tell later
 * that the device is still the same.  So e2lazy_unchanged() and
 * e2lazy_checkpoint() fail with E2LAZY_ET_NOT_HELD unless each medium has a
 * guard, and e2lazy_device() has only a name, an offset and a size.
 *
 * e2lazy_open_opts.geometry replaces a lost journal superblock.  Set blocksize,
 * version, maxlen, first, end, start, sequence, head, error, the three words of
 * features and uuid; e2lazy_open() finds the rest.  An impossible value gives
 * the same error as in a superblock, or E2LAZY_ET_GEOMETRY.
 * e2lazy_checkpoint() fails with E2LAZY_ET_NOT_HELD here, too.
 *
 * e2lazy_open_opts.runs replaces a lost journal inode: the log's pieces on the
 * file system's device, in the order of its blocks.  The file system may have
 * no journal at all.  Also set .geometry if the journal superblock is gone.
 * e2lazy_salvage.h finds both.
 */
#ifndef E2LAZY_MEDIUM_H
#define E2LAZY_MEDIUM_H

#include "e2lazy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A piece of the log. */
struct e2lazy_log_run {
	blk64_t		physblk;	/* its first block on the device */
	uint32_t	count;		/* blocks */
};

/*
 * A guard does for a name what a descriptor does for a path.  A checkpoint
 * takes the lock, asks whether the name still leads to the judged device, and
 * reads both superblocks again through a new channel of the io_manager.  Only
 * then it writes, through e2lazy_checkpoint_opts.manager or, if that is NULL,
 * the same manager.  With multiple mount protection it still fails with
 * E2LAZY_ET_NOT_HELD, because libext2fs reads that block by a path.
 */
struct e2lazy_medium_guard {
	/* Keep every other writer away; E2LAZY_ET_LOCKED if there is one. */
	errcode_t	(*lock)(void *priv);
	void		(*unlock)(void *priv);
	/* E2LAZY_ET_CHANGED if the name leads to another device now. */
	errcode_t	(*check)(void *priv);
	void		*priv;
};

/*
 * A device without a path: a handle that the caller has open, or a name that
 * only the caller's io_manager knows.
 */
struct e2lazy_medium {
	ext2_filsys	fs;	/* NULL: open @name through opts->manager */
	const char	*name;
	uint64_t	bytes;	/* from the file system's beginning; 0: as many
				   as can be read */
	/* For @name; must live as long as the journal.  NULL: read-only. */
	const struct e2lazy_medium_guard *guard;
};

/*
 * e2lazy_open_medium - e2lazy_open() without a path
 * @fs:      the file system
 * @journal: its external journal; NULL: none, or opts->journal is its path
 * @opts:    may be NULL
 *
 * Open a handle in @fs with EXT2_FLAG_64BITS and without EXT2_FLAG_SUPER_ONLY.
 * The library only reads through it.  Keep it open longer than the journal, and
 * close it yourself.  For a handle, opts->superblock, blocksize, torn and
 * offset have no effect.  A name needs opts->manager, and gets the same checks
 * as a path.
 */
errcode_t e2lazy_open_medium(const struct e2lazy_medium *fs,
			     const struct e2lazy_medium *journal,
			     const struct e2lazy_open_opts *opts,
			     struct e2lazy_journal **out,
			     struct e2lazy_where *where);

#ifdef __cplusplus
}
#endif

#endif
