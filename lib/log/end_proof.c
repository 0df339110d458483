/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * end_proof.c - the proof that the log ends where a walk ended
 *
 * A walk ends where the next block is not of the next transaction.  A crash
 * leaves a log so, and so does damage: whatever overwrites, loses or tears a
 * control block in the midst of a log makes all that stands behind it look
 * like leftovers.  Recovery takes the one for the other without a word.  A
 * log must not be emptied before it is known which of them it is.
 *
 * jbd2 begins a transaction in the log only after the one before it is safe on
 * the disk.  So one control block of a later transaction, wherever it stands in
 * the rest of the ring, shows that the end is damage.  Its absence is proven in
 * one of two ways.
 *
 * By the older lap.  A ring that has come round holds, between the head and
 * the tail, the transactions of the lap before: the head has overwritten their
 * begin, and they end where the tail begins.  Their chain is followed through
 * its control blocks: a descriptor names so many copies, behind which stands
 * the next control block, and behind a commit block stands the next
 * transaction.  If it arrives exactly at the tail, right behind the commit
 * block of the transaction before s_sequence, then each block of that stretch
 * is accounted for, and nothing newer was written over it.  One intact older
 * transaction alone proves nothing: a block that was copied, or a write that
 * was lost, leaves one in the midst of a log.  Nor does a chain that ends
 * elsewhere.
 *
 *  - A mount, be it after a crash or not, leaves one number out (jbd2 counts
 *    up once more as it empties a log).  So a chain may leave one out between
 *    two transactions, and before the tail.  There the one left out must not
 *    stand in the ring: with a bit of s_sequence flipped it is the log.
 *  - A chain passes over copies unread.  What an older descriptor that was not
 *    overwritten passes over may be the last blocks of the log: no more than it
 *    names, and behind a gap.  So the first blocks past the head are all looked
 *    at, NEAR_BYTES of them, as damage is where the disk was written last;
 *    and where a ring has no more, the chain is not needed.
 *
 * By looking at each block, from the head round to the tail.  That is
 * conclusive, and costs a sequential read of the rest of the ring, but for
 * holes in an image file.  It is what a ring takes that was never written to
 * its end, or that a kernel before 6.4 began anew at its first block.
 *
 * Neither the one nor the other are blocks that an earlier file system left in
 * a journal without checksums: see birth.h.
 *
 * The look begins at the head, not at the stop behind it: a descriptor with
 * too many tags makes the walk pass over what follows it.  For the same reason
 * the log's own transactions are looked for outside of it.  s_start with a bit
 * flipped may point into the first transaction: then its begin, and with it
 * some of its copies, stands before the tail as a stray.
 */

#include <string.h>

#include "io/watch.h"
#include "end_proof.h"

#define NEAR_BYTES (4 << 20)

/* ------------------------------------------------------------ the chain */

/* Is it of a transaction that a ring can still hold beside the tail's? */
static bool is_older(const struct e2lazy_geometry *g, uint32_t tid)
{
	return tid_follows(g, g->sequence, tid, 2);
}

/* May a transaction stand behind another one's commit block? */
static bool may_follow(uint32_t tid, uint32_t committed)
{
	return tid - committed == 1 || tid - committed == 2;
}

struct chain {
	struct look	*look;
	uint32_t	distance;	/* of its next block, from the head */
	uint32_t	tid;		/* of the block before it */
	bool		committed;	/* that was a commit block */
};

/* The next block of the chain; false where the chain breaks. */
static bool chain_next(struct chain *c)
{
	struct look *l = c->look;
	uint32_t at = ring_add(&l->journal->geo, l->from, c->distance);
	struct sighting s;

	if (e2lazy_read_log(l->journal, at, 1, l->block) ||
	    !sighting_read(&s, l->journal, at, l->block) ||
	    !is_older(&l->journal->geo, s.tid) ||
	    (c->committed ? !may_follow(s.tid, c->tid) : s.tid != c->tid) ||
	    (s.dated && is_before_birth(&l->birth, s.sec) &&
	     l->journal->geo.csum < E2LAZY_CSUM_V2) ||
	    s.blocks > l->rest - c->distance)
		return false;
	c->distance += s.blocks;
	c->tid = s.tid;
	c->committed = s.type == JBD2_COMMIT;
	return true;
}

/* Is there a block of the transaction whose number the chain leaves out? */
static bool is_contradicted(const struct chain *c)
{
	const struct look *l = c->look;
	uint32_t tid = l->journal->geo.sequence - 1;

	if (tid == c->tid)
		return false;
	for (size_t i = 0; i < l->nr; i++)
		if (l->at[i].tid == tid && !l->at[i].foreign)
			return true;
	return false;
}

