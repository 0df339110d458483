/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * scan.c - every committed transaction of the ring, wherever it stands
 *
 * The head overwrites the ring block by block, so an older transaction loses
 * its begin first.  Its rest still leads to a commit block, and would pass for
 * a smaller transaction.  So a transaction counts only if its first block is
 * known to be the first.  Four places prove that:
 *
 *  - the tail that the journal superblock names, if a control block of the
 *    transaction that it names stands there;
 *  - the first block of the ring, where a new log begins, unless the head of a
 *    newer log ends right before it;
 *  - the block right behind the commit block of an earlier transaction, for
 *    jbd2 writes the next one there.  "Earlier" is by id: the block behind the
 *    head also follows a commit block, a newer one.  The next id, or one that a
 *    mount begins with, needs no more, because a clock may be set back.  Any
 *    other id must not be earlier by time;
 *  - the block behind a single damaged block, where the chain of the
 *    transaction before it broke: the damaged block was its commit block.
 *
 * From there each control block leads to the next one: a descriptor names a
 * number of copies, and the scan passes over them unread.  No copy begins with
 * the magic (jbd2 escapes it), so between whole transactions the scan looks at
 * each block, and takes one with the magic for a control block.  A chain that
 * breaks marks its blocks; another chain that runs into a mark breaks, too, so
 * the scan follows no block twice.
 *
 * Threads read control blocks further on in the ring meanwhile (ahead.h).
 *
 * The scan begins at such a tail, or else at the first block, and goes round
 * once.  The last chain may go on past the origin, if the scan began in the
 * middle of it.  What was found there with the chain's own commit block is the
 * chain's rest, also if it looked like a transaction of its own.  Any other
 * transaction there has overwritten the chain.
 *
 * An older lap may have ended before the last block of the journal: see lap.h.
 * The scan visits every block that any lap may have used.  A chain that wraps at
 * the shorter end continues at the ring's first block; the scan continues at
 * the shorter end, and skips that rest when it comes to the first block.
 */

#include <stdlib.h>
#include <string.h>

#include "ahead.h"
#include "control.h"
#include "io/grow.h"
#include "io/pread_io.h"
#include "io/watch.h"
#include "log/lookahead.h"
#include "marks.h"
#include "ring.h"

struct scan {
	struct e2lazy_ring *ring;
	struct e2lazy_journal *journal;
	const struct e2lazy_geometry *geo;
	struct lap	lap;		/* every block of any lap */
	const struct e2lazy_watch *watch;
	struct lookahead span;		/* of a gap */
	struct foresight foresight;	/* of a chain */
	uint8_t		*block;		/* the last one outside a gap */
	struct ahead	ahead;
	struct marks	marks;

	uint32_t	origin;		/* log block */
	uint32_t	done;		/* blocks from @origin */
	uint32_t	rest;		/* blocks from the ring's first one on that
					   belong to a chain that wrapped early */
	bool		in_gap;

	/* The latest commit block that the scan saw. */
	bool		has_commit;
	uint32_t	commit_at, commit_tid;
	uint64_t	commit_when;
	/* The block where the latest chain broke, and the chain's id. */
	bool		has_break;
	uint32_t	break_at, break_tid;
};

/* One chain of control blocks. */
struct chain {
	struct found	found;
	uint32_t	*visited;	/* log blocks */
	size_t		nr, room;
	struct lap	lap;
	uint32_t	blocks;
	uint32_t	stop;		/* log block where it broke */
};

errcode_t ring_add_trace(struct e2lazy_ring *ring, const struct trace *t)
{
	struct trace *last = ring->nr_traces ?
			     &ring->traces[ring->nr_traces - 1] : NULL;
	struct trace *traces;

	ring->counts.cut += t->kind == TRACE_CUT;
	ring->counts.broken += t->kind == TRACE_BROKEN;
	ring->counts.bad += t->kind == TRACE_BAD;
	ring->counts.foreign += t->kind == TRACE_FOREIGN;
	if (last && last->kind == t->kind && last->tid == t->tid &&
	    t->kind != TRACE_CUT) {
		last->end = t->end;
		last->committed |= t->committed;
		if (t->committed)
			last->when = t->when;
		return 0;
	}
	traces = grow(ring->traces, ring->nr_traces, &ring->traces_room,
		      sizeof(*traces));
	if (!traces)
		return EXT2_ET_NO_MEMORY;
	ring->traces = traces;
	traces[ring->nr_traces++] = *t;
	return 0;
}

