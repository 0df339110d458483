/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * walk.c - a log, from its tail or another start, as a stream of events
 *
 * This is the only file that takes a log apart; block_events.c tells it what
 * one control block says.  It neither prints nor judges.
 *
 * The format.  The journal is a ring of blocks.  A transaction is a run of
 * blocks in it: descriptor blocks, each followed by the copies that its tags
 * name; revoke blocks, which name static blocks whose earlier copies are void;
 * and one commit block.  Each of these control blocks begins with jbd2's magic,
 * its type and the transaction's number, the tid.  Copies carry no header: a
 * copy that would begin with the magic is stored with zeros there (escaped).
 * Transactions follow each other without a gap, and their tids by one.  The
 * journal superblock holds block and tid of the oldest one, and nothing that
 * says where the newest one ends.
 *
 * The algorithm.  The walk starts at the oldest block and asks each next block
 * two things: does it carry the magic, and the tid that is due?  The first
 * block that does not ends the log, for the rest of the ring holds older laps,
 * whose tids are smaller.  A descriptor block says how many copies to skip.  A
 * transaction counts once the walk finds its commit block with a good
 * checksum.  The walk shows tags and revokes before that; the caller drops them
 * if no COMMIT event follows.  The rule is that of the scan pass of Linux
 * fs/jbd2/recovery.c, do_one_pass(), with which the kernel decides where its
 * own log ends.
 *
 * Checksums.  A bad checksum in a descriptor or revoke block proves nothing by
 * itself, for a leftover of an earlier journal fails it, too.  The walk goes on
 * to the commit block, which decides.  If its time is not before the time of
 * the last good one, the log is damaged.  If it is before, or if there is no
 * commit block, the log ends here.  Version 1 sums up a whole transaction in
 * its commit block; versions 2 and 3 sum up each control block and each copy.
 *
 * Why it ends.  The walk has a budget of one ring at most and takes each block
 * that it looks at or skips from it; no number on the disk adds to it.  When
 * the budget is gone, the log fills the ring, or the caller's range ends.
 *
 * Where the ring ends.  For the log the journal superblock says it.  An older
 * stretch may have ended elsewhere; the walk finds out where it wraps (lap.h).
 */

#include <stdlib.h>
#include <string.h>

#include "block_events.h"
#include "lookahead.h"
#include "walk.h"

enum step { AT_BLOCK, IN_BLOCK, ENDED };

struct e2lazy_walk {
	struct e2lazy_journal *journal;
	const struct e2lazy_geometry *geo;
	struct e2lazy_range range;
	struct lap	lap;
	bool		settled;	/* @lap is that of the range */
	const struct e2lazy_range *more;	/* to go on with */
	uint32_t	nr_more;
	uint32_t	walked;		/* blocks of the ranges before this */
	unsigned	flags;
	uint32_t	until;

	enum step	step;
	uint32_t	next;		/* log block to look at next */
	uint32_t	budget;		/* ring blocks it may still visit */
	struct block_events events;	/* IN_BLOCK */
	uint32_t	copies_left;	/* copies of this descriptor to show */
	uint32_t	shown_at;	/* log block of the copy shown last */
	uint32_t	shown_csum;
	uint32_t	block_at;	/* log block of the block in @block */

	uint64_t	last_sec;	/* raw time of the last good commit */
	uint32_t	crc_v1;
	errcode_t	doubt;		/* about @txn: see doubtful() */
	uint32_t	doubt_at;
	struct e2lazy_txn txn;
	struct e2lazy_end end;

	uint8_t		*block;		/* the control block at hand */
	struct foresight	foresight;
	struct lookahead	copies;
};

/* ----------------------------------------------------- begin and end */

static void begin_txn(struct e2lazy_walk *w, uint32_t tid)
{
	memset(&w->txn, 0, sizeof(w->txn));
	w->txn.tid = tid;
	w->txn.start = w->next;
	w->txn.end = w->next;
	w->doubt = 0;
	w->crc_v1 = ~0U;
	w->end.tid = tid;
	w->end.head = w->next;
	w->end.walked = w->walked + w->range.blocks - w->budget;
}

