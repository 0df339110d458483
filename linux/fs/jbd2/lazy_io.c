// SPDX-License-Identifier: GPL-2.0-only
/*
 * lazy_io.c - reads that go to the log, and writes of blocks to their home
 *
 * Blocks of the log are read past the page cache of the device: what jbd2
 * writes to the log does not pass through it either.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/buffer_head.h>
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/highmem.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <trace/events/jbd2.h>

#include "lazy.h"

/* ---- which journal a buffer belongs to ---- */

/*
 * A buffer knows its device and no more.  A mount reads metadata before its
 * superblock is attached to the device, so that the way through it is no way.
 */
static DEFINE_HASHTABLE(lazy_journals, 4);
static DEFINE_SPINLOCK(lazy_journals_lock);

/* Without a lazy journal nobody pays for the question. */
DEFINE_STATIC_KEY_FALSE(jbd2_lazy_used);
EXPORT_SYMBOL(jbd2_lazy_used);

void lazy_register(struct jbd2_lazy *jl)
{
	static_branch_inc(&jbd2_lazy_used);
	spin_lock(&lazy_journals_lock);
	hash_add_rcu(lazy_journals, &jl->jl_node,
		     (unsigned long)jl->jl_journal->j_fs_dev);
	spin_unlock(&lazy_journals_lock);
}

void lazy_unregister(struct jbd2_lazy *jl)
{
	spin_lock(&lazy_journals_lock);
	hash_del_rcu(&jl->jl_node);
	spin_unlock(&lazy_journals_lock);
	synchronize_rcu();
	static_branch_dec(&jbd2_lazy_used);
}

/* rcu_read_lock() is held. */
static struct jbd2_lazy *lazy_of(struct block_device *bdev)
{
	struct jbd2_lazy *jl;

	hash_for_each_possible_rcu(lazy_journals, jl, jl_node,
				   (unsigned long)bdev)
		if (jl->jl_journal->j_fs_dev == bdev)
			return jl;
	return NULL;
}

/*
 * Are the bytes of an up-to-date buffer older than the newest committed copy?
 * They are if a reader of the device brought them in from the block's home.
 * Where the log has no copy the home is right, and need not be asked for again:
 * a later copy is one of this buffer.
 */
bool __jbd2_buffer_stale(struct buffer_head *bh)
{
	struct jbd2_lazy *jl;
	bool stale = false;

	rcu_read_lock();
	jl = lazy_of(bh->b_bdev);
	if (jl) {
		read_lock(&jl->jl_lock);
		stale = lazy_find(jl, bh->b_blocknr) != NULL;
		read_unlock(&jl->jl_lock);
		if (stale)
			atomic_long_inc(&jl->jl_stale);
		else if (buffer_uptodate(bh))
			set_buffer_jmap(bh);
	}
	rcu_read_unlock();
	return stale;
}
EXPORT_SYMBOL(__jbd2_buffer_stale);

/*
 * Old bytes that enter a transaction would become the newest copy of the block.
 * All reads avoid that; a buffer whose read failed may be used all the same.
 */
int jbd2_lazy_refuse_stale(journal_t *journal, struct buffer_head *bh)
{
	if (!jbd2_is_lazy(journal) || !jbd2_buffer_stale(bh))
		return 0;
	pr_err_ratelimited("JBD2: %s: block %llu is not logged: its buffer is older than the log's copy\n",
			   journal->j_devname,
			   (unsigned long long)bh->b_blocknr);
	return -EIO;
}

/* ---- redirected reads ---- */

struct lazy_read {
	struct jbd2_lazy	*jl;
	struct buffer_head	*bh;
	struct lazy_copy	copy;
};

/* @first is the first word as the log has it. */
static bool lazy_csum_fits(struct jbd2_lazy *jl, struct lazy_copy *copy,
			   __be32 first, const void *data)
{
	journal_t *journal = jl->jl_journal;
	__be32 seq = cpu_to_be32(copy->tid);
	u32 csum;

	if (!jbd2_journal_has_csum_v2or3(journal))
		return true;
	csum = jbd2_chksum(journal, journal->j_csum_seed, &seq, sizeof(seq));
	csum = jbd2_chksum(journal, csum, &first, sizeof(first));
	csum = jbd2_chksum(journal, csum, data + sizeof(first),
			   journal->j_blocksize - sizeof(first));
	if (!jbd2_has_feature_csum3(journal))
		csum &= 0xffff;
	return csum == copy->csum;
}

