/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * broken_off.c - clear what new transactions at the head could run into
 *
 * A crash leaves a transaction without its commit block, or parts of one, behind
 * the head.  It has the number E that is due there, and nothing of it counts.
 * New transactions take the numbers from E on, and may be shorter.  Then the
 * rest of it stands behind them:
 *
 *  - a block with the number that comes next, directly behind a new commit
 *    block, would go on with the log;
 *  - a block with the number of a new transaction would look like a part of
 *    that one which the log has lost;
 *  - an old commit block at the place of a control block would make a new
 *    transaction count whose copies are not on the disk yet, and an old
 *    descriptor there would lead to other places.
 *
 * A log that began anew with a lower number leaves such blocks, too.  So each
 * block of the free part of the ring that has jbd2's magic and one of these
 * numbers, or the one after them, is zeroed, and a flush follows, before the
 * first block of a new transaction is written.  Checksums do not matter, since
 * the walk meets the number first.
 *
 * A power cut in between leaves some of them cleared.  The log ends at its head
 * because no commit block of E counts, and a block of zeros ends a log as well:
 * to clear a block can make a log shorter, and never longer.
 *
 * A block that cannot be read may be such a one.  Where new blocks come, and
 * directly behind them, it is cleared: a write may mend it.
 */

#include <stdlib.h>
#include <string.h>

#include "broken_off.h"
#include "io/grow.h"
#include "io/watch.h"
#include "log/log.h"
#include "log/lookahead.h"

#define BLOCKS_PER_TICK	64

/* --------------------------------------------------------------- finding */

bool broken_off_is_behind(const struct broken_off *b, uint32_t logblk)
{
	return ring_distance(&b->journal->geo, b->end->head, logblk) >=
	       b->plan.blocks;
}

/* @block is NULL if it cannot be read. */
static bool is_in_the_way(const struct broken_off *b, uint32_t distance,
			  const uint8_t *block)
{
	struct jbd2_header h;

	if (!block)
		return distance <= b->plan.blocks;
	return jbd2_get_header(block, &h) &&
	       h.tid - b->end->tid <= b->plan.txns;
}

static errcode_t add(struct broken_off *b, uint32_t logblk)
{
	uint32_t *at = grow(b->at, b->nr, &b->room, sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	b->at = at;
	at[b->nr++] = logblk;
	b->behind += broken_off_is_behind(b, logblk);
	return 0;
}

/* Holes of an image file read as zeros. */
static errcode_t look(struct broken_off *b, struct lookahead *ahead,
		      const struct e2lazy_watch *watch)
{
	const struct e2lazy_geometry *g = &b->journal->geo;
	uint32_t rest = ring_size(g) - b->end->walked, n = 0;
	errcode_t err = 0, unreadable;
	unsigned steps = 0;

	while (!err && n < rest) {
		uint32_t at = ring_add(g, b->end->head, n);
		bool gone = false;
		uint32_t hole = lookahead_has(ahead, at) ? 0 :
				log_hole(b->journal, lap_of_log(g), at,
					 rest - n, &gone);

		if (!hole && is_in_the_way(b, n, lookahead_read(ahead, at,
						rest - n, &unreadable)))
			err = add(b, at);
		n += hole ? hole : 1;
		if (!err && steps++ % BLOCKS_PER_TICK == 0)
			err = watch_tick(watch, E2LAZY_PHASE_RING, n, rest);
	}
	return err;
}

errcode_t broken_off_find(struct broken_off *b, struct e2lazy_journal *journal,
			  const struct e2lazy_end *end,
			  const struct append_plan *plan,
			  const struct e2lazy_watch *watch)
{
	struct lookahead ahead;
	errcode_t err;

	*b = (struct broken_off){ .journal = journal, .end = end,
				  .plan = *plan };
	err = lookahead_init(&ahead, journal);
	if (!err)
		err = look(b, &ahead, watch);
	lookahead_free(&ahead);
	return err;
}

void broken_off_free(struct broken_off *b)
{
	free(b->at);
	b->at = NULL;
}

/* -------------------------------------------------------------- clearing */

static errcode_t clear_one(const struct broken_off *b, uint32_t logblk,
			   const uint8_t *zeros)
{
	const struct target *t = b->target;
	blk64_t at;
	errcode_t err = e2lazy_physblk(b->journal, logblk, &at);

	if (!err)
		err = io_channel_write_blk64((t->jfs ? t->jfs : t->fs)->io, at,
					     1, zeros);
	if (err) {
		b->where->volume = E2LAZY_JOURNAL;
		b->where->has = E2LAZY_AT_LOGBLK;
		b->where->logblk = logblk;
	}
	return err;
}

static errcode_t clear(void *priv)
{
	struct broken_off *b = priv;
	uint8_t *zeros = NULL;
	errcode_t err = io_channel_alloc_buf(b->journal->io, 1, &zeros);

	if (err)
		return err;
	memset(zeros, 0, b->journal->geo.blocksize);
	b->target->begun = true;
	for (size_t i = 0; !err && i < b->nr; i++)
		err = clear_one(b, b->at[i], zeros);
	ext2fs_free_mem(&zeros);
	return err;
}

struct seal_step broken_off_step(struct broken_off *b, struct target *target,
				 struct e2lazy_where *where)
{
	b->target = target;
	b->where = where;
	return (struct seal_step){
		.skip = !b->nr, .log_device = true, .write = clear, .priv = b,
		.flush = true, .outcome = SEAL_REDO,
	};
}
