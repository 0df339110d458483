/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* later.h - what was logged behind a damage, beside what stands in place */
#ifndef E2LAZY_LATER_H
#define E2LAZY_LATER_H

#include "log/behind.h"
#include "verify.h"

struct later {
	struct verify	*verify;
	struct later_block *at;		/* sorted by what they hold */
	uint32_t	nr;
	uint8_t		*block;
};

/*
 * Read every block of the ring from the head of the log to the last one of
 * @behind's transactions, if the log breaks off at a descriptor or a revoke
 * block with a bad checksum.  Nothing is known of any other log, nor with
 * E2LAZY_VERIFY_GLANCE.  Takes 16 bytes a block.  @later->verify is set.  Call
 * later_free() afterwards, also on failure.
 */
errcode_t later_read(struct later *later, struct behind *behind);
void later_free(struct later *later);

/* The static block holds what its copy at @logblk, behind the damage, does. */
bool later_is_home(const struct later *later, blk64_t fsblk, uint32_t logblk);

/*
 * Find the live blocks whose static places are newer than their copies: they
 * hold what a transaction behind the damage logged.
 */
errcode_t later_compare(const struct later *later);

#endif
