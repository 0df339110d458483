/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * encode.h - write transactions: the one maker of descriptor, revoke and commit
 * blocks
 *
 *	encode_begin()		a transaction, and the place of its first block
 *	encode_revoke()		revoke records; before the first copy
 *	encode_copy()		copies, in the order of their calls
 *	encode_rest()		hand out all blocks but the commit block
 *	encode_commit()		make the commit block
 *
 * It writes to no device: it hands out blocks, and its caller orders writes and
 * flushes.  The commit block comes last and alone, because everything else must
 * be durable before it.
 */
#ifndef E2LAZY_ENCODE_H
#define E2LAZY_ENCODE_H

#include "log.h"

struct encoder {
	const struct e2lazy_journal *journal;
	/* Takes @count blocks for log blocks from @logblk on. */
	errcode_t	(*put)(void *priv, uint32_t logblk, uint32_t count,
			       const uint8_t *blocks);
	void		*priv;
	uint32_t	tid;
	uint32_t	next;		/* log block of the next block */
	uint32_t	room;		/* ring blocks that are left for it */

	uint32_t	most_tags;	/* of a descriptor */
	uint8_t		*blocks;	/* a control block, and its copies */
	uint32_t	type;		/* of that block; 0: none */
	uint32_t	count;		/* of tags or records */
	unsigned	pos;		/* bytes used in that block */
	unsigned	last_tag;	/* position */
	uint32_t	crc_v1;
};

/* Ring blocks of a transaction with so many items, commit block included. */
uint64_t encode_blocks(const struct jbd2_format *format, uint64_t copies,
		       uint64_t revokes);

/*
 * Begin transaction @tid at log block @at; it may take @room blocks.  Call
 * encode_end() even after an error.
 */
errcode_t encode_begin(struct encoder *e, const struct e2lazy_journal *journal,
		       uint32_t tid, uint32_t at, uint32_t room);
void encode_end(struct encoder *e);

/*
 * Both refuse a block that the format cannot name, or that is the journal's
 * own, with EXT2_ET_INVALID_ARGUMENT; ENOSPC if the room does not suffice.
 * @block is as in place: it is escaped here.
 */
errcode_t encode_revoke(struct encoder *e, blk64_t fsblk);
errcode_t encode_copy(struct encoder *e, blk64_t fsblk, const uint8_t *block);
errcode_t encode_rest(struct encoder *e);
/*
 * Call it after encode_rest().  Fills @block, which belongs to log block
 * e->next; then e->next is the one behind it.
 */
errcode_t encode_commit(struct encoder *e, uint64_t sec, uint32_t nsec,
			uint8_t *block);

#endif
