/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * feed.h - the transactions of a log that a kernel is writing, one by one
 *
 * The reader waits at the block where the next transaction will begin, with the
 * number that it will have.  A transaction counts when its commit block is there.
 *
 * The kernel does not wait for readers, and may overwrite a transaction while it
 * is being read.  It makes a new tail durable before it uses the blocks of older
 * transactions again.  So the journal superblock is read again behind the copies:
 * if the tail is no later than the transaction, nothing was overwritten.  An empty
 * log has no tail; but the kernel sets one before it writes to that log again, so
 * nothing was overwritten since, if first and last block are as they were.  Past
 * the tail only checksums of all blocks prove that.  Whatever is not proved is
 * lost, and is said to be.
 */
#ifndef E2LAZY_CHANGES_FEED_H
#define E2LAZY_CHANGES_FEED_H

#include "log/log.h"

struct feed_copy {
	blk64_t		fsblk;
	uint32_t	logblk, csum;
	unsigned	flags;
	uint8_t		*bytes;		/* in feed_txn.bytes */
};

struct feed_txn {
	struct feed_txn	*next;
	uint32_t	tid;
	uint32_t	start, end;	/* log blocks: first, and commit block */
	uint64_t	sec;
	uint32_t	nsec;
	uint32_t	sum;		/* crc32c of the commit block */
	struct feed_copy *copies;	/* ascending by block */
	size_t		nr, room;
	blk64_t		*revoked;
	size_t		nr_revoked, revoked_room;
	uint8_t		*bytes;		/* NULL: it has no copies */
	bool		too_large;	/* its copies and revokes are not all here */
};

/* A place between two transactions. */
struct feed_place {
	uint32_t	tid;		/* of the last one before it */
	uint32_t	logblk;		/* its commit block; 0: none is known */
	uint32_t	sum;		/* crc32c of that block */
};

enum feed_state {
	FEED_TXN,
	FEED_NOTHING,		/* the next transaction is not there yet */
	FEED_LOST,		/* it was overwritten, is damaged or too large */
};

struct feed {
	struct e2lazy_journal *journal;
	struct feed_place at;
	uint32_t	next;		/* log block; 0: where the log begins */
	unsigned	tries;		/* of a transaction that does not fit */
	unsigned	torn;		/* reads of the journal superblock, in a row */
	uint64_t	most_bytes;	/* of a transaction's copies and revokes */
	uint8_t		*block;
};

errcode_t feed_init(struct feed *feed, struct e2lazy_journal *journal);
void feed_free(struct feed *feed);
/* Go to the end of the log. */
errcode_t feed_seek_head(struct feed *feed);
/* Go to a place; false: the ring does not have it any more. */
errcode_t feed_seek(struct feed *feed, const struct feed_place *place,
		    bool *found);
/* On FEED_TXN the caller frees @txn. */
errcode_t feed_read(struct feed *feed, enum feed_state *state,
		    struct feed_txn **txn);
/* After FEED_NOTHING: is nothing there, rather than what cannot be read yet? */
static inline bool feed_is_idle(const struct feed *feed)
{
	return !feed->tries && !feed->torn;
}
void feed_txn_free(struct feed_txn *txn);
/* What it takes in memory, in blocks: a commit block counts as one. */
size_t feed_txn_blocks(const struct feed *feed, const struct feed_txn *txn);
const struct feed_copy *feed_txn_find(const struct feed_txn *txn,
				      blk64_t fsblk);

#endif
