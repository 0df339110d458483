/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bounds.h - a file system may declare no more groups than it describes */
#ifndef E2LAZY_BOUNDS_H
#define E2LAZY_BOUNDS_H

#include <stdbool.h>

#include <ext2fs/ext2fs.h>

/* Bytes of group descriptors seen so far. */
struct described {
	uint64_t	held;		/* in blocks that are not all zeros */
	uint64_t	empty;		/* in blocks of zeros */
};

/*
 * Add the @bytes of descriptor blocks at @blocks, each of @blocksize bytes.
 * E2LAZY_ET_GROUPS when @empty exceeds @held by more than
 * E2LAZY_EMPTY_DESCRIPTORS bytes.
 */
#define E2LAZY_EMPTY_DESCRIPTORS	(1 << 20)
errcode_t described_count(struct described *described, const void *blocks,
			  size_t bytes, unsigned blocksize);

/*
 * ext2fs_open2() of a file system that may be hostile.  The superblock must
 * agree with the format (else E2LAZY_ET_GEOMETRY) and with its descriptors
 * (else E2LAZY_ET_GROUPS) before libext2fs allocates them all.  Bitmaps of the
 * handle are trees, which take memory only for the blocks in them.
 */
errcode_t open_bounded(const char *name, const char *io_options, int flags,
		       int superblock, unsigned blocksize, io_manager manager,
		       ext2_filsys *out);

#endif
