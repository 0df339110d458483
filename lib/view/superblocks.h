/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* superblocks.h - the two superblocks as a checkpoint would leave them */
#ifndef E2LAZY_SUPERBLOCKS_H
#define E2LAZY_SUPERBLOCKS_H

#include "log/log.h"

/* A block that the view makes instead of reading it. */
struct made_block {
	blk64_t		fsblk;		/* on its own device */
	uint8_t		*bytes;
};

struct superblocks {
	struct made_block super;	/* of the file system */
	struct made_block journal;
};

/* Call superblocks_free() even after an error. */
errcode_t superblocks_make(struct superblocks *made,
			   struct e2lazy_journal *journal,
			   const struct e2lazy_jmap *map,
			   struct e2lazy_where *where);
void superblocks_free(struct superblocks *made);

/*
 * torn.c: is the bad checksum of the static superblock that of a checkpoint's
 * unfinished write?  @made: the superblock that a checkpoint would write.
 */
bool superblock_is_torn(const struct superblocks *made,
			struct e2lazy_journal *journal,
			const struct e2lazy_jmap *map);

#endif
