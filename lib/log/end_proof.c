/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * end_proof.c - the proof that the log ends where a walk ended
 *
 * A walk ends at the first block that does not belong to the next transaction.
 * A crash leaves a log like that.  Damage does, too: if a control block in the
 * middle of a log is overwritten, lost or torn, all blocks behind it look like
 * leftovers.  Recovery cannot tell the two and says nothing.  Nobody may empty
 * a log before it is known which of them it is.
 *
 * jbd2 begins a transaction in the log only after the one before it is safe on
 * the disk.  So one control block of a later transaction, anywhere in the rest
 * of the ring, proves damage.  There are two ways to prove that none is there.
 *
 * First, the older lap.  A ring that has wrapped holds the transactions of the
 * lap before between the head and the tail: the head has overwritten their
 * beginning, and they end where the tail begins.  chain_next() follows them
 * from control block to control block: a descriptor says how many copies to
 * skip, and the next transaction follows a commit block.  If the chain arrives
 * exactly at the tail, directly behind the commit block of the transaction
 * before s_sequence, then it accounts for each block of the stretch, and
 * nothing newer was written over it.  One intact older transaction alone proves
 * nothing: a copied block or a lost write can leave one in the middle of a log.
 * A chain that ends elsewhere proves nothing either.
 *
 *  - A mount leaves out a few ids (MOST_TIDS_LEFT_OUT), and a chain may do so
 *    between two transactions, and before the tail.  No block of a transaction
 *    left out before the tail may stand in the ring: if a bit of s_sequence
 *    flipped, that transaction is the log.
 *  - A chain skips copies unread.  An older descriptor that survived can skip
 *    over the last blocks of the log, if a gap precedes them; no more blocks
 *    than it has tags.  So the search looks at each block of the first
 *    NEAR_BYTES past the head, where the disk was last written and damage is
 *    likely.  A ring that has no more blocks needs no chain.
 *
 * Second, a look at each block, from the head round to the tail.  It is
 * conclusive and reads the rest of the ring in sequence, except for holes of an
 * image file.  A ring needs it if it never wrapped, or if a kernel before 6.4
 * restarted it at its first block.
 *
 * Both ways ignore blocks that an earlier file system left in the journal: see
 * birth.h.
 *
 * The look begins at the head, not at the stop behind it: a descriptor with too
 * many tags makes the walk skip the blocks that follow it.  For the same reason
 * take_stock() counts strays, blocks of the log's own transactions outside of
 * the log.  If a bit of s_start flips, it may point into the middle of the
 * first transaction; then that transaction's beginning, and some of its copies
 * with it, is a stray before the tail.
 */

#include <string.h>

#include "io/watch.h"
#include "end_proof.h"

#define NEAR_BYTES (4 << 20)

/* ------------------------------------------------------------ the chain */

/* Can the ring still hold this transaction beside the tail's? */
static bool is_older(const struct e2lazy_geometry *g, uint32_t tid)
{
	return tid_follows(g, g->sequence, tid, 2);
}

struct chain {
	struct look	*look;
	uint32_t	distance;	/* from the head to the next block */
	uint32_t	tid;		/* of the last block */
	bool		committed;	/* the last block was a commit block */
};

/* Go to the next block of the chain; false if the chain breaks. */
static bool chain_next(struct chain *c)
{
	struct look *l = c->look;
	uint32_t at = lap_add(l->lap, l->from, c->distance);
	struct sighting s;

	if (e2lazy_read_log(l->journal, at, 1, l->block) ||
	    !sighting_read(&s, l->journal, at, l->block) ||
	    !is_older(&l->journal->geo, s.tid) ||
	    (c->committed ? !tid_follows_mount(s.tid, c->tid) :
			    s.tid != c->tid) ||
	    (s.dated && is_foreign(&l->birth, s.tid, s.sec)) ||
	    s.blocks > l->rest - c->distance)
		return false;
	c->distance += s.blocks;
	c->tid = s.tid;
	c->committed = s.type == JBD2_COMMIT;
	return true;
}

/* Does the ring hold a block of a transaction that the chain skips? */
static bool is_contradicted(const struct chain *c)
{
	const struct look *l = c->look;
	uint32_t skipped = l->journal->geo.sequence - c->tid - 1;

	for (size_t i = 0; i < l->nr; i++)
		if (l->at[i].tid - c->tid - 1 < skipped && !l->at[i].foreign)
			return true;
	return false;
}

/* Follow the chain from a block to the tail, or until it breaks. */
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
		       tid_follows_mount(l->journal->geo.sequence, c->tid) &&
		       !is_contradicted(c);
	return err;
}

/*
 * Try each block of an older lap that the look has found, but none that a
 * broken chain has passed.
 */
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

/* ------------------------------------------------------------ the verdict */

/* A block of the log's transactions that is outside of the log. */
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
	/* Whatever hides the next block begins where the walk stopped. */
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
