/* SPDX-License-Identifier: GPL-2.0-only */
/* tids.h - transactions that are asked for: --tid, --since, --until */
#ifndef MISC_TIDS_H
#define MISC_TIDS_H

#include "session.h"

/* A range may run past 2^32. */
struct tid_range {
	uint32_t	first, last;
};

struct tid_ranges {
	struct tid_range at[MAX_RANGES];
	unsigned	count;		/* 0: all transactions */
	bool		since_set, until_set;
	struct instant	since, until;	/* commit times */
};

static inline bool tid_in(const struct tid_ranges *ranges, uint32_t tid)
{
	const struct tid_range *at = ranges->at, *end = at + ranges->count;

	while (at < end && tid - at->first > at->last - at->first)
		at++;
	return at < end || !ranges->count;
}

/* Is a commit time between --since and --until?  Not an unknown one. */
static inline bool tid_time_in(const struct tid_ranges *ranges,
			       struct instant at)
{
	if (!ranges->since_set && !ranges->until_set)
		return true;
	return at.sec &&
	       (!ranges->since_set || !instant_before(at, ranges->since)) &&
	       (!ranges->until_set || !instant_before(ranges->until, at));
}

static inline bool tids_timed(const struct tid_ranges *ranges)
{
	return ranges->since_set || ranges->until_set;
}

/* Take the argument of --since or --until. */
bool session_since(struct session *session, const char *text,
		   struct tid_ranges *ranges);
bool session_until(struct session *session, const char *text,
		   struct tid_ranges *ranges);

/* Add an argument of --tid to @ranges. */
bool session_tids(struct session *session, const char *text,
		  struct tid_ranges *ranges);
/* Report a range without a transaction of the log; that is no error. */
void session_tell_tids(struct session *session,
		       const struct tid_ranges *ranges);
/* Report transactions of which nobody knows whether the time is the one asked for. */
void session_tell_times(struct session *session,
			const struct tid_ranges *ranges);

#endif
