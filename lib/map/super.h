/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef E2LAZY_SUPER_H
#define E2LAZY_SUPER_H

#include "e2lazy.h"

/*
 * The superblock that tells the file system's geometry now, in host order:
 * the static one, unless the log holds a copy that an online resize has made
 * larger.  Neither place always holds the newer one, for the kernel writes
 * the superblock in both; but only growing happens on line.  @map may be NULL.
 */
errcode_t newest_super(struct e2lazy_journal *journal,
		       const struct e2lazy_jmap *map,
		       struct ext2_super_block *out);

#endif
