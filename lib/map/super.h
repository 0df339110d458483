/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_SUPER_H
#define E2LAZY_SUPER_H

#include "e2lazy.h"

/* The static block that holds the primary superblock. */
blk64_t super_fsblk(const struct e2lazy_journal *journal);

/* When it was written, by its own account; in host order. */
uint64_t super_written(const struct ext2_super_block *sb);

/*
 * super_merge - the newest superblock, from the two places that have one
 * @block: the newest copy in the log of the static block that holds it
 * @then:  as of the time of that copy: it alone counts
 * @out:   in host order
 *
 * Neither place always holds the newer one, for the kernel logs the superblock
 * and also writes it in place.  The base is the larger file system, for on
 * line there is only growing; else what was written later by its own account;
 * else the log, whose transactions follow the mount that wrote in place.  The
 * list of orphans is the log's, being part of its transactions.  Errors that
 * either has noted are kept.  (Linux fs/ext4/super.c: ext4_update_super(),
 * ext4_commit_super(); e2fsck saves the errors likewise.)
 *
 * EXT2_ET_SB_CSUM_INVALID where the copy's own checksum is wrong, and
 * EXT2_ET_CORRUPT_SUPERBLOCK where it is not of this file system.
 */
errcode_t super_merge(const struct e2lazy_journal *journal, const void *block,
		      bool then, struct ext2_super_block *out);

/*
 * Whether two superblocks of one file system have the same in all fields that
 * stay the same as long as it is mounted.  Where a superblock has no checksum,
 * nothing else tells that half of it was not written.
 */
bool super_agrees(const struct ext2_super_block *a,
		  const struct ext2_super_block *b);

/*
 * super_count_free - free blocks and inodes as the group descriptors have them
 * @fs: newest superblock and descriptors
 *
 * The kernel keeps the superblock's own counts for statfs() alone, brings them
 * up to date as it unmounts, and counts anew as it mounts.  They are left as
 * they are where a descriptor's checksum is bad or the sum impossible.
 */
void super_count_free(ext2_filsys fs, struct ext2_super_block *sb);

/*
 * super_merge() of @logged or, where that is NULL or cannot be used, the
 * static superblock alone: good enough for geometry.
 */
errcode_t newest_super(struct e2lazy_journal *journal,
		       const struct e2lazy_copy *logged, bool then,
		       struct ext2_super_block *out);

#endif
