/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_discarded.c - blocks that a mount has lost, or would lose
 *
 * If needs_recovery is clear, an ordinary mount discards the log unread.  Each
 * block whose live copy differs from its static block then falls back to that
 * one.
 *
 * Emptying a log leaves its blocks in the ring until the head overwrites them.
 * If the copies had gone home before, each newest copy equals its static block,
 * except for blocks that a tool such as e2fsck has changed since, without a
 * log.  So a difference alone proves nothing.  Each of these facts proves that
 * the log was discarded:
 *
 *  - the journal superblock still names the first of the transactions;
 *  - an inode of the same generation has a later change time in the log than in
 *    place, for no tool sets a change time back.
 *
 * If needs_recovery is set, the case is different.  An idle mount leaves a log
 * like that, with all copies of its ring in place.  A difference can then come
 * from a flipped bit in s_start, and a program that takes the log for empty
 * loses the blocks.  So the problem asks, unless an e2fsck has run since.  The
 * same holds for a lost write of s_start before the first commit: then the
 * newest transactions of the ring have later numbers than s_sequence.
 */

#include "view/compare_in_place.h"
#include "last_chain.h"

/* ------------------------------------------------------- before a mount */

static errcode_t would_be_lost(void *priv, size_t index, const uint8_t *copy,
			       const uint8_t *in_place)
{
	struct verify *v = priv;
	struct e2lazy_copy lost;

	(void)copy;
	(void)in_place;
	e2lazy_jmap_get(v->map, index, &lost);
	verify_found_copy(v, PROBLEM_WIPED_ON_MOUNT, &lost, 0);
	return 0;
}

/* orig_super: a backup superblock never has the flag, so it proves nothing. */
static bool is_wiped(const struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;

	return g->start && !g->needs_recovery && v->journal->fs->orig_super;
}

errcode_t verify_discarded_on_mount(struct verify *v)
{
	const struct in_place what = {
		.journal = v->journal, .map = v->map, .kept = verify_kept(v),
		.differs = would_be_lost, .priv = v,
		.watch = v->opts->watch, .phase = E2LAZY_PHASE_IN_PLACE,
	};

	return is_wiped(v) ? compare_in_place(&what) : 0;
}

/* ---------------------------------------------------------- after a mount */

/* Emptying the log clears the journal's feature, but not the file system's. */
static bool may_have_fast_commits(const struct verify *v)
{
	return v->journal->geo.fc_blocks ||
	       ext2fs_has_feature_fast_commit(v->journal->fs->super);
}

static void report(struct verify *v, struct last_chain *last, bool named)
{
	const struct e2lazy_geometry *g = &v->journal->geo;
	bool proven = named || last->newer;

	/* A replay of fast commits writes in place, without a log. */
	if (g->needs_recovery && (proven || !may_have_fast_commits(v))) {
		if (!last_chain_is_outdated(last))
			last_chain_report(last, PROBLEM_TAIL_CONTRADICTED);
	} else if (proven) {
		last_chain_report(last, PROBLEM_DISCARDED_LOG);
	}
}

static errcode_t judge_chain(struct verify *v, struct last_chain *last,
			     const struct chain *chain)
{
	errcode_t err = last_chain_compare(last, chain);

	if (!err)
		report(v, last, chain->named);
	return err;
}

errcode_t verify_discarded(struct verify *v)
{
	struct last_chain last;
	struct chain chain = { .named = false };
	errcode_t err;

	if (v->journal->geo.start ||
	    !(v->opts->flags & (E2LAZY_VERIFY_CONTENT | E2LAZY_VERIFY_GLANCE)))
		return 0;
	err = last_chain_begin(&last, v);
	if (!err && ring_last_chain(&last.ring, &chain))
		err = judge_chain(v, &last, &chain);
	/* A chain that s_sequence names already goes to the newest one. */
	if (!err && !chain.named &&
	    ring_left_chain(&last.ring, false, &chain) == RING_CHAIN)
		err = judge_chain(v, &last, &chain);
	last_chain_end(&last);
	return err;
}
