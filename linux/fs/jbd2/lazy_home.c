// SPDX-License-Identifier: GPL-2.0-only
/*
 * lazy_home.c - writing blocks to their home
 *
 * A batch of copies is taken from buffers, or read from the log, and written in
 * order of place.  Then they are mapped no more.  A copy that cannot go home now
 * stays in the log: somebody has locked its buffer, or nobody needs it any more.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/buffer_head.h>
#include <linux/completion.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <trace/events/jbd2.h>

#include "lazy.h"

/* One block on its way: what it holds is kept apart from its buffer. */
struct lazy_slot {
	struct lazy_copy	copy;
	struct page		*page;
	struct buffer_head	*bh;
	struct lazy_batch	*batch;
	bool			read;		/* from the log */
	bool			failed;
	bool			skip;		/* stays in the log, for now */
};

struct lazy_batch {
	atomic_t		pending;
	struct completion	done;
};

int lazy_slots_alloc(struct jbd2_lazy *jl)
{
	int i;

	jl->jl_slots = kcalloc(LAZY_BATCH, sizeof(*jl->jl_slots), GFP_KERNEL);
	jl->jl_homing = kcalloc(LAZY_BATCH, sizeof(*jl->jl_homing), GFP_KERNEL);
	if (!jl->jl_slots || !jl->jl_homing) {
		lazy_slots_free(jl);
		return -ENOMEM;
	}
	for (i = 0; i < LAZY_BATCH; i++) {
		jl->jl_slots[i].page = alloc_page(GFP_KERNEL);
		if (!jl->jl_slots[i].page) {
			lazy_slots_free(jl);
			return -ENOMEM;
		}
	}
	return 0;
}

void lazy_slots_free(struct jbd2_lazy *jl)
{
	int i;

	for (i = 0; i < LAZY_BATCH && jl->jl_slots; i++)
		if (jl->jl_slots[i].page)
			__free_page(jl->jl_slots[i].page);
	kfree(jl->jl_slots);
	kfree(jl->jl_homing);
}

static void lazy_batch_end(struct bio *bio)
{
	struct lazy_slot *slot = bio->bi_private;
	struct lazy_batch *batch = slot->batch;

	if (bio->bi_status)
		slot->failed = true;
	bio_put(bio);
	if (atomic_dec_and_test(&batch->pending))
		complete(&batch->done);
}

static void lazy_batch_submit(struct jbd2_lazy *jl, struct lazy_slot *slot,
			      struct lazy_batch *batch, bool home)
{
	journal_t *journal = jl->jl_journal;
	struct bio *bio;

	atomic_inc(&batch->pending);
	slot->batch = batch;
	bio = bio_alloc(home ? journal->j_fs_dev : journal->j_dev, 1,
			(home ? REQ_OP_WRITE : REQ_OP_READ) | REQ_META |
			REQ_SYNC, GFP_NOIO);
	bio->bi_iter.bi_sector = lazy_sector(jl, home ? slot->copy.fsblk :
							slot->copy.pblk);
	bio->bi_private = slot;
	bio->bi_end_io = lazy_batch_end;
	__bio_add_page(bio, slot->page, journal->j_blocksize, 0);
	submit_bio(bio);
}

static void lazy_batch_begin(struct lazy_batch *batch)
{
	atomic_set(&batch->pending, 1);
	init_completion(&batch->done);
}

static void lazy_batch_wait(struct lazy_batch *batch)
{
	if (atomic_dec_and_test(&batch->pending))
		complete(&batch->done);
	wait_for_completion_io(&batch->done);
}

/*
 * Save the read of a copy that a buffer holds.  The buffer lock keeps it out of
 * a transaction meanwhile.
 */
