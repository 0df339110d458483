/* SPDX-License-Identifier: GPL-2.0-only */
/* tids.h - the ranges of --tid A[-B]; a range may run past 2^32 */
#ifndef MISC_TIDS_H
#define MISC_TIDS_H

#include "session.h"

struct tid_range {
	uint32_t	first, last;
};

struct tid_ranges {
	struct tid_range at[MAX_RANGES];
	unsigned	count;		/* 0: all transactions */
};

static inline bool tid_in(const struct tid_ranges *ranges, uint32_t tid)
{
	const struct tid_range *at = ranges->at, *end = at + ranges->count;

	while (at < end && tid - at->first > at->last - at->first)
		at++;
	return at < end || !ranges->count;
}

/* Add an argument of --tid to @ranges. */
bool session_tids(struct session *session, const char *text,
		  struct tid_ranges *ranges);
/* Report a range without a transaction of the log; that is no error. */
void session_tell_tids(struct session *session,
		       const struct tid_ranges *ranges);

#endif
