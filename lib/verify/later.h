/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* later.h - compare static blocks with the blocks logged behind a damage */
#ifndef E2LAZY_LATER_H
#define E2LAZY_LATER_H

#include "log/behind.h"
#include "verify.h"

struct later {
	struct verify	*verify;
	struct later_block *at;		/* sorted by content */
	uint32_t	nr;
	uint8_t		*block;
};

/*
 * Read every block of the ring from the head of the log to the last one of
 * @behind's transactions, if the log breaks off at a descriptor or a revoke
 * block with a bad checksum.  For other logs, and with E2LAZY_VERIFY_GLANCE,
 * the list stays empty.  Memory: 16 bytes for each block.  The caller has set
 * @later->verify, and calls later_free() afterwards, also on failure.
 */
errcode_t later_read(struct later *later, struct behind *behind);
void later_free(struct later *later);

/* Does the static block equal its copy at @logblk, behind the damage? */
bool later_is_home(const struct later *later, blk64_t fsblk, uint32_t logblk);

/*
 * Find the live blocks whose static block is newer than their copy: it equals a
 * block that a transaction behind the damage logged.
 */
errcode_t later_compare(const struct later *later);

#endif
