/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef E2LAZY_SUPER_H
#define E2LAZY_SUPER_H

#include "e2lazy.h"

/* The static block that holds the primary superblock. */
blk64_t super_fsblk(const struct e2lazy_journal *journal);

/*
 * The superblock that tells the file system's geometry now, in host order:
 * the static one, unless @logged, its newest copy in the log or NULL, has been
 * made larger by an online resize.  Neither place always holds the newer one,
 * for the kernel writes the superblock in both; but on line there is only
 * growing.
 */
errcode_t newest_super(struct e2lazy_journal *journal,
		       const struct e2lazy_copy *logged,
		       struct ext2_super_block *out);

#endif
