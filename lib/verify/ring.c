/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ring.c - find the last transactions in the ring of an emptied log
 *
 * A kernel or tool that empties a log after writing it back sets s_sequence
 * past all its transactions.  A kernel that discards a log, and an e2fsck that
 * is told to clear it, leave s_sequence at the first discarded transaction.  No
 * other log leaves that number in the ring, because the next transaction to be
 * written gets the number after s_sequence.
 */

#include "log/log.h"
#include "ring.h"

static bool is_commit(const struct record *r)
{
	return r->flags == JBD2_COMMIT;
}

/* The control block before number @i, around the ring. */
static const struct record *before(const struct ring *ring, size_t i)
{
	return &ring->blocks.at[(i ? i : ring->blocks.nr) - 1];
}

static bool is_next_to(const struct ring *ring, const struct record *earlier,
		       const struct record *r)
{
	return lap_follows(ring->geo, r->logblk, earlier->logblk);
}

static void set_chain(struct chain *chain, const struct record *first,
		      bool named)
{
	chain->start = first->logblk;
	chain->first_tid = first->tid;
	chain->named = named;
}

/* The chain whose first tid s_sequence still names: its tail is intact. */
static bool find_named(const struct ring *ring, struct chain *out)
{
	const struct record *r;

	for (size_t i = 0; i < ring->blocks.nr; i++) {
		r = &ring->blocks.at[i];
		if (r->tid != ring->geo->sequence ||
		    (before(ring, i)->tid == r->tid &&
		     !is_commit(before(ring, i))))
			continue;
		set_chain(out, r, true);
		return true;
	}
	return false;
}

/* The commit block closest below tid @next; false if two have the same tid. */
static bool find_newest(const struct ring *ring, uint32_t next, size_t *newest)
{
	uint32_t least = lap_size(lap_longest(ring->geo)) + 1, distance;
	bool found = false;

	for (size_t i = 0; i < ring->blocks.nr; i++) {
		const struct record *r = &ring->blocks.at[i];

		distance = next - r->tid;
		if (!is_commit(r) || !distance || distance > least)
			continue;
		found = distance < least;
		if (found) {
			least = distance;
			*newest = i;
		}
	}
	return found;
}

/*
 * The head overwrites the oldest transaction from its beginning.  So a
 * transaction counts as whole only directly behind another's commit block, or
 * at s_first or s_start.  The newest commit block does not count here: the head
 * stands behind it.
 */
static bool begins_whole(const struct ring *ring, size_t i, size_t newest)
{
	const struct record *r = &ring->blocks.at[i];
	const struct record *earlier = before(ring, i);

	return r->logblk == ring->geo->first ||
	       r->logblk == ring->geo->start ||
	       (is_commit(earlier) && is_next_to(ring, earlier, r) &&
		earlier != &ring->blocks.at[newest]);
}

/* Go back from the newest commit block as long as the tids are consecutive. */
static bool find_below(const struct ring *ring, uint32_t next,
		       struct chain *out)
{
	size_t newest = 0, i;
	bool found = false;

	if (!find_newest(ring, next, &newest))
		return false;
	i = newest;
	for (size_t n = ring->blocks.nr; n; n--) {
		const struct record *r = &ring->blocks.at[i];
		const struct record *earlier = before(ring, i);

		if (earlier->tid != r->tid || is_commit(earlier)) {
			if (!begins_whole(ring, i, newest))
				break;
			set_chain(out, r, false);
			found = true;
			if (!is_commit(earlier) || earlier->tid + 1 != r->tid)
				break;
		}
		i = (i ? i : ring->blocks.nr) - 1;
	}
	return found;
}

bool ring_last_chain(const struct ring *ring, struct chain *out)
{
	return ring->blocks.nr &&
	       (find_named(ring, out) ||
		find_below(ring, ring->geo->sequence, out));
}

static bool is_in_window(const struct ring *ring, uint32_t tid)
{
	return tid_follows(ring->geo, ring->geo->sequence, tid, 1);
}

/* Find a commit block inside or outside the window; @next: newest tid + 1. */
static bool find_next(const struct ring *ring, bool inside, uint32_t *next)
{
	bool found = false;

	for (size_t i = 0; i < ring->blocks.nr; i++) {
		const struct record *r = &ring->blocks.at[i];

		if (!is_commit(r) || r->tid == ring->geo->sequence ||
		    is_in_window(ring, r->tid) != inside)
			continue;
		if (!found || e2lazy_tid_after(r->tid + 1, *next))
			*next = r->tid + 1;
		found = true;
	}
	return found;
}

enum ring_chain ring_left_chain(const struct ring *ring, bool inside,
				struct chain *out)
{
	uint32_t next = 0;

	if (!find_next(ring, inside, &next))
		return RING_NO_CHAIN;
	return find_below(ring, next, out) ? RING_CHAIN : RING_UNCERTAIN;
}