/* Make of the bytes in the log those of the block; false if they are bad. */
static bool lazy_decode(struct jbd2_lazy *jl, struct lazy_copy *copy,
			void *data)
{
	if (!lazy_csum_fits(jl, copy, *(__be32 *)data, data)) {
		atomic_long_inc(&jl->jl_bad);
		pr_err_ratelimited("JBD2: %s: the log's copy of block %llu in block %llu, transaction %u, has a bad checksum\n",
				   jl->jl_journal->j_devname, copy->fsblk,
				   copy->pblk, copy->tid);
		return false;
	}
	if (copy->escaped)
		*(__be32 *)data = cpu_to_be32(JBD2_MAGIC_NUMBER);
	return true;
}

/*
 * Are these the block's bytes that @copy has?  Those of a buffer that is in no
 * transaction should be; but ext4 changes its superblock outside of
 * transactions, too, and anybody may write to the device.  Such bytes are not
 * to be moved.  Where the log has no checksums nobody can tell.
 *
 * A block that ends with its own CRC has the same checksum in the log whatever
 * it holds, as long as that CRC fits.  So a later superblock passes, if it is
 * whole: ext4 has written that in place itself.
 */
static bool lazy_holds(struct jbd2_lazy *jl, struct lazy_copy *copy,
		       const void *data)
{
	__be32 first = *(__be32 *)data;

	if (copy->escaped) {
		if (first != cpu_to_be32(JBD2_MAGIC_NUMBER))
			return false;
		first = 0;
	}
	return lazy_csum_fits(jl, copy, first, data);
}

static void lazy_read_end(struct bio *bio)
{
	struct lazy_read *read = bio->bi_private;
	struct buffer_head *bh = read->bh;
	bool good = false;

	if (!bio->bi_status) {
		char *page = kmap_local_page(bh->b_page);

		good = lazy_decode(read->jl, &read->copy,
				   page + bh_offset(bh));
		kunmap_local(page);
	}
	if (good)
		set_buffer_jmap(bh);
	bio_put(bio);
	bh->b_end_io(bh, good);
	lazy_put(read->jl, &read->copy);
	kfree(read);
}

static sector_t lazy_sector(struct jbd2_lazy *jl, unsigned long long block)
{
	return (sector_t)block * (jl->jl_journal->j_blocksize >> SECTOR_SHIFT);
}

static void lazy_submit_read(struct jbd2_lazy *jl, struct buffer_head *bh,
			     struct lazy_copy *copy, blk_opf_t opf)
{
	struct lazy_read *read;
	struct bio *bio;

	read = kmalloc(sizeof(*read), GFP_NOIO | __GFP_NOFAIL);
	read->jl = jl;
	read->bh = bh;
	read->copy = *copy;
	bio = bio_alloc(jl->jl_journal->j_dev, 1, REQ_OP_READ | opf, GFP_NOIO);
	bio->bi_iter.bi_sector = lazy_sector(jl, copy->pblk);
	bio->bi_private = read;
	bio->bi_end_io = lazy_read_end;
	__bio_add_page(bio, bh->b_page, bh->b_size, bh_offset(bh));
	submit_bio(bio);
}

/*
 * Read a locked buffer, whose b_end_io is set, from the log.  False if the log
 * has no copy of it: then its home is right.  The plug lets the block layer
 * merge the read with those of neighbours that follow.
 */
bool __jbd2_lazy_read(struct buffer_head *bh, blk_opf_t opf)
{
	struct lazy_entry *e = NULL;
	struct jbd2_lazy *jl;
	struct lazy_copy copy;
	struct blk_plug plug;

	rcu_read_lock();
	jl = lazy_of(bh->b_bdev);
	if (jl) {
		read_lock(&jl->jl_lock);
		e = lazy_find(jl, bh->b_blocknr);
		if (e)
			lazy_hold(jl, e, &copy);
		read_unlock(&jl->jl_lock);
	}
	rcu_read_unlock();
	if (!e)
		return false;

	atomic_long_inc(&jl->jl_redirected);
	trace_jbd2_lazy_redirect(jl->jl_journal, copy.fsblk, copy.pblk,
				 copy.tid, opf & REQ_RAHEAD);
	/* If the read fails, nobody may take the old bytes for the block's. */
	clear_buffer_jmap(bh);
	clear_buffer_uptodate(bh);
	blk_start_plug(&plug);
	lazy_submit_read(jl, bh, &copy, opf);
	if (!(opf & REQ_RAHEAD))
		lazy_read_ahead(jl, &copy);
	blk_finish_plug(&plug);
	return true;
}
EXPORT_SYMBOL(__jbd2_lazy_read);

