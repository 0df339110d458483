/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * set_times.h - times that a program has set, as touch(1), tar(1) and cp -p do
 *
 * The kernel sets times to now, and a write sets mtime and ctime to the same now.
 * So a new mtime was set if it differs from ctime, and is earlier than a change of
 * the inode before, or later than the commit.  In a new inode it was set if it is
 * earlier than the creation time.  An atime that goes back was set, too.  A time
 * without nanoseconds is no sign: inodes of 128 bytes have none.
 */
#ifndef E2LAZY_SET_TIMES_H
#define E2LAZY_SET_TIMES_H

#include "changes.h"

static inline bool time_is_same(struct e2lazy_time a, struct e2lazy_time b)
{
	return a.sec == b.sec && a.nsec == b.nsec;
}

/* A clock may be set back a little, and a commit time may lack nanoseconds. */
#define SET_TIMES_SLACK	2	/* seconds */

static inline bool time_is_after_commit(const struct step *step,
					struct e2lazy_time t)
{
	return step->sec && t.sec > (int64_t)step->sec + SET_TIMES_SLACK;
}

static inline bool times_were_set(const struct step *step,
				  const struct e2lazy_inode_state *x,
				  const struct e2lazy_inode_state *y)
{
	/* To set a time sets ctime to now. */
	bool noted = time_is_later(y->ctime, x->ctime);
	bool mtime = !time_is_same(x->mtime, y->mtime) &&
		     !time_is_same(y->mtime, y->ctime) &&
		     (time_is_later(x->ctime, y->mtime) ||
		      time_is_after_commit(step, y->mtime));
	bool atime = !time_is_same(x->atime, y->atime) &&
		     (time_is_later(x->atime, y->atime) ||
		      time_is_after_commit(step, y->atime));

	return noted && (mtime || atime);
}

static inline bool times_were_set_first(const struct step *step,
					const struct e2lazy_inode_state *y)
{
	return !time_is_same(y->mtime, y->ctime) &&
	       ((y->crtime.sec && y->crtime.sec > y->mtime.sec) ||
		time_is_after_commit(step, y->mtime));
}

#endif