static void finish(struct e2lazy_walk *w, enum e2lazy_end_reason reason,
		   uint32_t stop, errcode_t error)
{
	w->step = ENDED;
	w->end.reason = reason;
	w->end.stop = stop;
	w->end.left = w->budget + lap_distance(w->lap, stop, w->next);
	w->end.error = error;
	w->end.open = w->txn;
}

static void set_start(struct e2lazy_walk *w)
{
	const struct e2lazy_range *r = &w->range;

	w->budget = r->blocks;
	w->next = r->start ? r->start : w->geo->first;
	w->lap = lap_from(w->geo, w->next);
	w->settled = range_in_log(w->journal, r) || !w->geo->other_end;
	begin_txn(w, r->tid);
	if (!r->start)
		finish(w, E2LAZY_END_EMPTY, w->next, 0);
	else if ((w->flags & E2LAZY_WALK_UNTIL) &&
		 e2lazy_tid_after(r->tid, w->until))
		finish(w, E2LAZY_END_UNTIL, w->next, 0);
}

errcode_t e2lazy_walk_ranges(struct e2lazy_journal *journal,
			     const struct e2lazy_range *ranges, uint32_t count,
			     unsigned flags, uint32_t until,
			     struct e2lazy_walk **out)
{
	struct e2lazy_walk *w;
	struct e2lazy_range set;
	errcode_t err = 0;

	for (uint32_t i = count; !err && i--; )
		err = range_set(journal, ranges ? &ranges[i] : NULL, &set);
	if (err || !count)
		return err ? err : EXT2_ET_INVALID_ARGUMENT;
	w = calloc(1, sizeof(*w));
	if (!w)
		return EXT2_ET_NO_MEMORY;
	w->journal = journal;
	w->geo = &journal->geo;
	w->range = set;
	w->more = ranges ? ranges + 1 : NULL;
	w->nr_more = count - 1;
	w->flags = flags;
	w->until = until;
	err = io_channel_alloc_buf(journal->io, 1, &w->block);
	if (!err)
		err = lookahead_init(&w->copies, journal);
	if (err) {
		e2lazy_walk_close(w);
		return err;
	}
	w->end.earliest = UINT64_MAX;
	set_start(w);
	*out = w;
	return 0;
}

errcode_t e2lazy_walk_open(struct e2lazy_journal *journal,
			   const struct e2lazy_range *range, unsigned flags,
			   uint32_t until, struct e2lazy_walk **out)
{
	return e2lazy_walk_ranges(journal, range, 1, flags, until, out);
}

/* Go on only behind a commit block: a begun transaction ends with its range. */
static bool next_range(struct e2lazy_walk *w)
{
	if (!w->nr_more || w->txn.start != w->next || w->txn.descriptors ||
	    w->txn.revoke_blocks)
		return false;
	w->walked += w->range.blocks;
	range_set(w->journal, w->more++, &w->range);
	w->nr_more--;
	set_start(w);
	return true;
}

void e2lazy_walk_close(struct e2lazy_walk *w)
{
	if (!w)
		return;
	ext2fs_free_mem(&w->block);
	lookahead_free(&w->copies);
	free(w);
}

/* ------------------------------------------------------------- copies */

/* v1: add a descriptor and its copies to the transaction's sum.  On failure
   @at is the copy that cannot be read. */
static errcode_t sum_copies(struct e2lazy_walk *w, uint32_t copies,
			    uint32_t *at)
{
	errcode_t err;

	w->crc_v1 = csum_v1(w->crc_v1, w->block, w->geo->blocksize);
	for (*at = w->next; copies; copies--) {
		const uint8_t *copy = lookahead_read(&w->copies, *at, copies,
						&err);

		if (!copy)
			return err;
		w->crc_v1 = csum_v1(w->crc_v1, copy, w->geo->blocksize);
		*at = lap_next(w->lap, *at);
	}
	return 0;
}