static bool lazy_from_buffer(struct jbd2_lazy *jl, struct lazy_slot *slot)
{
	struct buffer_head *bh = slot->bh;
	void *data = page_address(slot->page);
	bool good;

	if (!jbd2_journal_has_csum_v2or3(jl->jl_journal) || !trylock_buffer(bh))
		return false;
	good = !buffer_jbd(bh) && buffer_uptodate(bh) && buffer_jmap(bh);
	if (good)
		memcpy(data, bh->b_data, bh->b_size);
	unlock_buffer(bh);
	/* Not everybody who changes a buffer takes its lock. */
	return good && lazy_holds(jl, &slot->copy, data);
}

/*
 * Once the block is not mapped any more, any buffer of it is trusted: give it
 * the bytes that its home gets.  If somebody has locked it, it stays mapped; one
 * in a transaction is trusted as it is.
 */
static void lazy_to_buffer(struct jbd2_lazy *jl, struct lazy_slot *slot)
{
	struct buffer_head *bh = slot->bh;

	if (!trylock_buffer(bh)) {
		slot->skip = !buffer_jbd(bh);
		return;
	}
	if (!buffer_jbd(bh) && !buffer_jmap(bh) &&
	    lazy_same(jl, &slot->copy, false)) {
		memcpy(bh->b_data, page_address(slot->page), bh->b_size);
		set_buffer_uptodate(bh);
		set_buffer_jmap(bh);
	}
	unlock_buffer(bh);
}

/*
 * The log's copy cannot be read.  A buffer that no transaction has changed since
 * holds the same, although without a checksum nobody can prove it; the watched
 * block changes at other times, too, and is as good as its own checksum.
 */
static bool lazy_from_memory(struct jbd2_lazy *jl, struct lazy_slot *slot)
{
	struct buffer_head *bh = slot->bh;
	bool good;

	if (jbd2_journal_has_csum_v2or3(jl->jl_journal))
		return false;
	if (!trylock_buffer(bh)) {
		slot->skip = true;
		return false;
	}
	good = lazy_current(bh) && !buffer_jbd(bh) &&
	       (bh != jl->jl_watched || jl->jl_whole(jl->jl_journal));
	if (good)
		memcpy(page_address(slot->page), bh->b_data, bh->b_size);
	unlock_buffer(bh);
	return good;
}

/*
 * A slot whose read has failed: is there another way?  The transaction that has
 * the buffer logs it again, if it commits.  If it has done so meanwhile, or the
 * block is being freed, nobody needs this copy any more.  In this order: a buffer
 * leaves its transaction after the map has the newer copy.
 */
static int lazy_rescue(struct jbd2_lazy *jl, struct lazy_slot *slot)
{
	slot->failed = false;
	if (lazy_from_memory(jl, slot) || slot->skip)
		return 0;
	slot->skip = (buffer_jbd(slot->bh) && buffer_uptodate(slot->bh)) ||
		     !lazy_same(jl, &slot->copy, false);
	slot->failed = !slot->skip;
	return slot->failed ? -EIO : 0;
}

/* Take the contents of @nr copies into the slots. */
static int lazy_fill(struct jbd2_lazy *jl, int nr)
{
	journal_t *journal = jl->jl_journal;
	struct lazy_batch batch;
	struct lazy_slot *slot, *end = jl->jl_slots + nr;
	struct blk_plug plug;
	int err = 0;

	lazy_batch_begin(&batch);
	blk_start_plug(&plug);
	for (slot = jl->jl_slots; slot < end; slot++) {
		slot->failed = false;
		slot->skip = false;
		slot->bh = __getblk(journal->j_fs_dev, slot->copy.fsblk,
				    journal->j_blocksize);
		slot->read = !lazy_from_buffer(jl, slot);
		if (slot->read)
			lazy_batch_submit(jl, slot, &batch, false);
	}
	blk_finish_plug(&plug);
	lazy_batch_wait(&batch);

	for (slot = jl->jl_slots; slot < end; slot++) {
		if (slot->read && (slot->failed ||
		    !lazy_decode(jl, &slot->copy, page_address(slot->page))))
			err = lazy_rescue(jl, slot) ? -EIO : err;
		else if (slot->read)
			lazy_to_buffer(jl, slot);
	}
	return err;
}

