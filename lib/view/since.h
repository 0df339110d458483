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
	bool		mounts;		/* several mounts wrote the map's, */
	uint32_t	mount;		/* and the last begins with this tid */
};

/*
 * For a map of the log, the later transactions are in the log.  For any other
 * range this scans the whole ring, and takes those of later histories, too.
 * @covered if the map's own history goes on to now.
 */
errcode_t since_find(struct since *since, struct e2lazy_journal *journal,
		     const struct e2lazy_jmap *map);
void since_free(struct since *since);

#endif
