/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_lost_to_damage.c - blocks that end up older because a log is damaged
 *
 * Recovery ends where the log breaks off, and a checkpoint does, too.  Before
 * the user consents, he must know the cost.  So this step looks at the whole
 * rest of the ring and takes each sound control block by itself, for its
 * predecessors may be gone.
 *
 * jbd2 begins a transaction only after the one before it is safe.  So any block
 * of a later transaction proves that the one before it was committed.
 */

#include <string.h>

#include "log/block_events.h"
#include "log/revoke.h"
#include "verify.h"

struct lost {
	struct verify	*verify;
	const struct e2lazy_end *from;
	struct records	said;		/* tags and revokes, in ring order */
	size_t		most;		/* thin @said out at this number */
	uint32_t	tid;		/* of the current block */
	uint32_t	committed;	/* transactions from the end's tid on */
	uint8_t		*block;
};

/* ------------------------------------------ the records of one block --- */

static const struct record *end_of(const struct lost *g,
				   const struct record *r)
{
	const struct record *end = g->said.at + g->said.nr, *next = r + 1;

	while (next < end && record_fsblk(next) == record_fsblk(r))
		next++;
	return next;
}

/* The newest record with @flags, in @count transactions from @first on. */
static const struct record *newest(const struct lost *g,
				   const struct record *r,
				   const struct record *end, uint16_t flags,
				   uint32_t first, uint32_t count)
{
	const struct record *found = NULL;

	for (; r < end; r++)
		if (r->flags == flags &&
		    r->tid - g->from->tid - first < count &&
		    (!found || !e2lazy_tid_after(found->tid, r->tid)))
			found = r;
	return found;
}

static bool is_live(const struct lost *g, blk64_t fsblk)
{
	struct e2lazy_copy live;

	return !e2lazy_jmap_lookup(g->verify->map, fsblk, &live);
}

/*
 * The one record that decides about a block, in @count transactions from @first
 * on, or NULL.  A void copy does not count, nor a revoke before a copy.  A
 * revoke of a block without a live copy counts only while copies of its own
 * transaction may follow.
 */
static const struct record *deciding(const struct lost *g,
				     const struct record *r,
				     const struct record *end,
				     uint32_t first, uint32_t count)
{
	const struct record *copy = newest(g, r, end, 0, first, count);
	const struct record *revoke = newest(g, r, end, RECORD_REVOKE, first,
					     count);

	if (copy && !(revoke && revoke_voids(revoke->tid, copy->tid)))
		return copy;
	if (revoke && (!e2lazy_tid_after(g->tid, revoke->tid) ||
		       is_live(g, record_fsblk(r))))
		return revoke;
	return NULL;
}

/* Keep the deciding record so far, and that of the next transaction. */
static size_t keep_deciding(const struct lost *g, const struct record *r,
			    const struct record *end, struct record *to)
{
	const struct record *now = deciding(g, r, end, 0, g->committed);
	const struct record *next = deciding(g, r, end, g->committed, 1);
	struct record kept[2];
	size_t n = 0;

	if (now)
		kept[n++] = *now;
	if (next)
		kept[n++] = *next;
	memcpy(to, kept, n * sizeof(*to));
	return n;
}

/*
 * A log can revoke the same block again and again, so thin the records out:
 * memory then grows with the blocks, not with the records.
 */
#define MANY_RECORDS 65536

static errcode_t thin_out(struct lost *g)
{
	const struct record *r, *next, *end;
	struct record *to;
	errcode_t err;

	if (g->said.nr < g->most)
		return 0;
	err = records_sort(&g->said);
	if (err)
		return err;
	to = g->said.at;
	for (r = to, end = to + g->said.nr; r < end; r = next) {
		next = end_of(g, r);
		to += keep_deciding(g, r, next, to);
	}
	g->said.nr = to - g->said.at;
	g->most = 2 * g->said.nr + MANY_RECORDS;
	return 0;
}

/* -------------------------------------------------------- control blocks */

/* A checkpoint leaves the others out of an undamaged log, too. */
static bool has_place(const struct lost *g, blk64_t fsblk)
{
	return fsblk < e2lazy_jmap_fs_blocks(g->verify->map) &&
	       fsblk < RECORD_FSBLK_END &&
	       !e2lazy_is_journal_block(g->verify->journal, fsblk);
}

