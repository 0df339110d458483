/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_LOOKAHEAD_H
#define E2LAZY_LOOKAHEAD_H

#include "log.h"

/*
 * Blocks of the ring, read in large pieces for a caller that takes single ones.
 */
struct lookahead {
	struct e2lazy_journal *journal;
	io_channel	direct;		/* past the page cache, or NULL */
	uint8_t		*buf;
	uint32_t	room;		/* blocks that fit @buf */
	uint32_t	at;		/* first log block in @buf */
	uint32_t	blocks;		/* number of blocks in @buf */
};

errcode_t lookahead_init(struct lookahead *span, struct e2lazy_journal *journal);
/*
 * The same for a caller that reads blocks here and there: it leaves the page
 * cache alone where the device allows that.
 */
errcode_t lookahead_direct(struct lookahead *span,
			   struct e2lazy_journal *journal);
void lookahead_free(struct lookahead *span);

/*
 * lookahead_read - one block of the ring
 * @at:   its log block
 * @left: number of blocks that the caller will want from @at on
 *
 * NULL if the block cannot be read; *@err has the reason, and its neighbours
 * can still be read.  Valid until the next call.
 */
const uint8_t *lookahead_read(struct lookahead *span, uint32_t at, uint32_t left,
			 errcode_t *err);

/*
 * The control blocks of a log stand where the one before says, so a disk is
 * asked for one after the other.  But all full descriptors have as many copies,
 * and transactions are much alike: the next control blocks can be foreseen, and
 * asked for together.
 */
struct foresight {
	uint32_t	stride;		/* blocks of a full descriptor */
	uint32_t	full, full_before;	/* full descriptors of this
					   transaction, and of the last one */
	bool		ends;		/* a commit block is most likely next */
};

/* The caller follows a chain of control blocks from its begin. */
void foresee_chain(struct foresight *f);
/* It has met a descriptor with @copies, or a commit block. */
void foresee_descriptor(struct foresight *f, uint32_t copies);
void foresee_commit(struct foresight *f);
/* Read the control block at @at; if that takes time, ask for the next, too. */
errcode_t foresight_read(const struct foresight *f,
			 struct e2lazy_journal *journal, uint32_t at,
			 uint8_t *block);

/* Is the block in memory already? */
static inline bool lookahead_has(const struct lookahead *span, uint32_t at)
{
	return at - span->at < span->blocks;
}

#endif
