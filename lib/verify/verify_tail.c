/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_tail.c - a log without a committed transaction at its tail
 *
 * After a log was empty, jbd2 writes s_start and s_sequence before the first
 * commit.  A crash between the two leaves a tail without a commit.  The
 * transactions of the mount before lie around it, and may even begin exactly
 * there.  Without checksums, one flipped bit in s_start or s_sequence leaves
 * the same picture; then those transactions are the log, and not in place.
 *
 * Numbers and copies tell the two cases apart:
 *
 *  - A control block of s_sequence's transaction, or of a later one, elsewhere
 *    is damage; end_proof.c finds it.
 *  - If s_sequence's transaction begins exactly at s_start, the superblock is
 *    as the kernel wrote it.  New blocks may then have overwritten the newest
 *    of the earlier transactions.
 *  - If an older lap's chain leads round the ring to the tail and ends directly
 *    before s_sequence, the superblock is right, too.
 *  - Else this step maps the newest transactions of the ring: first those that
 *    s_sequence can follow, then those too far from it to be of one ring, for a
 *    high bit may have flipped.  All copies of an emptied log are in place.  So
 *    a copy that differs from its static block is a problem that asks, unless
 *    an e2fsck has run since the last commit.  The superblock does not count,
 *    because the kernel writes it both ways.
 *
 * A change time of an inode proves little here, because most blocks of a new
 * file system are zeros in place.
 */

#include "last_chain.h"

static void find_at_tail(struct verify *v)
{
	const struct spot spot = { .has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID,
				   .logblk = v->journal->geo.start,
				   .tid = v->journal->geo.sequence };

	verify_found(v, PROBLEM_TAIL_CONTRADICTED, &spot, 0);
}

static errcode_t judge_chain(struct verify *v, struct last_chain *last,
			     bool inside)
{
	struct chain chain;
	enum ring_chain left = ring_left_chain(&last->ring, inside, &chain);
	errcode_t err;

	if (left == RING_UNCERTAIN)
		find_at_tail(v);
	if (left != RING_CHAIN)
		return 0;
	err = last_chain_compare(last, &chain);
	if (!err && !last_chain_is_outdated(last))
		last_chain_report(last, PROBLEM_TAIL_CONTRADICTED);
	return err;
}

/* s_sequence's transaction begins at s_start, so neither has flipped. */
static bool is_begun(const struct e2lazy_end *end)
{
	return end->open.descriptors || end->open.revoke_blocks;
}

static bool is_bare(const struct verify *v)
{
	return v->journal->geo.start && !v->end->walked && !v->end->error &&
	       !is_begun(v->end) &&
	       v->opts->flags & E2LAZY_VERIFY_CONTENT;
}

/* Proved by the chain, not by a look at the whole ring. */
static bool is_proven(const struct verify *v)
{
	return v->proof.proven && v->proof.look.looked < v->proof.look.rest;
}

errcode_t verify_tail(struct verify *v)
{
	struct last_chain last;
	errcode_t err;

	if (!is_bare(v) || is_proven(v) ||
	    v->proof.verdict == E2LAZY_BEYOND_DAMAGE)
		return 0;
	err = last_chain_begin(&last, v);
	if (!err)
		err = judge_chain(v, &last, true);
	if (!err)
		err = judge_chain(v, &last, false);
	last_chain_end(&last);
	return err;
}
