/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* superblocks.h - the two superblocks that a checkpoint would leave behind */
#ifndef E2LAZY_SUPERBLOCKS_H
#define E2LAZY_SUPERBLOCKS_H

#include "log/log.h"

/* A block that is not read but made. */
struct made_block {
	blk64_t		fsblk;		/* on its own device */
	uint8_t		*bytes;
};

struct superblocks {
	struct made_block super;	/* of the file system */
	struct made_block journal;
};

/* On failure what was made is still to be freed. */
errcode_t superblocks_make(struct superblocks *made,
			   struct e2lazy_journal *journal,
			   const struct e2lazy_jmap *map,
			   struct e2lazy_where *where);
void superblocks_free(struct superblocks *made);

/*
 * torn.c: a checkpoint was writing the superblock in place, whose checksum is
 * wrong.  @made: what it would become.
 */
bool superblock_is_torn(const struct superblocks *made,
			struct e2lazy_journal *journal,
			const struct e2lazy_jmap *map);

#endif
