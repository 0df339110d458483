/* SPDX-License-Identifier: GPL-2.0-only */
/* gather.h - in what requests live copies are read and written back */
#ifndef E2LAZY_GATHER_H
#define E2LAZY_GATHER_H

#include "e2lazy_mend.h"

#define SPAN_BYTES	(1 << 20)	/* of the log, in one request */
#define GAP_BYTES	(64 << 10)	/* of it, read rather than skipped */
#define WRITE_BYTES	(512 << 10)	/* of static blocks, in one request */

/* A copy that is wanted. */
struct want {
	uint32_t	logblk;
	uint32_t	slot;		/* the caller's own number of it */
	uint32_t	request;	/* with whom it is written */
};

void wants_sort(struct want *wants, size_t count);

/*
 * The end of what is read in one request with @want, up to @end: reading
 * through @gap blocks costs less than a seek over them.  Not more than @most
 * blocks.  Where the log is begun again it ends.
 */
const struct want *wants_gather(const struct want *want,
				const struct want *end, uint32_t gap,
				uint32_t most);

/* As many can be counted, and allocated in a row, with 32 bits too. */
size_t most_blocks(unsigned blocksize);

/* How many of @live mappings a pass takes that may use @memory bytes. */
size_t pass_room(uint64_t memory, unsigned blocksize, size_t live);

/*
 * Called for a live copy: unescaped in @block, or not to be had for @err.  A
 * non-zero return ends the reading and is returned.
 */
typedef errcode_t (*copy_taker)(void *priv, size_t index, uint8_t *block,
			       errcode_t err);

/*
 * Read the copies of mappings [@first, @first + @count) in log order.  Takes
 * 12 bytes each.
 */
errcode_t read_copies(struct e2lazy_journal *journal,
		      const struct e2lazy_jmap *map, size_t first,
		      size_t count, copy_taker take, void *priv);

#endif
