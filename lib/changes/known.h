/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * known.h - blocks of metadata as they were before the next transaction
 *
 * A copy from the log is exact.  A block from its static place may already have
 * bytes of transactions that are still to come: the kernel changes its buffers
 * before it commits.  These bytes are of the transaction that was being committed
 * when the block was read, or of the one that was running then.  So a block that
 * neither of the two logs was exact, and one that they do is in doubt.
 */
#ifndef E2LAZY_CHANGES_KNOWN_H
#define E2LAZY_CHANGES_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ext2fs/ext2fs.h>

struct known_block {
	blk64_t		fsblk;
	struct known_block *chain;	/* same bucket */
	struct known_block *newer, *older;
	uint32_t	sure;		/* in doubt up to this transaction */
	bool		in_doubt;
	bool		open;		/* @sure is not known yet */
	uint8_t		bytes[];
};

struct known {
	struct known_block **buckets;
	size_t		nr_buckets, nr, most;
	struct known_block *newest, *oldest;
	unsigned	blocksize;
	bool		any_open;
	bool		dropped;	/* a block, for want of room */
};

/* @bytes: the most that the blocks may take. */
errcode_t known_init(struct known *known, unsigned blocksize, uint64_t bytes);
void known_free(struct known *known);
/* NULL: not known. */
struct known_block *known_get(struct known *known, blk64_t fsblk);
/* An exact copy; the block used longest ago makes room. */
errcode_t known_put(struct known *known, blk64_t fsblk, const uint8_t *bytes);
/* A block from its static place; left out where the room is used up. */
errcode_t known_put_static(struct known *known, blk64_t fsblk,
			   const uint8_t *bytes);
void known_drop(struct known *known, blk64_t fsblk);
/* All static blocks so far were read before transaction @tid + 1 began. */
void known_settle(struct known *known, uint32_t tid);
/* May the block have bytes of transaction @tid? */
bool known_doubts(const struct known_block *block, uint32_t tid);
static inline bool known_is_full(const struct known *known)
{
	return known->nr >= known->most;
}

#endif