/* Follow it from a block to the tail, or to where it breaks. */
static errcode_t chain_follow(struct end_proof *proof, struct chain *c,
			      const struct sighting *from)
{
	struct look *l = &proof->look;
	errcode_t err = 0;
	unsigned steps = 0;

	c->look = l;
	c->distance = look_distance(l, from->logblk);
	c->tid = from->tid;
	c->committed = false;
	while (!err && c->distance < l->rest && chain_next(c))
		if (++steps % 64 == 0)
			err = watch_tick(l->watch, E2LAZY_PHASE_RING,
					 l->looked, l->rest);
	proof->proven = c->distance == l->rest && c->committed &&
		       may_follow(l->journal->geo.sequence, c->tid) &&
		       !is_contradicted(c);
	return err;
}

/* From the first block that may be of an older lap, and of each one behind the
   place where a chain has broken, as far as was looked. */
static errcode_t prove_by_chain(struct end_proof *proof)
{
	const struct e2lazy_geometry *g = &proof->look.journal->geo;
	uint32_t from = look_distance(&proof->look, proof->end->stop);
	struct chain chain;
	errcode_t err = 0;

	for (size_t i = 0; !err && !proof->proven && i < proof->look.nr; i++) {
		const struct sighting *s = &proof->look.at[i];

		if (look_distance(&proof->look, s->logblk) < from ||
		    !is_older(g, s->tid))
			continue;
		err = chain_follow(proof, &chain, s);
		from = chain.distance + 1;
	}
	return err;
}

/* ------------------------------------------------------- what it all shows */

/* It is of the log's transactions, and none of its blocks. */
static bool is_stray(const struct end_proof *proof, const struct sighting *s)
{
	uint32_t first = proof->look.journal->geo.sequence;

	return proof->end->reason != E2LAZY_END_EMPTY && !s->foreign &&
	       s->tid - first < proof->end->tid - first;
}

static void take_stock(struct end_proof *proof)
{
	const struct e2lazy_end *end = proof->end;

	proof->verdict = E2LAZY_BEYOND_NOTHING;
	if (end->open.descriptors || end->open.revoke_blocks)
		proof->verdict = end->reason == E2LAZY_END_STALE ?
				E2LAZY_BEYOND_OLDER_LAP :
				E2LAZY_BEYOND_UNCOMMITTED;
	proof->strays = 0;
	for (size_t i = 0; i < proof->look.nr; i++) {
		const struct sighting *s = &proof->look.at[i];
		enum e2lazy_beyond_verdict verdict =
			beyond_judge(proof->look.journal, end, s);

		if (verdict > proof->verdict) {
			proof->verdict = verdict;
			proof->first = s;
		}
		if (is_stray(proof, s) && proof->strays++ == 0)
			proof->first_stray = s;
	}
}

static bool has_all(const struct end_proof *proof)
{
	return proof->look.looked == proof->look.rest;
}

static void conclude(struct end_proof *proof)
{
	look_settle(&proof->look);
	take_stock(proof);
	proof->proven = has_all(proof);
}

errcode_t end_proof_look_at_all(struct end_proof *proof)
{
	errcode_t err;

	if (has_all(proof))
		return 0;
	err = look_on(&proof->look, proof->look.rest);
	if (!err)
		conclude(proof);
	return err;
}

static uint32_t usual_near(const struct e2lazy_journal *j)
{
	uint32_t reach = e2lazy_beyond_reach(j);
	uint32_t near = NEAR_BYTES / j->geo.blocksize;

	return near > reach ? near : reach;
}

static bool seems_sound(const struct end_proof *proof)
{
	return proof->verdict != E2LAZY_BEYOND_DAMAGE && !proof->strays &&
	       !proof->end->error;
}

errcode_t end_proof_look(struct end_proof *proof, struct e2lazy_journal *j,
			 const struct e2lazy_end *end,
			 const struct end_proof_opts *opts)
{
	uint32_t near = opts->near ? opts->near : usual_near(j);
	errcode_t err;

	memset(proof, 0, sizeof(*proof));
	proof->end = end;
	err = look_init(&proof->look, j, end, end->head,
			ring_size(&j->geo) - end->walked);
	if (err)
		return err;
	proof->look.watch = opts->watch;
	if (end->reason == E2LAZY_END_UNREADABLE)
		proof->look.judged = end->stop;
	/* What hides the next block begins where the walk stopped. */
	err = beyond_look_near(&proof->look, end, near +
			       ring_distance(&j->geo, end->head, end->stop));
	if (err)
		return err;
	conclude(proof);
	if (seems_sound(proof)) {
		if (opts->quick || proof->proven)
			return 0;
		err = prove_by_chain(proof);
	}
	return err || proof->proven ? err : end_proof_look_at_all(proof);
}

void end_proof_free(struct end_proof *proof)
{
	look_free(&proof->look);
}
