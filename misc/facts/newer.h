/* SPDX-License-Identifier: GPL-2.0-only */
/* newer.h - the number of blocks that are newer in the log, for people */
#ifndef MISC_NEWER_H
#define MISC_NEWER_H

#include "e2lazy.h"

/*
 * Has the log a copy of the superblock?  It always counts as newer, because a
 * replay merges it from both places; but a checkpoint writes it apart, and a
 * plan does not count it.
 */
bool newer_super(const struct e2lazy_jmap *map, unsigned blocksize);
/*
 * "@blocks are newer in the log than in place"; with @super one of them is the
 * superblock, which gets its name.  To be freed; NULL: out of memory.
 */
char *newer_text(unsigned long blocks, bool super);

#endif
