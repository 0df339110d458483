/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_medium.h - a journal without a path, or without its superblock
 *
 * Where there is no path no device is held, so nobody could tell later that it
 * is still the same: e2lazy_unchanged() and all that write fail with
 * E2LAZY_ET_NOT_HELD, and e2lazy_device() has a name, an offset and a size.
 *
 * e2lazy_open_opts.geometry stands in for a journal superblock that is lost.
 * Of it count blocksize, version, maxlen, first, end, start, sequence, head,
 * error, the three words of features and uuid; the rest is found.  It is
 * refused as a superblock that says so, or with E2LAZY_ET_GEOMETRY.  All that
 * write fail with E2LAZY_ET_NOT_HELD then, too.
 */
#ifndef E2LAZY_MEDIUM_H
#define E2LAZY_MEDIUM_H

#include "e2lazy.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A device that is not opened by a path: a handle that the caller has open, or
 * a name that says something to the io_manager alone.
 */
struct e2lazy_medium {
	ext2_filsys	fs;	/* NULL: open @name through opts->manager */
	const char	*name;
	uint64_t	bytes;	/* from where the file system begins; 0: as
				   many as can be read */
};

/*
 * e2lazy_open_medium - e2lazy_open() where there is no path
 * @fs:      the file system
 * @journal: its external journal; NULL: none, or opts->journal is its path
 * @opts:    may be NULL
 *
 * A handle in @fs must have been opened with EXT2_FLAG_64BITS and not with
 * EXT2_FLAG_SUPER_ONLY; it is only read, must stay open longer than the
 * journal, and is the caller's to close.  How it was opened is the caller's
 * affair: opts->superblock, blocksize, torn and offset are not used.  What a
 * name opens is checked like a path; opts->manager then has to be given.
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