/* Does the buffer hold what the file system would read? */
bool lazy_current(struct buffer_head *bh)
{
	return buffer_uptodate(bh) && (buffer_jmap(bh) || buffer_jbd(bh));
}

/* Does the buffer hold what @copy holds, so that it can be logged again? */
bool lazy_is_copy(struct jbd2_lazy *jl, struct lazy_copy *copy,
		  struct buffer_head *bh)
{
	bool is;

	lock_buffer(bh);
	is = lazy_current(bh) && lazy_holds(jl, copy, bh->b_data);
	unlock_buffer(bh);
	return is;
}

/* Make a buffer current that has a copy in the log. */
int lazy_read_buffer(struct buffer_head *bh)
{
	lock_buffer(bh);
	if (lazy_current(bh)) {
		unlock_buffer(bh);
		return 0;
	}
	bh->b_end_io = end_buffer_read_sync;
	get_bh(bh);
	if (!jbd2_lazy_read(bh, REQ_META)) {
		put_bh(bh);
		unlock_buffer(bh);
		return 0;
	}
	wait_on_buffer(bh);
	return buffer_uptodate(bh) ? 0 : -EIO;
}

/* ---- writing home ---- */

/* One block on its way: what it holds is kept apart from its buffer. */
struct lazy_slot {
	struct lazy_copy	copy;
	struct page		*page;
	struct buffer_head	*bh;
	struct lazy_batch	*batch;
	bool			read;		/* from the log */
	bool			failed;
	bool			skip;		/* cannot be read, and is logged again */
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

	if (!jbd2_journal_has_csum_v2or3(jl->jl_journal))
		return false;
	lock_buffer(bh);
	good = !buffer_jbd(bh) && buffer_uptodate(bh) && buffer_jmap(bh);
	if (good)
		memcpy(data, bh->b_data, bh->b_size);
	unlock_buffer(bh);
	/* Not everybody who changes a buffer takes its lock. */
	return good && lazy_holds(jl, &slot->copy, data);
}

/*
 * Once the block is not mapped any more, any buffer of it is trusted: give it
 * the bytes that its home gets.
 */
static void lazy_to_buffer(struct jbd2_lazy *jl, struct lazy_slot *slot)
{
	struct buffer_head *bh = slot->bh;

	lock_buffer(bh);
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
	lock_buffer(bh);
	good = lazy_current(bh) && !buffer_jbd(bh) &&
	       (bh != jl->jl_watched || jl->jl_whole(jl->jl_journal));
	if (good)
		memcpy(page_address(slot->page), bh->b_data, bh->b_size);
	unlock_buffer(bh);
	return good;
}

/* A slot whose read has failed: is there another way? */
static int lazy_rescue(struct jbd2_lazy *jl, struct lazy_slot *slot)
{
	slot->failed = !lazy_from_memory(jl, slot);
	/* The transaction that has the buffer logs it again, if it commits. */
	slot->skip = slot->failed && buffer_jbd(slot->bh) &&
		     buffer_uptodate(slot->bh);
	if (slot->skip)
		slot->failed = false;
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
 * A commit gives @fsblk away: not before a batch that has it is home.  jl_lock is
 * held for writing, but not all the time.
 */
void lazy_wait_home(struct jbd2_lazy *jl, unsigned long long fsblk)
{
	while (lazy_is_homing(jl, fsblk)) {
		write_unlock(&jl->jl_lock);
		atomic_long_inc(&jl->jl_home_waits);
		wait_event(jl->jl_wait, !READ_ONCE(jl->jl_nr_homing));
		write_lock(&jl->jl_lock);
	}
}

static void lazy_home_ends(struct jbd2_lazy *jl)
{
	write_lock(&jl->jl_lock);
	WRITE_ONCE(jl->jl_nr_homing, 0);
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
