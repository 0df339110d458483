/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lap.c - find the end of an older lap of the log: see lap.h */

#include "lap.h"
#include "look.h"

/* Is there a sound control block of transaction @tid? */
static bool goes_on(struct e2lazy_journal *j, uint32_t at, uint32_t tid,
		    uint8_t *block)
{
	struct sighting s;

	return !e2lazy_read_log(j, at, 1, block) &&
	       sighting_read(&s, j, at, block) && s.tid == tid;
}

bool lap_settle(struct e2lazy_journal *j, struct lap *lap, uint32_t from,
		uint32_t blocks, uint32_t tid)
{
	const struct e2lazy_geometry *g = &j->geo;
	const struct lap log = lap_of_log(g), other = lap_other(g);
	uint32_t nearest = log.end < other.end ? log.end : other.end;
	uint8_t *block = NULL;

	if (!g->other_end || from >= nearest || blocks < nearest - from ||
	    blocks > lap_size(log) || blocks > lap_size(other))
		return false;
	*lap = log;
	if (io_channel_alloc_buf(j->io, 1, &block))
		return true;
	if (!goes_on(j, lap_add(log, from, blocks), tid, block) &&
	    goes_on(j, lap_add(other, from, blocks), tid, block))
		*lap = other;
	ext2fs_free_mem(&block);
	return true;
}
