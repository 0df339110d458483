/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * append.h - one transaction more at the head of the log
 *
 * Its descriptors and copies go to the disk, then a flush, the commit block and
 * another flush.  A power cut before the last flush leaves a transaction
 * without a commit block: the log ends before it, as it did.  Old blocks of its
 * number must be gone before (broken_off.c).
 *
 * What was written can be read back: the copies before their commit block is
 * written, so that bad ones never count, and the commit block at the end.
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
	const struct e2lazy_watch *watch;
	/* Hands each copy to encode_copy(). */
	errcode_t	(*copies)(void *priv, struct encoder *encoder);
	void		*priv;
	uint64_t	sec;		/* time of the commit */
	uint32_t	*sums;		/* of the blocks from @head on; NULL:
					   nothing is read back */
	uint8_t		*back;		/* blocks that were read back */

	/* Of the transaction at hand, by append_txn(). */
	uint32_t	head;
	struct encoder	encoder;
};

/* Memory to read transactions of up to @blocks back, and its end. */
errcode_t append_compares(struct append *a, uint32_t blocks);
void append_end(struct append *a);

/*
 * The time of a new commit: now, but as it is stored not before the log's last
 * one.  Behind a commit of debugfs it is stored as debugfs does.
 */
uint64_t append_time(const struct e2lazy_jmap *map);
/* Write transaction @tid, of @blocks log blocks, from @head on. */
errcode_t append_txn(struct append *a, uint32_t tid, uint32_t head,
		     uint32_t blocks);

#endif
