/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * birth.h - was a transaction committed before the file system was made?
 *
 * A journal that mke2fs does not zero keeps the blocks of the file system that
 * was there before, and without checksums v2 or v3 nothing but their time
 * tells them from this one's.  Commit times are the clock's of the machine that
 * wrote them, and a clock may be wrong.  So s_mkfs_time counts only where
 * nothing contradicts it: no transaction of the log itself, and not the last
 * mount, is older.
 */
#ifndef E2LAZY_BIRTH_H
#define E2LAZY_BIRTH_H

#include "e2lazy.h"

struct birth {
	uint64_t	made;		/* seconds; 0: it tells nothing */
};

/* @end: how the walk through the log ended. */
void birth_init(struct birth *birth, const struct e2lazy_journal *journal,
		const struct e2lazy_end *end);

/* s_mkfs_time, in seconds. */
uint64_t birth_time(const struct e2lazy_journal *journal);

/* Was it an earlier file system that committed something then? */
static inline bool is_before_birth(const struct birth *birth, uint64_t sec)
{
	return sec < birth->made;
}

#endif
