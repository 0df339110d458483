/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * birth.h - was a transaction committed before the file system was made?
 *
 * mke2fs can leave a journal unzeroed; it then keeps blocks of the file system
 * before.  Without checksums v2 or v3, only the commit time tells old blocks
 * from new ones.  Commit times come from a machine's clock, and a clock may be
 * wrong.  So s_mkfs_time counts only if nothing contradicts it: no transaction
 * of the log and not the last mount is older.
 */
#ifndef E2LAZY_BIRTH_H
#define E2LAZY_BIRTH_H

#include "e2lazy.h"

struct birth {
	uint64_t	made;		/* s_mkfs_time; 0: it does not count */
};

/* @end: how the walk through the log ended. */
void birth_init(struct birth *birth, const struct e2lazy_journal *journal,
		const struct e2lazy_end *end);

/* s_mkfs_time, in seconds. */
uint64_t birth_time(const struct e2lazy_journal *journal);

/* Did an earlier file system commit at time @sec? */
static inline bool is_before_birth(const struct birth *birth, uint64_t sec)
{
	return sec < birth->made;
}

#endif