static errcode_t add_found(struct e2lazy_ring *ring, const struct found *f)
{
	struct found *found = grow(ring->found, ring->nr_found, &ring->room,
				   sizeof(*found));

	if (!found)
		return EXT2_ET_NO_MEMORY;
	ring->found = found;
	found[ring->nr_found++] = *f;
	return 0;
}

/* ------------------------------------------------------------- one block */

/*
 * Read a block that @err says could not be read so far.  A page of the cache has
 * several small blocks, and only one may be bad.
 */
static const uint8_t *read_again(const struct scan *s, uint32_t at,
				 errcode_t err)
{
	struct e2lazy_journal *j = s->journal;

	if (err)
		err = pread_io_past_cache(j->io, runs_physblk(&j->runs, at), 1,
					  s->block);
	return err ? NULL : s->block;
}

static const uint8_t *read_foreseen(const struct scan *s, uint32_t at)
{
	return read_again(s, at, foresight_read(&s->foresight, s->journal, at,
						s->block));
}

/* @left: blocks of a gap, to be read ahead; or else 0. */
static enum control_state read_control(struct scan *s, uint32_t at,
				       uint32_t left, struct control *c)
{
	bool gap = left || lookahead_has(&s->span, at);
	const uint8_t *block;
	errcode_t err;

	s->ring->counts.read++;
	if (!gap && ahead_get(&s->ahead, at, c))
		return CONTROL_SOUND;
	block = gap ? lookahead_read(&s->span, at, left, &err) :
		      read_foreseen(s, at);
	return block ? control_read(c, s->journal, at, block) :
		       CONTROL_UNREADABLE;
}

/* ------------------------------------------------------------- one chain */

static errcode_t chain_visit(struct chain *c, uint32_t at)
{
	uint32_t *visited = grow(c->visited, c->nr, &c->room,
				 sizeof(*visited));

	if (!visited)
		return EXT2_ET_NO_MEMORY;
	c->visited = visited;
	visited[c->nr++] = at;
	return 0;
}

static void foresee(struct scan *s, const struct control *block)
{
	if (block->type == JBD2_DESCRIPTOR)
		foresee_descriptor(&s->foresight, block->copies);
	else if (block->type == JBD2_COMMIT)
		foresee_commit(&s->foresight);
}

static void chain_count(struct chain *c, const struct control *block)
{
	struct found *f = &c->found;

	if (block->csum > f->csum)
		f->csum = block->csum;
	f->copies += block->copies;
	f->revokes += block->revokes;
	f->descriptors += block->type == JBD2_DESCRIPTOR;
	f->revoke_blocks += block->type == JBD2_REVOKE;
	if (block->type == JBD2_COMMIT) {
		f->sec = block->sec;
		f->nsec = block->nsec;
	}
	c->blocks += 1 + block->copies;
}

/* Follow the chain from its control block @at; *@whole if it has a commit. */
static errcode_t chain_follow(struct scan *s, struct chain *c,
			      const struct control *first, uint32_t at,
			      bool *whole)
{
	struct control block = *first;
	errcode_t err;

	*whole = false;
	c->nr = 0;
	c->blocks = 0;
	c->lap = lap_from(s->geo, at);
	c->found = (struct found){ .start = at, .tid = first->tid };
	foresee_chain(&s->foresight);
	for (;;) {
		err = chain_visit(c, at);
		if (err)
			return err;
		foresee(s, &block);
		chain_count(c, &block);
		c->found.end = at;
		if (block.type == JBD2_COMMIT) {
			*whole = c->blocks <= lap_size(c->lap);
			return 0;
		}
		if (c->blocks >= lap_size(c->lap))
			return 0;
		if (lap_settle(s->journal, &c->lap, at, 1 + block.copies,
			       c->found.tid))
			c->found.other_lap = c->lap.end == s->geo->other_end;
		at = lap_add(c->lap, c->found.start, c->blocks);
		c->stop = at;
		if (marks_has(&s->marks, at) ||
		    read_control(s, at, 0, &block) != CONTROL_SOUND ||
		    block.tid != c->found.tid)
			return 0;
	}
}

static errcode_t mark_broken(struct scan *s, const struct chain *c)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < c->nr; i++)
		err = marks_set(&s->marks, c->visited[i]);
	s->has_break = true;
	s->break_at = c->stop;
	s->break_tid = c->found.tid;
	return err;
}

/* ---------------------------------------------------- is it the first one? */

static bool is_behind(const struct scan *s, uint32_t at, uint32_t earlier)
{
	return lap_follows(s->geo, at, earlier);
}

