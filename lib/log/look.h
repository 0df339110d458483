/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * look.h - find the control blocks past the end of the log
 *
 * A look goes block by block from a place of the ring towards the tail.  It
 * judges each control block by itself, for its predecessors may be gone.
 */
#ifndef E2LAZY_LOOK_H
#define E2LAZY_LOOK_H

#include "birth.h"
#include "log.h"
#include "lookahead.h"

/* One control block that is sound by itself. */
struct sighting {
	uint64_t	sec;		/* commit time of its transaction */
	uint32_t	logblk;
	uint32_t	tid;
	uint32_t	blocks;		/* itself and the copies behind it */
	uint8_t		type;		/* enum jbd2_type */
	uint8_t		csum;		/* enum e2lazy_csum_state */
	bool		dated;		/* @sec is known */
	bool		foreign;	/* an earlier file system left it */
};

/* False if @block is no descriptor, revoke or commit block, or is bad. */
bool sighting_read(struct sighting *s, const struct e2lazy_journal *journal,
		   uint32_t logblk, const uint8_t *block);

struct look {
	struct e2lazy_journal *journal;
	struct birth	birth;
	struct lap	lap;		/* the log's; all blocks of an empty one */
	uint32_t	from;		/* log block */
	uint32_t	rest;		/* blocks from @from to the tail */
	uint32_t	looked;		/* blocks of @rest looked at so far */
	uint32_t	judged;		/* skip this block; 0: none */

	struct sighting	*at;		/* in ring order */
	size_t		nr, room;

	uint32_t	unreadable;	/* blocks */
	uint32_t	first_unreadable;
	errcode_t	why_unreadable;	/* error of the first one */

	const struct e2lazy_watch *watch;	/* or NULL */

	struct lookahead	span;
	uint32_t	ahead;		/* blocks it may still read ahead */
	uint8_t		*block;
};

/*
 * @end:  how the walk ended
 * @from: a log block at or past its head
 * @rest: blocks from @from to the tail
 */
errcode_t look_init(struct look *look, struct e2lazy_journal *journal,
		    const struct e2lazy_end *end, uint32_t from,
		    uint32_t rest);
void look_free(struct look *look);

/*
 * Look on until @looked is @limit or @rest.  Skips holes of an image file,
 * which read as zeros.
 */
errcode_t look_on(struct look *look, uint64_t limit);

/*
 * Set @foreign of each sighting.  Reads ahead, at most as many blocks as the
 * ring has, for commit blocks of transactions whose first blocks were seen.
 * A sighting without a date does not count as foreign.
 */
void look_settle(struct look *look);

/* Blocks from @look->from to @logblk. */
static inline uint32_t look_distance(const struct look *look, uint32_t logblk)
{
	return lap_distance(look->lap, look->from, logblk);
}

#endif
