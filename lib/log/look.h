/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * look.h - the control blocks that stand past the end of the log
 *
 * A look goes block by block from a place of the ring towards the tail, and
 * takes each control block by itself: what stood before it may be gone.
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
	uint32_t	blocks;		/* itself, and the copies behind it */
	uint8_t		type;		/* enum jbd2_type */
	uint8_t		csum;		/* enum e2lazy_csum_state */
	bool		dated;		/* @sec is known */
	bool		foreign;	/* an earlier file system left it */
};

/* False where @block is no descriptor, revoke or commit block, or is bad. */
bool sighting_read(struct sighting *s, const struct e2lazy_journal *journal,
		   uint32_t logblk, const uint8_t *block);

struct look {
	struct e2lazy_journal *journal;
	struct birth	birth;
	uint32_t	from;		/* log block */
	uint32_t	rest;		/* blocks from there to the tail */
	uint32_t	looked;		/* of these so far */
	/* A block that the walk has judged already, and is passed over; or 0. */
	uint32_t	judged;

	struct sighting	*at;		/* in ring order */
	size_t		nr, room;

	uint32_t	unreadable;	/* blocks */
	uint32_t	first_unreadable;
	errcode_t	why_unreadable;	/* of that one */

	const struct e2lazy_watch *watch;	/* or NULL */

	struct lookahead	span;
	uint32_t	ahead;		/* blocks it may still read ahead */
	uint8_t		*block;
};

/*
 * @end: how the walk ended; @from: a log block from its head on, and @rest
 * blocks from there to the tail.
 */
errcode_t look_init(struct look *look, struct e2lazy_journal *journal,
		    const struct e2lazy_end *end, uint32_t from,
		    uint32_t rest);
void look_free(struct look *look);

/*
 * Look on until @limit blocks were looked at, or all.  A hole of an image file
 * is zeros, and is passed over.
 */
errcode_t look_on(struct look *look, uint64_t limit);

/*
 * Find out which of the sightings are foreign.  Reads ahead for the commit
 * block of a transaction whose begin has been looked at: as many blocks as the
 * ring has, at most, and what is left undated then is not foreign.
 */
void look_settle(struct look *look);

/* Blocks from where the look begins to @logblk. */
static inline uint32_t look_distance(const struct look *look, uint32_t logblk)
{
	return ring_distance(&look->journal->geo, look->from, logblk);
}

#endif
