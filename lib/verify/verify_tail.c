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
 *  - a control block of s_sequence's transaction or a later one is damage:
 *    end_proof.c finds it.
 *  - where s_sequence's transaction has begun exactly at s_start, the
 *    superblock is as the kernel wrote it, and the ring may have lost the
 *    newest of the transactions before to what was written over them;
 *  - where an older lap's chain leads round the ring to the tail, right before
 *    s_sequence, it is, too;
 *  - else the newest transactions of the ring are mapped, whatever s_sequence
 *    says: those that it may follow, and those too far from it to be of one
 *    ring, for a high bit may be what has flipped.  What an emptied log held
 *    is in place.  A copy that is not asks, unless an e2fsck has run since the
 *    last commit.  The superblock is left out: it is written both ways.
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