/* v2, v3: 0, or the flags of a bad copy. */
static unsigned verify_copy(struct e2lazy_walk *w, uint32_t at, uint32_t left,
			    uint32_t csum)
{
	const uint8_t *copy;
	errcode_t err;

	copy = lookahead_read(&w->copies, at, left, &err);
	if (!copy)
		return E2LAZY_COPY_BAD | E2LAZY_COPY_UNREADABLE;
	return csum_copy_good(&w->journal->csum, w->txn.tid, copy, csum) ?
	       0 : E2LAZY_COPY_BAD;
}

/* --------------------------------------------------- one control block */

/*
 * Remember an error in a transaction whose commit block is yet to come.  The
 * first bad checksum outranks a bad count.
 */
static void doubtful(struct e2lazy_walk *w, errcode_t why)
{
	if (w->doubt == E2LAZY_ET_BLOCK_CSUM ||
	    (w->doubt && why != E2LAZY_ET_BLOCK_CSUM))
		return;
	w->doubt = why;
	w->doubt_at = w->block_at;
}

/* Keep the worst state of the transaction's control blocks. */
static bool note_csum(struct e2lazy_walk *w, enum e2lazy_csum_state state)
{
	if (state > w->txn.csum)
		w->txn.csum = state;
	if (state != E2LAZY_BAD)
		return true;
	doubtful(w, E2LAZY_ET_BLOCK_CSUM);
	return false;
}

/* Does the ring, if not the range, have @blocks more? */
static bool fits_ring(const struct e2lazy_walk *w, uint32_t blocks)
{
	return blocks <= w->budget + (lap_size(w->lap) - w->range.blocks);
}

/* The copies follow the descriptor; move w->next past them at once. */
static void enter_descriptor(struct e2lazy_walk *w,
			     enum e2lazy_csum_state state)
{
	uint32_t copies = jbd2_count_tags(w->block, &w->journal->format), at;
	errcode_t err = 0;

	w->txn.descriptors++;
	foresee_descriptor(&w->foresight, copies);
	if (copies > w->budget) {
		finish(w, fits_ring(w, copies) ? E2LAZY_END_RANGE :
		       E2LAZY_END_OVERLONG, w->block_at, 0);
		return;
	}
	if (w->geo->csum == E2LAZY_CSUM_V1)
		err = sum_copies(w, copies, &at);
	if (err) {
		w->budget -= lap_distance(w->lap, w->next, at);
		w->next = at;
		finish(w, E2LAZY_END_UNREADABLE, w->next, err);
		return;
	}
	w->copies_left = copies;
	w->next = lap_add(w->lap, w->next, copies);
	w->budget -= copies;
	if (note_csum(w, state) &&	/* its tags are garbage otherwise */
	    block_events_begin(&w->events, w->journal, w->lap, w->block_at,
			       w->block))
		w->step = IN_BLOCK;
}

static void enter_revoke(struct e2lazy_walk *w, enum e2lazy_csum_state state)
{
	w->txn.revoke_blocks++;
	if (!note_csum(w, state))
		return;
	if (block_events_begin(&w->events, w->journal, w->lap, w->block_at,
			       w->block))
		w->step = IN_BLOCK;
	else
		doubtful(w, E2LAZY_ET_REVOKE_COUNT);
}

static void refuse_commit(struct e2lazy_walk *w, uint64_t sec)
{
	bool async = w->geo->incompat & E2LAZY_INCOMPAT_ASYNC_COMMIT;

	if (sec < w->last_sec)
		finish(w, E2LAZY_END_STALE, w->block_at, 0);
	else	/* an async commit block may legally outrun its blocks */
		finish(w, E2LAZY_END_COMMIT_CSUM, w->block_at,
		       async ? 0 : E2LAZY_ET_COMMIT_CSUM);
}

/* Does the transaction count?  If so, @ev is its COMMIT. */
static bool accept_commit(struct e2lazy_walk *w, enum e2lazy_csum_state state,
			  struct e2lazy_event *ev)
{
	uint64_t sec = get_be64(w->block + COMMIT_SEC);

