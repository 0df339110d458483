/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* since.h - the transactions that came after those of a map */
#ifndef E2LAZY_SINCE_H
#define E2LAZY_SINCE_H

#include "e2lazy.h"

struct since {
	struct e2lazy_range *ranges;	/* of them, each to be walked by
					   itself; some of the map's too */
	uint32_t	nr_ranges;
	bool		covered;	/* there are no others */
	bool		mounts;		/* the map's are of several mounts, */
	uint32_t	mount;		/* of which the last begins here: tid */
};

/*
 * Of a map of the log these are in the log; of any other range all of the ring
 * is scanned, and what is in a later history came later.  @covered where the
 * map's own history goes on to now.
 */
errcode_t since_find(struct since *since, struct e2lazy_journal *journal,
		     const struct e2lazy_jmap *map);
void since_free(struct since *since);

#endif
