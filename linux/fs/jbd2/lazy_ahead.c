// SPDX-License-Identifier: GPL-2.0-only
/*
 * lazy_ahead.c - reading ahead: in the log, and of its control blocks
 *
 * What was logged together is often read together: blocks of a directory and
 * of its inodes are neighbours in the log.  So a read that goes on where one
 * before has ended takes the next live copies of its transaction, too, in what
 * the block layer makes one request of.
 *
 * The scan at mount reads control blocks alone.  A descriptor tells where the
 * next one is, or the commit block, and behind a commit block the next
 * transaction begins.  In a long transaction all descriptors but the last are
 * full, which tells where those after the next one are.  One guess for six
 * full descriptors keeps the blocks read in vain below a fifth.
 */
#include <linux/blkdev.h>
#include <linux/buffer_head.h>

#include "lazy.h"

/* ---- copies ---- */

/* A read that far behind the last one still goes on from there. */
#define LAZY_SLACK	16

/* jl_lock is held.  The stream that @pblk belongs to, and is the next of. */
static struct lazy_stream *lazy_stream_of(struct jbd2_lazy *jl,
					  unsigned long long pblk)
{
	struct lazy_stream *s;

	for (s = jl->jl_streams; s < jl->jl_streams + LAZY_STREAMS; s++) {
		if (pblk <= s->end || pblk > s->end + LAZY_SLACK)
			continue;
		s->window = clamp(s->window * 2, 4U, (unsigned int)LAZY_AHEAD);
		return s;
	}
	s = &jl->jl_streams[jl->jl_next_stream++ % LAZY_STREAMS];
	s->window = 0;
	return s;
}

/* The live copies after @copy in its transaction; how many to read now. */
static int lazy_neighbours(struct jbd2_lazy *jl, struct lazy_copy *copy,
			   unsigned long long fsblk[LAZY_AHEAD])
{
	struct lazy_stream *s;
	struct lazy_entry *e;
	unsigned long flags;
	int n = 0;

	read_lock(&jl->jl_lock);
	spin_lock_irqsave(&jl->jl_count_lock, flags);
	s = lazy_stream_of(jl, copy->pblk);
	s->end = copy->pblk;
	e = lazy_find(jl, copy->fsblk);
	if (e && e->pblk == copy->pblk) {
		struct list_head *live = &e->txn->live;

		while (n < s->window && !list_is_last(&e->list, live)) {
			e = list_next_entry(e, list);
			if (e->pblk > s->end + LAZY_SLACK || e->pblk <= s->end)
				break;
			s->end = e->pblk;
			if (!e->dying)
				fsblk[n++] = e->fsblk;
		}
	}
	spin_unlock_irqrestore(&jl->jl_count_lock, flags);
	read_unlock(&jl->jl_lock);
	return n;
}

/* @copy is being read: read what is likely to be asked for next. */
void lazy_read_ahead(struct jbd2_lazy *jl, struct lazy_copy *copy)
{
	journal_t *journal = jl->jl_journal;
	unsigned long long fsblk[LAZY_AHEAD];
	int i, nr = lazy_neighbours(jl, copy, fsblk);

	for (i = 0; i < nr; i++) {
		struct buffer_head *bh = __getblk(journal->j_fs_dev, fsblk[i],
						  journal->j_blocksize);

		if (!bh)
			return;
		if (!trylock_buffer(bh)) {
			brelse(bh);
			continue;
		}
		bh->b_end_io = end_buffer_read_sync;
		get_bh(bh);
		if (lazy_current(bh) || buffer_jbd(bh) ||
		    !jbd2_lazy_read(bh, REQ_META | REQ_RAHEAD)) {
			unlock_buffer(bh);
			put_bh(bh);
		} else {
			atomic_long_inc(&jl->jl_read_ahead);
		}
		brelse(bh);
	}
}

/* ---- control blocks ---- */

static void lazy_scan_submit(struct jbd2_lazy *jl, struct buffer_head *bh,
			     blk_opf_t opf)
{
	jl->jl_scanned++;
	clear_buffer_uptodate(bh);
	bh->b_end_io = end_buffer_read_sync;
	get_bh(bh);
	submit_bh(REQ_OP_READ | opf, bh);
}

/* Has the scan read that block ahead?  Asked once for each. */
static bool lazy_was_ahead(struct jbd2_lazy *jl, unsigned long at)
{
	unsigned int i;

	for (i = 0; i < jl->jl_nr_ahead; i++) {
		if (jl->jl_ahead[i] != at)
			continue;
		jl->jl_ahead[i] = jl->jl_ahead[--jl->jl_nr_ahead];
		return true;
	}
	return false;
}

static bool lazy_is_ahead(struct jbd2_lazy *jl, unsigned long at)
{
	unsigned int i;

	for (i = 0; i < jl->jl_nr_ahead; i++)
		if (jl->jl_ahead[i] == at)
			return true;
	return false;
}

/*
 * Read the control block @at of the log into its buffer.  The first pass trusts
 * nothing that the page cache has of the log: it may be from before an earlier
 * mount, whose writes did not pass through it.
 */
void jbd2_lazy_scan(journal_t *journal, struct buffer_head *bh,
		    unsigned long at)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	bool known = !jl->jl_scanning || lazy_was_ahead(jl, at);

	lock_buffer(bh);
	if (known && buffer_uptodate(bh)) {
		unlock_buffer(bh);
		return;
	}
	lazy_scan_submit(jl, bh, REQ_META);
	wait_on_buffer(bh);
}

static void lazy_scan_one(journal_t *journal, unsigned long at)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	unsigned long long pblk;
	struct buffer_head *bh;

	if (at >= journal->j_last)
		at -= journal->j_last - journal->j_first;
	if (at >= journal->j_last || jl->jl_nr_ahead == LAZY_AHEAD ||
	    lazy_is_ahead(jl, at) || jbd2_journal_bmap(journal, at, &pblk))
		return;
	bh = __getblk(journal->j_dev, pblk, journal->j_blocksize);
	if (!bh)
		return;
	if (trylock_buffer(bh)) {
		lazy_scan_submit(jl, bh, REQ_META | REQ_RAHEAD);
		jl->jl_ahead[jl->jl_nr_ahead++] = at;
	}
	brelse(bh);
}

/* A descriptor has @tags tags, and behind their copies comes block @next. */
void jbd2_lazy_scan_ahead(journal_t *journal, unsigned long next, int tags)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	int room = journal->j_blocksize - sizeof(journal_header_t) - 16;
	struct blk_plug plug;
	unsigned int i;

	if (jbd2_journal_has_csum_v2or3(journal))
		room -= sizeof(struct jbd2_journal_block_tail);
	if (tags < room / (int)journal_tag_bytes(journal))
		jl->jl_full = 0;
	else
		jl->jl_full++;

	blk_start_plug(&plug);
	lazy_scan_one(journal, next);
	if (!jl->jl_full)
		lazy_scan_one(journal, next + 1);
	for (i = 1; i <= min(jl->jl_full / 6, LAZY_AHEAD / 2U); i++)
		lazy_scan_one(journal, next + i * (tags + 1));
	blk_finish_plug(&plug);
}
