/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_SUPER_H
#define E2LAZY_SUPER_H

#include "e2lazy.h"

/* The static block that holds the primary superblock. */
blk64_t super_fsblk(const struct e2lazy_journal *journal);

/* s_wtime, the time of its last write, in seconds; @sb in host order. */
uint64_t super_written(const struct ext2_super_block *sb);

/*
 * super_merge - the newest superblock, from the log and the static block
 * @block: the newest logged copy of the static block that holds it
 * @then:  the superblock at the time of that copy: of the static block take
 *	   only errors, features set since, the label and what was written
 * @out:   in host order
 *
 * The kernel logs the superblock and also writes it in place, so either can be
 * newer.  The larger file system wins, because a mounted one can only grow;
 * then the later s_wtime; then the log, whose transactions follow the mount
 * that wrote in place.  The list of orphans comes from the log, because it is
 * part of its transactions.  Errors noted in either are kept.  (Linux
 * fs/ext4/super.c: ext4_update_super(), ext4_commit_super(); e2fsck keeps the
 * errors, too.)
 *
 * EXT2_ET_SB_CSUM_INVALID if the copy's checksum is wrong,
 * EXT2_ET_CORRUPT_SUPERBLOCK if the copy is of another file system.  One of this
 * file system may have another UUID, if all checksums begin with the same seed:
 * the seed of @journal's handle serves either.
 */
errcode_t super_merge(const struct e2lazy_journal *journal, const void *block,
		      bool then, struct ext2_super_block *out);

/*
 * Do two superblocks of one file system agree in all fields that a mount never
 * changes?  If a superblock has no checksum, only this shows a torn write.
 */
bool super_agrees(const struct ext2_super_block *a,
		  const struct ext2_super_block *b);

/*
 * super_count_free - set free blocks and inodes from the group descriptors
 * @fs: newest superblock and descriptors
 *
 * The kernel uses the superblock's counts for statfs() only; it updates them at
 * unmount and counts again at mount.  @sb stays unchanged if a descriptor's
 * checksum is bad or a sum is impossible.
 */
void super_count_free(ext2_filsys fs, struct ext2_super_block *sb);

/*
 * super_merge() with @logged; if that is NULL or unusable, the static
 * superblock alone, which is good enough for geometry.
 */
errcode_t newest_super(struct e2lazy_journal *journal,
		       const struct e2lazy_copy *logged, bool then,
		       struct ext2_super_block *out);

/*
 * What early kernels with journal_lazy wrote into s_mount_opts, and a program
 * for making file systems can.  It outlives the mounts of other kernels: a later
 * kernel removes it, and has a record in the journal's superblock instead.
 */
#define SUPER_LAZY	"journal_lazy"
/* Is it one of the mount options that the superblock has? */
/* Is it to be mounted with data=journal, so that contents of files are logged? */
bool super_journals_data(const struct ext2_super_block *sb);
bool super_has_option(const struct ext2_super_block *sb, const char *option);

#endif