/* ---- who is on the way ---- */

/* jl_lock is held. */
static bool lazy_is_homing(struct jbd2_lazy *jl, unsigned long long fsblk)
{
	int low = 0, high = jl->jl_nr_homing, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (jl->jl_homing[middle].fsblk < fsblk)
			low = middle + 1;
		else
			high = middle;
	}
	return low < jl->jl_nr_homing && jl->jl_homing[low].fsblk == fsblk;
}

/*
 * A commit gives @fsblk away: not before a batch that has it is home.  No later
 * batch takes a block that dies, so it waits for the end of this one alone,
 * whatever others send home meanwhile.  jl_lock is held for writing, but not all
 * the time.
 */
void lazy_wait_home(struct jbd2_lazy *jl, unsigned long long fsblk)
	__releases(&jl->jl_lock)
	__acquires(&jl->jl_lock)
{
	while (lazy_is_homing(jl, fsblk)) {
		unsigned long homes = jl->jl_homes;

		write_unlock(&jl->jl_lock);
		atomic_long_inc(&jl->jl_home_waits);
		wait_event(jl->jl_wait, READ_ONCE(jl->jl_homes) != homes);
		write_lock(&jl->jl_lock);
	}
}

static void lazy_home_ends(struct jbd2_lazy *jl)
{
	write_lock(&jl->jl_lock);
	jl->jl_nr_homing = 0;
	WRITE_ONCE(jl->jl_homes, jl->jl_homes + 1);
	write_unlock(&jl->jl_lock);
	wake_up(&jl->jl_wait);
}

static void lazy_submit_home(struct jbd2_lazy *jl, int nr)
{
	struct lazy_batch batch;
	struct blk_plug plug;
	int i;

	lazy_batch_begin(&batch);
	blk_start_plug(&plug);
	for (i = 0; i < nr; i++)
		if (!jl->jl_slots[i].skip)
			lazy_batch_submit(jl, &jl->jl_slots[i], &batch, true);
	blk_finish_plug(&plug);
	lazy_batch_wait(&batch);
	trace_jbd2_lazy_home(jl->jl_journal, nr);
}

/* What is home is mapped no more.  Returns how many, or an error. */
static int lazy_arrive(struct jbd2_lazy *jl, int nr, int err)
{
	struct lazy_slot *slot;
	int i, moved = 0;

	for (i = 0; i < nr; i++) {
		slot = &jl->jl_slots[i];
		if (slot->failed)
			err = -EIO;
		if (!err && !slot->skip) {
			lazy_unmap(jl, &slot->copy);
			moved++;
		}
		brelse(slot->bh);
		lazy_put(jl, &slot->copy);
	}
	atomic_long_add(moved, &jl->jl_home);
	return err ? err : moved;
}

/*
 * Write up to @nr copies to their homes, and unmap them: the oldest, or with
 * @from the next ones by place.  Returns how many, or an error; -ENODATA if
 * there are none.  The caller flushes before the tail passes them
 * (jbd2_cleanup_journal_tail() does).
 */
int lazy_write_home(struct jbd2_lazy *jl, int nr, unsigned long long *from)
{
	unsigned int nofs;
	int i, err;

	mutex_lock(&jl->jl_home_mutex);
	nofs = memalloc_nofs_save();
	nr = lazy_hold_homing(jl, min(nr, LAZY_BATCH), from);
	for (i = 0; i < nr; i++)
		jl->jl_slots[i].copy = jl->jl_homing[i];
	err = nr ? lazy_fill(jl, nr) : -ENODATA;
	/* Buffers of a commit that failed are in no transaction any more. */
	if (!err && is_journal_aborted(jl->jl_journal))
		err = -EROFS;
	if (!err)
		lazy_submit_home(jl, nr);
	err = lazy_arrive(jl, nr, err);
	lazy_home_ends(jl);
	memalloc_nofs_restore(nofs);
	mutex_unlock(&jl->jl_home_mutex);
	return err;
}
