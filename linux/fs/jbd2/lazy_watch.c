// SPDX-License-Identifier: GPL-2.0-only
/*
 * lazy_watch.c - a block that changes outside of transactions
 *
 * tune2fs and boot loaders write the block of the superblock through the page
 * cache of the device, and nobody tells the file system.  The page is the
 * buffer that the file system has, so the bytes are known; but the log's copy is
 * what a mount, and any replay, takes for the newest.  So what the log was given
 * is kept, and where the buffer differs it is logged again: after each commit,
 * once a second, and when somebody syncs.
 */
#include <linux/buffer_head.h>
#include <linux/highmem.h>
#include <linux/slab.h>

#include "lazy.h"

/*
 * Watch @bh.  @whole tells whether a change of it has come to its end, as far as
 * a file system can know; the buffer is locked then.
 */
int jbd2_lazy_watch(journal_t *journal, struct buffer_head *bh,
		    bool (*whole)(journal_t *journal))
{
	struct jbd2_lazy *jl = journal->j_lazy;

	jl->jl_logged = kzalloc(bh->b_size, GFP_KERNEL);
	if (!jl->jl_logged)
		return -ENOMEM;
	get_bh(bh);
	jl->jl_whole = whole;
	jl->jl_watched = bh;
	return 0;
}
EXPORT_SYMBOL(jbd2_lazy_watch);

void lazy_unwatch(struct jbd2_lazy *jl)
{
	brelse(jl->jl_watched);
	kfree(jl->jl_logged);
}

/* @fsblk goes to the log as @data has it; @escaped: but for its first word. */
void jbd2_lazy_logs(journal_t *journal, unsigned long long fsblk,
		    struct buffer_head *data, bool escaped)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	char *page;

	if (!jl->jl_watched || jl->jl_watched->b_blocknr != fsblk)
		return;
	page = kmap_local_page(data->b_page);
	write_lock(&jl->jl_lock);
	memcpy(jl->jl_logged, page + bh_offset(data), data->b_size);
	if (escaped)
		*(__be32 *)jl->jl_logged = cpu_to_be32(JBD2_MAGIC_NUMBER);
	write_unlock(&jl->jl_lock);
	kunmap_local(page);
}

/* Is there a change that is whole, and not logged? */
static bool lazy_watched_differs(struct jbd2_lazy *jl)
{
	struct buffer_head *bh = jl->jl_watched;
	bool differs;

	lock_buffer(bh);
	read_lock(&jl->jl_lock);
	differs = memcmp(bh->b_data, jl->jl_logged, bh->b_size);
	read_unlock(&jl->jl_lock);
	differs = differs && jl->jl_whole(jl->jl_journal);
	unlock_buffer(bh);
	return differs;
}

/*
 * Log the watched block if that is due.  A change that no transaction has, and
 * that none brought, is committed at once: who made it may wait for nothing else.
 */
int jbd2_lazy_log_watched(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	handle_t *handle;
	bool alone;
	int err, err2;

	if (!jl || !jl->jl_watched || is_journal_aborted(journal) ||
	    !lazy_watched_differs(jl))
		return 0;
	alone = !buffer_jbd(jl->jl_watched);
	handle = jbd2_journal_start(journal, 1);
	if (IS_ERR(handle))
		return PTR_ERR(handle);
	err = jbd2_journal_get_write_access(handle, jl->jl_watched);
	if (!err)
		err = jbd2_journal_dirty_metadata(handle, jl->jl_watched);
	if (alone)
		jbd2_log_start_commit(journal, handle->h_transaction->t_tid);
	err2 = jbd2_journal_stop(handle);
	return err ? err : err2;
}
EXPORT_SYMBOL(jbd2_lazy_log_watched);
