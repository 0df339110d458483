// SPDX-License-Identifier: GPL-2.0-only
/*
 * lazy_io.c - reads that go to the log
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
bool lazy_decode(struct jbd2_lazy *jl, struct lazy_copy *copy, void *data)
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
bool lazy_holds(struct jbd2_lazy *jl, struct lazy_copy *copy, const void *data)
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

sector_t lazy_sector(struct jbd2_lazy *jl, unsigned long long block)
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

/*
 * Does the buffer hold what @copy holds, so that it can be logged again?
 * -ESTALE if it does not; -EAGAIN if a transaction has it, which logs it or lets
 * it go, or somebody else.  jl_sem is held: see lazy.c on buffer locks.
 */
int lazy_is_copy(struct jbd2_lazy *jl, struct lazy_copy *copy,
		 struct buffer_head *bh)
{
	bool is;

	if (buffer_jbd(bh) || !trylock_buffer(bh))
		return -EAGAIN;
	is = lazy_current(bh) && lazy_holds(jl, copy, bh->b_data);
	unlock_buffer(bh);
	return is ? 0 : -ESTALE;
}

/*
 * Make a buffer current that has a copy in the log; -EAGAIN if somebody has
 * locked it.  The tail waits for us, and somebody with a handle for the tail.
 */
int lazy_read_buffer(struct buffer_head *bh)
{
	if (!trylock_buffer(bh))
		return -EAGAIN;
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