	foresee_commit(&w->foresight);
	w->txn.end = w->block_at;
	if (w->doubt == E2LAZY_ET_BLOCK_CSUM) {
		if (sec < w->last_sec)
			finish(w, E2LAZY_END_STALE, w->doubt_at, 0);
		else
			finish(w, E2LAZY_END_BLOCK_CSUM, w->doubt_at, w->doubt);
		return false;
	}
	if (w->geo->csum == E2LAZY_CSUM_V1)
		state = csum_v1_commit(w->crc_v1, w->block);
	w->txn.torn = state == E2LAZY_TORN;
	if (state > w->txn.csum)
		w->txn.csum = state;
	if (state == E2LAZY_BAD) {
		refuse_commit(w, sec);
		return false;
	}
	if (w->doubt) {
		finish(w, E2LAZY_END_REVOKE_COUNT, w->doubt_at, w->doubt);
		return false;
	}
	w->last_sec = sec;
	w->txn.committed = true;
	w->txn.marked = w->geo->lazy_nonce &&
			jsb_has_mark(w->geo, w->block, w->txn.tid);
	jbd2_commit_time(w->block, &w->txn.sec, &w->txn.nsec);
	if (w->txn.sec && w->txn.sec < w->end.earliest)
		w->end.earliest = w->txn.sec;
	ev->kind = E2LAZY_EV_COMMIT;
	ev->tid = w->txn.tid;
	ev->logblk = w->block_at;
	ev->txn = &w->txn;
	return true;
}

/* Does @block continue this log?  If not, end the walk. */
static bool is_next(struct e2lazy_walk *w, struct jbd2_header *h)
{
	if (!jbd2_get_header(w->block, h)) {
		finish(w, E2LAZY_END_NOT_JOURNAL, w->block_at, 0);
		return false;
	}
	w->end.found_type = h->type;
	w->end.found_tid = h->tid;
	if (h->tid != w->txn.tid) {
		finish(w, E2LAZY_END_OTHER_TID, w->block_at, 0);
		return false;
	}
	return true;
}

/* At the place where an older lap may wrap, choose the lap: see lap.h. */
static void settle_lap(struct e2lazy_walk *w, uint32_t type)
{
	uint32_t blocks = 1;

	if (w->settled)
		return;
	if (type == JBD2_DESCRIPTOR)
		blocks += jbd2_count_tags(w->block, &w->journal->format);
	w->settled = lap_settle(w->journal, &w->lap, w->block_at, blocks,
				w->txn.tid + (type == JBD2_COMMIT));
}

/* Look at the next block.  True if that made an event. */
static bool enter_block(struct e2lazy_walk *w, struct e2lazy_event *ev)
{
	enum e2lazy_csum_state state;
	struct jbd2_header h;
	errcode_t err;

	if (w->budget == 0 && next_range(w) && w->step == ENDED)
		return false;
	if (w->budget == 0) {
		finish(w, fits_ring(w, 1) ? E2LAZY_END_RANGE :
		       E2LAZY_END_FULL, w->next, 0);
		return false;
	}
	w->block_at = w->next;
	err = foresight_read(&w->foresight, w->journal, w->block_at, w->block);
	if (err) {
		finish(w, E2LAZY_END_UNREADABLE, w->block_at, err);
		return false;
	}
	if (!is_next(w, &h))
		return false;
	settle_lap(w, h.type);
	w->budget--;
	w->next = lap_next(w->lap, w->next);

	state = csum_control(&w->journal->csum, h.type, w->block);
	switch (h.type) {
	case JBD2_DESCRIPTOR:
		enter_descriptor(w, state);
		return false;
	case JBD2_REVOKE:
		enter_revoke(w, state);
		return false;
	case JBD2_COMMIT:
		return accept_commit(w, state, ev);
	default:
		finish(w, E2LAZY_END_TYPE, w->block_at, E2LAZY_ET_BLOCK_TYPE);
		return false;
	}
}

/* ------------------------------------------------------------- events */

static void show_copy(struct e2lazy_walk *w, struct e2lazy_event *ev)
{
	if ((w->flags & E2LAZY_WALK_DATA) && w->geo->csum >= E2LAZY_CSUM_V2)
		ev->flags |= verify_copy(w, ev->logblk, w->copies_left,
					 ev->csum);
	if (ev->flags & E2LAZY_COPY_BAD)
		w->txn.csum = E2LAZY_BAD;
	w->shown_at = ev->logblk;
	w->shown_csum = ev->csum;
	w->copies_left--;
	w->txn.copies++;
}

