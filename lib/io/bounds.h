/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bounds.h - a file system may declare no more groups than it describes */
#ifndef E2LAZY_BOUNDS_H
#define E2LAZY_BOUNDS_H

#include <stdbool.h>

#include <ext2fs/ext2fs.h>

/* Group descriptors that were looked at, in bytes. */
struct described {
	uint64_t	held;		/* in blocks that hold something */
	uint64_t	empty;		/* in blocks of zeros */
};

/*
 * Count the @bytes of descriptor blocks at @blocks, each of @blocksize.  Empty
 * ones may exceed the others by E2LAZY_EMPTY_DESCRIPTORS; beyond that:
 * E2LAZY_ET_GROUPS.
 */
#define E2LAZY_EMPTY_DESCRIPTORS	(1 << 20)
errcode_t described_count(struct described *described, const void *blocks,
			  size_t bytes, unsigned blocksize);

/*
 * ext2fs_open2() of a file system that may be an enemy's: what it declares is
 * held against the format and against its descriptors before libext2fs takes
 * memory for all of them.  E2LAZY_ET_GEOMETRY, E2LAZY_ET_GROUPS; a set of its
 * blocks takes memory by the blocks that are in it.
 */
errcode_t open_bounded(const char *name, const char *io_options, int flags,
		       int superblock, unsigned blocksize, io_manager manager,
		       ext2_filsys *out);

#endif
