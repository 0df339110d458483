/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* range.c - the stretch of the ring that a walk visits */

#include "log.h"

struct e2lazy_range range_of_log(const struct e2lazy_journal *journal)
{
	const struct e2lazy_geometry *g = &journal->geo;

	return (struct e2lazy_range){ .start = g->start, .tid = g->sequence,
				      .blocks = ring_size(g) };
}

errcode_t range_set(const struct e2lazy_journal *journal,
		    const struct e2lazy_range *asked, struct e2lazy_range *out)
{
	const struct lap lap = lap_longest(&journal->geo);

	*out = range_of_log(journal);
	if (!asked)
		return 0;
	if (asked->start < lap.first || asked->start >= lap.end)
		return E2LAZY_ET_OUTSIDE_LOG;
	if (asked->blocks > lap_size(lap))
		return EXT2_ET_INVALID_ARGUMENT;
	out->start = asked->start;
	out->tid = asked->tid;
	if (asked->blocks)
		out->blocks = asked->blocks;
	else if (!range_in_log(journal, asked))
		out->blocks = lap_size(lap);
	return 0;
}

bool range_in_log(const struct e2lazy_journal *journal,
		  const struct e2lazy_range *range)
{
	const struct e2lazy_geometry *g = &journal->geo;

	return range->start == g->start && range->tid == g->sequence;
}

bool range_is_log(const struct e2lazy_journal *journal,
		  const struct e2lazy_range *range)
{
	const struct e2lazy_range log = range_of_log(journal);

	return range->start == log.start && range->tid == log.tid &&
	       range->blocks == log.blocks;
}