/* The next tag or revoke of @block; false after the last one. */
static bool show_event(struct e2lazy_walk *w, struct e2lazy_event *ev)
{
	if (!block_events_next(&w->events, ev))
		return false;
	if (ev->kind == E2LAZY_EV_TAG)
		show_copy(w, ev);
	else
		w->txn.revokes++;
	w->txn.end = ev->logblk;
	return true;
}

/* Call it after the caller has seen the COMMIT event, which shows @txn. */
static void next_txn(struct e2lazy_walk *w)
{
	uint32_t tid = w->txn.tid;

	begin_txn(w, tid + 1);
	if ((w->flags & E2LAZY_WALK_UNTIL) && tid == w->until)
		finish(w, E2LAZY_END_UNTIL, w->next, 0);
}

void e2lazy_walk_next(struct e2lazy_walk *w, struct e2lazy_event *ev)
{
	if (w->txn.committed)
		next_txn(w);
	for (;;) {
		switch (w->step) {
		case IN_BLOCK:
			if (show_event(w, ev))
				return;
			w->step = AT_BLOCK;
			break;
		case AT_BLOCK:
			if (enter_block(w, ev))
				return;
			break;
		case ENDED:
			ev->kind = E2LAZY_EV_END;
			ev->tid = w->end.tid;
			ev->end = &w->end;
			return;
		}
	}
}

errcode_t walk_take_tags(struct e2lazy_walk *w, struct records *to,
			 uint32_t *taken)
{
	errcode_t err;

	*taken = 0;
	if (w->step != IN_BLOCK || w->events.type != JBD2_DESCRIPTOR ||
	    !w->copies_left || w->flags & E2LAZY_WALK_DATA)
		return 0;
	err = records_reserve(to, w->copies_left);
	if (err)
		return err;
	*taken = block_take_tags(&w->events, to->at + to->nr, w->copies_left);
	to->nr += *taken;
	w->copies_left -= *taken;
	w->txn.copies += *taken;
	if (*taken)
		w->txn.end = to->at[to->nr - 1].logblk;
	return 0;
}

uint64_t walk_last_stored(const struct e2lazy_walk *w)
{
	return w->last_sec;
}

enum e2lazy_csum_state e2lazy_walk_verify(struct e2lazy_walk *w)
{
	if (w->geo->csum < E2LAZY_CSUM_V2)
		return E2LAZY_UNCHECKED;
	return verify_copy(w, w->shown_at, 1, w->shown_csum) ? E2LAZY_BAD :
							       E2LAZY_GOOD;
}

/* For xgettext only; the program that prints a text translates it. */
#define N_(text) text

static const char *const end_texts[] = {
	[E2LAZY_END_EMPTY]	= N_("the log is empty"),
	[E2LAZY_END_NOT_JOURNAL] = N_("the next block is not a journal block"),
	[E2LAZY_END_OTHER_TID]	= N_("the next block belongs to another "
				     "transaction"),
	[E2LAZY_END_FULL]	= N_("the log fills the whole ring"),
	[E2LAZY_END_OVERLONG]	= N_("a descriptor claims more blocks than the "
				     "ring has"),
	[E2LAZY_END_STALE]	= N_("the next blocks belong to an earlier "
				     "journal"),
	[E2LAZY_END_UNTIL]	= N_("the requested transaction is reached"),
	[E2LAZY_END_TYPE]	= N_("a journal block has an unknown type"),
	[E2LAZY_END_BLOCK_CSUM]	= N_("bad checksum in a committed transaction"),
	[E2LAZY_END_COMMIT_CSUM] = N_("bad checksum of a commit block"),
	[E2LAZY_END_REVOKE_COUNT] = N_("impossible count in a revoke block"),
	[E2LAZY_END_UNREADABLE]	= N_("a block cannot be read"),
	[E2LAZY_END_RANGE]	= N_("the requested range ends"),
};

const char *e2lazy_end_text(enum e2lazy_end_reason reason)
{
	return end_texts[reason];
}
