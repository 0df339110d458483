/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kind.h - can a block hold what its place demands? */
#ifndef E2LAZY_KIND_H
#define E2LAZY_KIND_H

#include "e2lazy_view.h"

/* A block, its place, and what is known of the file system. */
struct kind {
	ext2_filsys	fs;		/* newest superblock and descriptors */
	ext2_filsys	before;		/* the same as they are in place */
	blk64_t		fsblk;
	struct e2lazy_place place;
	struct e2lazy_owner owner;	/* if @place is E2LAZY_TYPE_OTHER */
	const uint8_t	*block;
};

/*
 * False only if a block of that kind and place cannot look like this.  Where a
 * checksum of the block itself decides, it says true.  An inode bitmap that it
 * needs and cannot read proves nothing.
 */
bool kind_fits(const struct kind *kind);
/*
 * The same for group descriptors alone: with wrong ones @fs has a wrong layout,
 * in which they may have another place.
 */
bool kind_descriptors_fit(const struct kind *kind);

/* The number of the first @bits that are 0. */
unsigned bits_clear(const uint8_t *bitmap, unsigned bits);

#endif