/* Does a newer log's commit block end that lap?  See the top. */
static bool lap_ends_newer(struct scan *s, const struct found *f,
			   struct lap lap)
{
	uint32_t last = lap.end - 1;
	errcode_t err = e2lazy_read_log(s->journal, last, 1, s->block);
	const uint8_t *block = read_again(s, last, err);
	struct control c;

	if (!block ||
	    control_read(&c, s->journal, last, block) != CONTROL_SOUND ||
	    c.type != JBD2_COMMIT)
		return false;
	return e2lazy_tid_after(c.tid, f->tid) &&
	       !is_earlier(commit_when(c.sec, c.nsec), found_when(f));
}

/* Is the ring's first block the head of a newer log? */
static bool head_is_first(struct scan *s, const struct found *f)
{
	return lap_ends_newer(s, f, lap_of_log(s->geo)) ||
	       (s->geo->other_end && lap_ends_newer(s, f, lap_other(s->geo)));
}

/* A broken chain has no time, so @whole false skips that test. */
static bool follows_commit(const struct scan *s, const struct found *f,
			   bool whole)
{
	return s->has_commit && is_behind(s, f->start, s->commit_at) &&
	       tid_follows(s->geo, f->tid, s->commit_tid, 2) &&
	       (!whole || tid_follows_mount(f->tid, s->commit_tid) ||
		!is_earlier(found_when(f), s->commit_when));
}

static bool follows_break(const struct scan *s, const struct found *f)
{
	return s->has_break && is_behind(s, f->start, s->break_at) &&
	       f->tid == s->break_tid + 1;
}

static bool has_begin(struct scan *s, const struct found *f, bool whole)
{
	if (f->start == s->geo->start && f->tid == s->geo->sequence)
		return true;
	if (follows_commit(s, f, whole) || follows_break(s, f))
		return true;
	return f->start == s->geo->first && !head_is_first(s, f);
}

/* The traces of a chain's own rest: it met no other one in @over blocks. */
static bool is_own_rest(const struct scan *s, const struct chain *c,
			uint32_t over, size_t *traces)
{
	const struct e2lazy_ring *ring = s->ring;

	for (*traces = 0; *traces < ring->nr_traces; ++*traces) {
		const struct trace *t = &ring->traces[*traces];

		if (lap_distance(s->lap, s->origin, t->start) >= over)
			break;
		if (t->tid != c->found.tid)
			return false;
	}
	return !ring->nr_found || ring->found[0].end == c->found.end ||
	       lap_distance(s->lap, s->origin, ring->found[0].start) >= over;
}

static void drop_traces(struct e2lazy_ring *ring, size_t count)
{
	if (!count)
		return;
	for (size_t i = 0; i < count; i++)
		ring->counts.cut -= ring->traces[i].kind == TRACE_CUT;
	ring->nr_traces -= count;
	memmove(ring->traces, ring->traces + count,
		ring->nr_traces * sizeof(*ring->traces));
}

/*
 * Does a chain that goes on past the origin run into another transaction?  If
 * not, drop its own rest, which the scan met first.
 */
static bool is_written_over(struct scan *s, const struct chain *c)
{
	struct e2lazy_ring *ring = s->ring;
	uint32_t left = c->found.start == s->origin ? lap_size(c->lap) :
			lap_distance(c->lap, c->found.start, s->origin);
	size_t rest;

	if (c->blocks <= left)
		return false;
	if (!is_own_rest(s, c, c->blocks - left, &rest))
		return true;
	if (ring->nr_found && ring->found[0].end == c->found.end) {
		ring->nr_found--;
		memmove(ring->found, ring->found + 1,
			ring->nr_found * sizeof(*ring->found));
	}
	drop_traces(ring, rest);
	return false;
}

/* -------------------------------------------------------------- the scan */

static void see_commit(struct scan *s, uint32_t at, uint32_t tid, uint64_t when)
{
	s->has_commit = true;
	s->commit_at = at;
	s->commit_tid = tid;
	s->commit_when = when;
}

static errcode_t pass_gap(struct scan *s, uint32_t at, enum trace_kind kind,
			  const struct control *c)
{
	const struct trace trace = {
		.start = at, .end = at, .tid = c->tid, .kind = kind,
		.committed = c->type == JBD2_COMMIT,
		.when = commit_when(c->sec, c->nsec),
	};

	s->in_gap = true;
	s->done++;
	return ring_add_trace(s->ring, &trace);
}

/* Go past the chain; its rest after an early wrap comes up later. */
static void pass_chain(struct scan *s, const struct chain *c)
{
	uint32_t before_wrap = c->lap.end - c->found.start;

	if (c->lap.end == s->lap.end || c->blocks <= before_wrap) {
		s->done += c->blocks;
		return;
	}
	s->done += before_wrap;
	s->rest = c->blocks - before_wrap;
}