static errcode_t say(struct lost *g, const struct e2lazy_event *ev)
{
	struct record r = { .logblk = ev->logblk, .tid = ev->tid };

	if (!has_place(g, ev->fsblk))
		return 0;
	if (ev->kind == E2LAZY_EV_REVOKE)
		r.flags = RECORD_REVOKE;
	record_set_fsblk(&r, ev->fsblk);
	return records_add(&g->said, &r);
}

static errcode_t say_all(struct lost *g, uint32_t logblk)
{
	struct block_events events;
	struct e2lazy_event ev;
	errcode_t err = 0;

	if (!block_events_begin(&events, g->verify->journal, logblk,
				g->block))
		return 0;
	while (!err && block_events_next(&events, &ev))
		if (ev.kind != E2LAZY_EV_COMMIT)
			err = say(g, &ev);
	return err;
}

/* Ignore a descriptor that claims more copies than the ring has room for. */
static bool is_overlong(const struct lost *g, const struct sighting *b)
{
	const struct look *look = &g->verify->proof.look;

	return b->blocks > look->rest - look_distance(look, b->logblk);
}

/* An async commit block may outrun its own transaction: see beyond_judge(). */
static void note_commits(struct lost *g, const struct sighting *b,
			 enum e2lazy_beyond_verdict shows)
{
	uint32_t committed = b->tid - g->from->tid + (b->type == JBD2_COMMIT);

	if (shows == E2LAZY_BEYOND_DAMAGE && committed > g->committed)
		g->committed = committed;
}

static errcode_t take_block(struct lost *g, const struct sighting *b)
{
	struct verify *v = g->verify;
	enum e2lazy_beyond_verdict shows = beyond_judge(v->journal, g->from,
							b);
	struct spot spot = { .has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID,
			     .logblk = b->logblk, .tid = b->tid };
	errcode_t err;

	if (shows < E2LAZY_BEYOND_UNCOMMITTED)
		return 0;
	g->tid = b->tid;
	note_commits(g, b, shows);
	if (b->type == JBD2_COMMIT || is_overlong(g, b))
		return 0;
	err = e2lazy_read_log(v->journal, b->logblk, 1, g->block);
	if (err) {	/* the look could read it a moment ago */
		verify_found(v, PROBLEM_UNREADABLE, &spot, err);
		return 0;
	}
	err = say_all(g, b->logblk);
	return err ? err : thin_out(g);
}

#define BLOCKS_PER_TICK 64

static errcode_t take_blocks(struct lost *g)
{
	const struct look *look = &g->verify->proof.look;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < look->nr; i++) {
		err = take_block(g, &look->at[i]);
		if (!err && i % BLOCKS_PER_TICK == 0)
			err = verify_tick(g->verify, E2LAZY_PHASE_RING,
					  look->rest, look->rest);
	}
	return err;
}

/* ----------------------------------------------------------- reporting */

static void tell(struct lost *g, enum problem problem,
		 const struct record *r)
{
	const struct e2lazy_copy at = {
		.fsblk = record_fsblk(r), .logblk = r->logblk, .tid = r->tid,
	};

	verify_found_copy(g->verify, problem, &at, 0);
}

/* A revoke behind the damage is lost, so the void copy would go home. */
static void tell_block(struct lost *g, const struct record *r,
		       const struct record *end)
{
	const struct record *said = deciding(g, r, end, 0, g->committed);

	if (said && said->flags != RECORD_REVOKE)
		tell(g, PROBLEM_GIVEN_UP, said);
	else if (said && is_live(g, record_fsblk(said)))
		tell(g, PROBLEM_REVOKE_GIVEN_UP, said);
}

static errcode_t tell_blocks(struct lost *g)
{
	const struct record *r, *next, *end;
	errcode_t err = records_sort(&g->said);

	if (err || !g->said.nr)
		return err;
	end = g->said.at + g->said.nr;
	for (r = g->said.at; r < end; r = next) {
		next = end_of(g, r);
		tell_block(g, r, next);
	}
	return 0;
}

/*
 * If the walk ended with an error, the transaction that breaks off has a commit
 * block, or its commit block may be the damaged one.  So count it as committed.
 */
errcode_t verify_lost_to_damage(struct verify *v)
{
	struct lost g = { .verify = v, .from = v->end,
			      .most = MANY_RECORDS,
			      .committed = v->end->error ? 1 : 0 };
	errcode_t err;

	err = io_channel_alloc_buf(v->journal->io, 1, &g.block);
	if (!err)
		err = take_blocks(&g);
	if (!err)
		err = tell_blocks(&g);
	ext2fs_free_mem(&g.block);
	records_free(&g.said);
	return err;
}
