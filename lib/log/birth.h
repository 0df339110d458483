/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * birth.h - was a transaction committed before the file system was made?
 *
 * mke2fs can leave a journal unzeroed; it then keeps blocks of the file system
 * before.  Without checksums v2 or v3, only the commit time tells old blocks
 * from new ones.  Commit times come from a machine's clock, and a clock may be
 * wrong.  So s_mkfs_time counts only if nothing contradicts it: no transaction
 * of the log and not the last mount is older.
 *
 * Checksums v2 and v3 cover the UUID.  A bad one proves another file system; a
 * good one does not prove this one, because mke2fs -U and a copied image give
 * the same UUID again.  But then a clock that was wrong in an early mount, and
 * right later, is the more common cause of an old time.  So the id must agree:
 * ids ascend, so a transaction of this file system that was committed with the
 * wrong clock has a lower id than all that were committed with the right one.
 */
#ifndef E2LAZY_BIRTH_H
#define E2LAZY_BIRTH_H

#include "e2lazy.h"

struct birth {
	uint64_t	made;		/* s_mkfs_time; 0: it does not count */
	bool		seeded;		/* the checksums cover the UUID */
	uint32_t	since;		/* id of the log's first transaction */
};

/* @end: how the walk through the log ended. */
void birth_init(struct birth *birth, const struct e2lazy_journal *journal,
		const struct e2lazy_end *end);

/* s_mkfs_time, in seconds. */
uint64_t birth_time(const struct e2lazy_journal *journal);

/* Did an earlier file system commit at time @sec?  0 is no time. */
static inline bool is_before_birth(const struct birth *birth, uint64_t sec)
{
	return sec && sec < birth->made;
}

/*
 * Did an earlier file system commit transaction @tid at time @sec?  No, if this
 * one may have done it with a wrong clock.
 */
static inline bool is_foreign(const struct birth *birth, uint32_t tid,
			      uint64_t sec)
{
	return is_before_birth(birth, sec) &&
	       !(birth->seeded && e2lazy_tid_after(birth->since, tid));
}

#endif
