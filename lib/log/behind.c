/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * behind.c - committed transactions that stand behind a damage
 *
 * Recovery ends where the log breaks off.  The ring behind that place may hold
 * more transactions.  This file reads each sound control block there by itself,
 * because its predecessors may be lost.
 *
 * jbd2 begins a transaction only after the one before it is safe.  So any block
 * of a later transaction proves that the transaction before it was committed.
 * If the walk ended with an error, the broken transaction also counts: it has a
 * commit block, or the damaged block may be its commit block.
 */

#include <string.h>

#include "behind.h"

/* An async commit block may outrun its own transaction: see beyond_judge(). */
static void note_commit(struct behind *b, const struct sighting *s)
{
	uint32_t committed = s->tid - b->end->tid + (s->type == JBD2_COMMIT);

	if (beyond_judge(b->look->journal, b->end, s) ==
	    E2LAZY_BEYOND_DAMAGE && committed > b->committed)
		b->committed = committed;
}

errcode_t behind_init(struct behind *b, const struct look *look,
		      const struct e2lazy_end *end)
{
	memset(b, 0, sizeof(*b));
	b->look = look;
	b->end = end;
	b->committed = end->error ? 1 : 0;
	b->passed = end->tid;
	for (size_t i = 0; i < look->nr; i++)
		note_commit(b, &look->at[i]);
	return io_channel_alloc_buf(look->journal->io, 1, &b->block);
}

void behind_free(struct behind *b)
{
	ext2fs_free_mem(&b->block);
}

/* A descriptor with more copies than the ring has room for does not fit. */
bool behind_counts(const struct behind *b, const struct sighting *s)
{
	const struct look *look = b->look;

	return beyond_judge(look->journal, b->end, s) >=
	       E2LAZY_BEYOND_UNCOMMITTED &&
	       s->tid - b->end->tid < b->committed &&
	       s->blocks <= look->rest - look_distance(look, s->logblk);
}

static void begin_block(struct behind *b, const struct sighting *s)
{
	b->events.type = 0;
	if (!behind_counts(b, s))
		return;
	if (e2lazy_tid_after(s->tid, b->passed))
		b->passed = s->tid;
	if (s->type == JBD2_COMMIT ||
	    e2lazy_read_log(b->look->journal, s->logblk, 1, b->block))
		return;
	if (!block_events_begin(&b->events, b->look->journal, b->look->lap,
				s->logblk, b->block))
		b->events.type = 0;
}

bool behind_next(struct behind *b, struct e2lazy_event *ev)
{
	while (!block_events_next(&b->events, ev)) {
		if (b->next == b->look->nr)
			return false;
		begin_block(b, &b->look->at[b->next++]);
	}
	return true;
}

void behind_rewind(struct behind *b)
{
	b->next = 0;
	b->passed = b->end->tid;
	b->events.type = 0;
}
