/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lap.h - the blocks of the journal that one lap of the log uses
 *
 * Each lap of the log uses the blocks [first, end) as a ring.  A journal can
 * hold laps with two different ends, because the fast-commit area takes the
 * last blocks of the journal only while the feature is on:
 *
 *  - jbd2 clears the feature in the journal superblock each time it empties the
 *    log, and keeps s_num_fc_blks.  ext4 sets it again after it has loaded the
 *    log.  So a kernel takes the end of the log [tail, head) from the feature
 *    as it is on disk (geometry.end), and so does everything that writes.
 *  - The feature says nothing about older laps.  Those end at geometry.end or
 *    at geometry.other_end, and only the transaction that wraps shows at which:
 *    it continues at the ring's first block from there.
 *
 * Functions ring_*() in log.h use the end of the log.  The walk of an older
 * stretch, the scan of the ring and whatever follows them use a lap.
 */
#ifndef E2LAZY_LAP_H
#define E2LAZY_LAP_H

#include "e2lazy.h"

struct e2lazy_journal;

struct lap {
	uint32_t	first, end;	/* log blocks [first, end) */
};

static inline struct lap lap_of_log(const struct e2lazy_geometry *g)
{
	return (struct lap){ g->first, g->end };
}

static inline struct lap lap_other(const struct e2lazy_geometry *g)
{
	return (struct lap){ g->first, g->other_end };
}

/* The lap that has every block of both. */
static inline struct lap lap_longest(const struct e2lazy_geometry *g)
{
	return g->other_end > g->end ? lap_other(g) : lap_of_log(g);
}

/* The lap to assume for a chain that begins at @logblk. */
static inline struct lap lap_from(const struct e2lazy_geometry *g,
				  uint32_t logblk)
{
	return logblk < g->end ? lap_of_log(g) : lap_longest(g);
}

static inline uint32_t lap_size(struct lap lap)
{
	return lap.end - lap.first;
}

static inline uint32_t lap_next(struct lap lap, uint32_t b)
{
	return ++b == lap.end ? lap.first : b;
}

/* @n is at most the lap's size. */
static inline uint32_t lap_add(struct lap lap, uint32_t b, uint32_t n)
{
	uint32_t left = lap.end - b;

	return n < left ? b + n : lap.first + (n - left);
}

/* Blocks from @from forward to @to; 0 if they are the same. */
static inline uint32_t lap_distance(struct lap lap, uint32_t from, uint32_t to)
{
	return to >= from ? to - from : lap_size(lap) - (from - to);
}

/* Does log block @b follow @a directly in a lap of either kind? */
static inline bool lap_follows(const struct e2lazy_geometry *g, uint32_t b,
			       uint32_t a)
{
	return b == a + 1 || b == lap_next(lap_of_log(g), a) ||
	       (g->other_end && b == lap_next(lap_other(g), a));
}

/*
 * lap_settle - choose the lap at the place where a chain may wrap
 * @lap:    the lap assumed so far; set to the one in which the chain goes on
 * @from:   log block of a control block of the chain
 * @blocks: blocks from there to the next control block
 * @tid:    transaction of that next control block
 *
 * Returns true if the chain reaches one of the ends, so that the choice is
 * final.  The log's own end is tried first, and stays where neither lap goes
 * on.  Reads two blocks at most.
 */
bool lap_settle(struct e2lazy_journal *journal, struct lap *lap, uint32_t from,
		uint32_t blocks, uint32_t tid);

#endif