static errcode_t take_whole(struct scan *s, const struct chain *c)
{
	const struct found *f = &c->found;
	const struct trace cut = {
		.start = f->start, .end = f->end, .tid = f->tid,
		.kind = TRACE_CUT, .committed = true,
		.when = found_when(f),
	};
	errcode_t err = has_begin(s, f, true) ?
			add_found(s->ring, f) : ring_add_trace(s->ring, &cut);

	see_commit(s, f->end, f->tid, found_when(f));
	s->in_gap = false;
	pass_chain(s, c);
	return err;
}

static errcode_t try_chain(struct scan *s, struct chain *c, uint32_t at,
			   const struct control *first)
{
	bool begun, whole;
	errcode_t err = chain_follow(s, c, first, at, &whole);

	if (err)
		return err;
	if (whole && !is_written_over(s, c))
		return take_whole(s, c);
	begun = has_begin(s, &c->found, false);
	err = mark_broken(s, c);
	return err ? err : pass_gap(s, at, begun ? TRACE_BROKEN : TRACE_PART,
				    first);
}

static errcode_t look_at(struct scan *s, struct chain *c, uint32_t at,
			 uint32_t left)
{
	struct control control;

	switch (read_control(s, at, s->in_gap ? left : 0, &control)) {
	case CONTROL_BAD:
		return pass_gap(s, at, TRACE_BAD, &control);
	case CONTROL_SOUND:
		if (!marks_has(&s->marks, at))
			return try_chain(s, c, at, &control);
		if (control.type == JBD2_COMMIT)
			see_commit(s, at, control.tid,
				   commit_when(control.sec, control.nsec));
		return pass_gap(s, at, TRACE_PART, &control);
	case CONTROL_UNREADABLE:
		s->ring->counts.unreadable++;
		break;
	case CONTROL_NONE:
		break;
	}
	s->in_gap = true;
	s->done++;
	return 0;
}

/* Steps between two reports of progress. */
#define STEPS_PER_PROGRESS 64

static errcode_t go_round(struct scan *s, struct chain *c)
{
	uint32_t size = lap_size(s->lap);
	unsigned steps = 0;
	errcode_t err = 0;

	while (!err && s->done < size) {
		uint32_t at = lap_add(s->lap, s->origin, s->done);
		uint32_t left = size - s->done;
		bool gone = false;
		uint32_t hole = lookahead_has(&s->span, at) ? 0 :
				log_hole(s->journal, s->lap, at, left, &gone);

		if (at == s->lap.first && s->rest) {
			s->done += s->rest;
			s->rest = 0;
			continue;
		}

		if (steps++ % STEPS_PER_PROGRESS == 0)
			err = watch_tick(s->watch, E2LAZY_PHASE_RING, s->done,
					 size);
		if (err)
			break;
		if (!hole)
			err = look_at(s, c, at, left);
		if (gone)
			s->ring->counts.unreadable += hole;
		s->in_gap |= hole != 0;
		s->done += hole;
	}
	return err;
}

/*
 * A wrong tail is no origin: has_begin() would judge the transaction there
 * without the one before it.
 */
static uint32_t find_origin(struct scan *s)
{
	const struct e2lazy_geometry *g = s->geo;
	const uint8_t *block;
	struct control c;

	if (!g->start)
		return g->first;
	block = read_foreseen(s, g->start);
	return block && control_read(&c, s->journal, g->start, block) ==
			CONTROL_SOUND && c.tid == g->sequence ?
	       g->start : g->first;
}

errcode_t scan_ring(struct e2lazy_ring *ring, const struct e2lazy_watch *watch)
{
	const struct e2lazy_geometry *g = &ring->journal->geo;
	struct scan s = { .ring = ring, .journal = ring->journal, .geo = g,
			  .lap = lap_longest(g), .watch = watch };
	struct chain chain = { .visited = NULL };
	errcode_t err;

	ring->counts.blocks = lap_size(s.lap);
	err = lookahead_init(&s.span, ring->journal);
	if (!err)
		err = ext2fs_get_memalign(g->blocksize, 4096, &s.block);
	if (!err) {
		s.origin = find_origin(&s);
		ahead_begin(&s.ahead, ring->journal, s.origin);
		err = go_round(&s, &chain);
		ahead_end(&s.ahead);
	}
	free(chain.visited);
	marks_free(&s.marks);
	lookahead_free(&s.span);
	ext2fs_free_mem(&s.block);
	return err;
}
