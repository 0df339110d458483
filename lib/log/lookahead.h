/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_LOOKAHEAD_H
#define E2LAZY_LOOKAHEAD_H

#include "log.h"

/* Blocks of the ring, read ahead of those who go through them one by one. */
struct lookahead {
	struct e2lazy_journal *journal;
	uint8_t		*buf;
	uint32_t	room;		/* blocks that @buf can have */
	uint32_t	at;		/* first log block in @buf */
	uint32_t	blocks;		/* how many there are in it */
};

errcode_t lookahead_init(struct lookahead *span, struct e2lazy_journal *journal);
void lookahead_free(struct lookahead *span);

/*
 * lookahead_read - one block of the ring
 * @at:   its log block
 * @left: how many blocks from there on will be wanted, itself included
 *
 * NULL where it cannot be read: then *@err says why, and the blocks around it
 * can be read all the same.  Valid until the next call.
 */
const uint8_t *lookahead_read(struct lookahead *span, uint32_t at, uint32_t left,
			 errcode_t *err);

/* It is in memory already. */
static inline bool lookahead_has(const struct lookahead *span, uint32_t at)
{
	return at - span->at < span->blocks;
}

#endif
