/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * append.h - one transaction more at the head of the log
 *
 * Its descriptors and copies go to the disk, then a flush, the commit block and
 * another flush.  A power cut before the last flush leaves a transaction
 * without a commit block: the log ends before it, as it did.
 */
#ifndef E2LAZY_APPEND_H
#define E2LAZY_APPEND_H

#include "log/encode.h"
#include "mend.h"

struct append {
	struct e2lazy_journal *journal;
	struct target	*target;
	struct e2lazy_checkpoint_done *done;	/* counts log blocks, requests */
	struct e2lazy_where *where;
	/* Hands each copy to encode_copy(). */
	errcode_t	(*copies)(void *priv, struct encoder *encoder);
	void		*priv;
	uint64_t	sec;		/* time of the commit */

	/* Of the transaction at hand, by append_txn(). */
	struct encoder	encoder;
};

/* The time of a new commit: now, but not before the log's last one. */
uint64_t append_time(const struct e2lazy_jmap *map);
/*
 * E2LAZY_ET_UNSOUND if transaction @tid would go on at log block @at: a later
 * number than the head's must not stand behind it by chance.
 */
errcode_t append_ends(struct e2lazy_journal *journal, uint32_t at,
		      uint32_t tid, struct e2lazy_where *where);
/* The place @at of @logblk, and the @run of at most @count in a row there. */
errcode_t append_run(struct e2lazy_journal *journal, uint32_t logblk,
		     uint32_t count, blk64_t *at, uint32_t *run);
/* An encoder's put; @priv is a struct append, up to @where. */
errcode_t append_put(void *priv, uint32_t logblk, uint32_t count,
		     const uint8_t *blocks);
/* Write transaction @tid, of @blocks log blocks, from @head on. */
errcode_t append_txn(struct append *a, uint32_t tid, uint32_t head,
		     uint32_t blocks);

#endif
