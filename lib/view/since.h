/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* since.h - the transactions later than those of a map */
#ifndef E2LAZY_SINCE_H
#define E2LAZY_SINCE_H

#include "e2lazy.h"

struct since {
	struct e2lazy_range *ranges;	/* with the later transactions, and some
					   of the map's; walk each by itself */
	uint32_t	nr_ranges;
	bool		covered;	/* the ranges have all of them */
	bool		fresh;		/* see log_is_fresh() */
	bool		mounts;		/* several mounts wrote the map's, */
	uint32_t	mount;		/* and the last begins with this tid */
};

/*
 * For a map of the log, the later transactions are in the log.  For any other
 * range this scans the whole ring, and takes those of later histories, too.
 * @covered if the map's own history goes on to now.  @fresh if a mount that began
 * with an empty log wrote the map's last transactions, and all since then are in
 * the map.
 */
errcode_t since_find(struct since *since, struct e2lazy_journal *journal,
		     const struct e2lazy_jmap *map);
void since_free(struct since *since);

/*
 * Has the log lost no transaction since it was empty?  If it has, a static block
 * may be older than the log's first transaction.  For if a block was logged
 * again before the checkpoint of its first copy, that copy never goes home, and
 * the tail passes it all the same.
 */
bool log_is_fresh(struct e2lazy_journal *journal);

#endif
