// SPDX-License-Identifier: GPL-2.0-only
/*
 * lazy_clean.c - making room at the tail: the cleaner, waiters, and a flush
 *
 * There are two moves.  Logging a block again keeps it in the log and needs
 * room there; it pays while much of the log is dead.  The cleaner of the paper
 * does that alone (sysfs: lazy_cleaner), as long as it comes to an end.  Writing a block home
 * needs no room, so that a full log is never a dead end: whoever waits for
 * space does it on his own account, with or without a cleaner.  Either moves
 * what has been committed.
 */
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <trace/events/jbd2.h>

#include "lazy.h"

static unsigned int lazy_clean_below = 25;
module_param(lazy_clean_below, uint, 0644);
MODULE_PARM_DESC(lazy_clean_below,
		 "a lazy journal is cleaned while less than this share of it, in percent, is free");

/*
 * The cleaner of the paper, "forward", begins when less than the first share of
 * the log is free and ends at the second, both in percent.  Below a quarter jbd2
 * lets no handle begin, and logging again takes one.
 */
#define LAZY_LOW	40
#define LAZY_HIGH	50

/* Blocks that are logged again in one transaction. */
#define LAZY_RELOG	(LAZY_BATCH / 2)
/* A block logged again so often without a change is cold, and goes home. */
#define LAZY_COLD	2
/* Percent of the used part of the log that must be dead to log blocks again. */
#define LAZY_DEAD	25

/* Ticks that a flush waits for a buffer that somebody has locked. */
#define LAZY_PATIENCE	(60 * HZ)

static int lazy_push_tail(journal_t *journal)
{
	int ret;

	mutex_lock_io(&journal->j_checkpoint_mutex);
	ret = jbd2_cleanup_journal_tail(journal);
	mutex_unlock(&journal->j_checkpoint_mutex);
	return ret;
}

/* A transaction that, once committed, takes dying blocks out of the way. */
static bool lazy_open_tid(journal_t *journal, tid_t *tid)
{
	transaction_t *t;

	read_lock(&journal->j_state_lock);
	t = journal->j_running_transaction;
	if (!t)
		t = journal->j_committing_transaction;
	if (t)
		*tid = t->t_tid;
	read_unlock(&journal->j_state_lock);
	return t != NULL;
}

static void lazy_cannot_go_home(journal_t *journal, int err)
{
	pr_err("JBD2: %s: a block cannot be written home (%d)\n",
	       journal->j_devname, err);
	jbd2_journal_abort(journal, err);
}

/* Write home what stands at the tail.  True if that was possible. */
static bool lazy_free_oldest(journal_t *journal)
{
	int moved = lazy_write_home(journal->j_lazy, LAZY_BATCH, NULL);

	if (moved < 0 && moved != -ENODATA) {
		lazy_cannot_go_home(journal, moved);
		return true;
	}
	return lazy_push_tail(journal) <= 0 || moved > 0;
}

/*
 * The same for all who have asked for room by the time that it is done: they look
 * at the log again before each of them writes a batch of his own.
 */
static bool lazy_free_for_all(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	unsigned long seen = READ_ONCE(jl->jl_rooms);
	bool freed = true;

	mutex_lock(&jl->jl_room_mutex);
	if (jl->jl_rooms == seen) {
		freed = lazy_free_oldest(journal);
		WRITE_ONCE(jl->jl_rooms, seen + 1);
	}
	mutex_unlock(&jl->jl_room_mutex);
	return freed;
}

/* Nothing could be moved: blocks die, are read, or their buffers are locked. */
static void lazy_wait_for_others(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	tid_t tid;

	if (lazy_open_tid(journal, &tid)) {
		jbd2_log_start_commit(journal, tid);
		jbd2_log_wait_commit(journal, tid);
		return;
	}
	schedule_timeout_uninterruptible(1);
	wait_event_timeout(jl->jl_wait, !READ_ONCE(jl->jl_inflight), HZ / 10);
}

/*
 * The log is full.  No locks are held, no handle is open.
 */
void jbd2_lazy_make_room(journal_t *journal)
{
	atomic_long_inc(&journal->j_lazy->jl_waits);
	if (!is_journal_aborted(journal) && !lazy_free_for_all(journal))
		lazy_wait_for_others(journal);
}

/* All that the map has, in order of place.  How many, or an error. */
static long lazy_sweep(struct jbd2_lazy *jl)
{
	unsigned long long from = 0;
	long moved = 0;
	int n;

	while ((n = lazy_write_home(jl, LAZY_BATCH, &from)) >= 0)
		moved += n;
	return n == -ENODATA ? moved : n;
}

static unsigned long lazy_nr_live(struct jbd2_lazy *jl)
{
	unsigned long live;

	read_lock(&jl->jl_lock);
	live = jl->jl_nr_live;
	read_unlock(&jl->jl_lock);
	return live;
}

/*
 * Write everything home.  The caller keeps new transactions out.  A sweep may move
 * nothing and be no failure: the cleaner was there before, or somebody reads into
 * a buffer, which ends.  Nothing dies here, so what stays for LAZY_PATIENCE ticks
 * cannot be moved at all.
 */
int jbd2_lazy_flush(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	unsigned long left = ULONG_MAX, live;
	int idle = 0;
	long moved;

	while (!is_journal_aborted(journal)) {
		live = lazy_nr_live(jl);
		if (!live) {
			wait_event(jl->jl_wait, !READ_ONCE(jl->jl_inflight));
			return 0;
		}
		idle = live < left ? 0 : idle + 1;
		left = live;
		moved = lazy_sweep(jl);
		if (moved < 0 || idle > LAZY_PATIENCE)
			lazy_cannot_go_home(journal, moved < 0 ? moved : -EIO);
		else if (!moved && idle)
			schedule_timeout_uninterruptible(1);
	}
	return -EIO;
}

/* ---- the cleaner ---- */

struct lazy_room {
	unsigned long	ring;
	unsigned long	free;
	unsigned long	live;
};

static void lazy_look(journal_t *journal, struct lazy_room *room)
{
	struct jbd2_lazy *jl = journal->j_lazy;

	read_lock(&journal->j_state_lock);
	room->ring = journal->j_last - journal->j_first;
	room->free = journal->j_free;
	read_unlock(&journal->j_state_lock);
	room->live = lazy_nr_live(jl);
}

/* Only the cleaner looks between the watermarks. */
static bool lazy_wants_cleaning(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	unsigned int below = READ_ONCE(lazy_clean_below);
	struct lazy_room room;

	if (is_journal_aborted(journal))
		return false;
	lazy_look(journal, &room);
	if (READ_ONCE(jl->jl_forward))
		below = jl->jl_between ? LAZY_HIGH : LAZY_LOW;
	jl->jl_between = room.live && room.free * 100 < room.ring * below;
	return jl->jl_between;
}

/*
 * Forward: all that is live moves to the head, cold or not.  If it is so much
 * that the upper watermark cannot be reached, it would move without an end.  What
 * moves takes a descriptor and a commit block for each batch, and the last batch
 * is in the log twice.
 */
static bool lazy_forward_pays(journal_t *journal, int nr)
{
	struct lazy_room room;
	unsigned long used;

	lazy_look(journal, &room);
	used = room.live + 2 * DIV_ROUND_UP(room.live, LAZY_RELOG) +
	       LAZY_RELOG + 2;
	return used * 100 < room.ring * (100 - LAZY_HIGH) &&
	       room.free > journal->j_max_transaction_buffers + 4 * nr + 64;
}

/* Does it pay to log the oldest blocks again, and is there room for it? */
static bool lazy_relog_pays(journal_t *journal, struct lazy_copy *copies,
			    int nr)
{
	struct lazy_room room;
	unsigned long used;
	int i;

	if (READ_ONCE(journal->j_lazy->jl_forward))
		return lazy_forward_pays(journal, nr);
	lazy_look(journal, &room);
	used = room.ring - room.free;
	if (room.live * 100 > used * (100 - LAZY_DEAD))
		return false;
	if (room.free < 2 * (unsigned long)journal->j_max_transaction_buffers)
		return false;
	for (i = 0; i < nr; i++)
		if (copies[i].age >= LAZY_COLD)
			return false;
	return true;
}

/*
 * A block that died meanwhile, or is logged by somebody else, stays out.
 * -ESTALE: it has other bytes now, which are no transaction's.
 */
static int lazy_relog_one(journal_t *journal, handle_t *handle,
			  struct lazy_copy *copy, struct buffer_head *bh)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	int err = lazy_is_copy(jl, copy, bh);

	if (err == -ESTALE)
		return !buffer_jbd(bh) && lazy_same(jl, copy, false) ? err : 0;
	if (err || !lazy_same(jl, copy, true))
		return 0;
	err = jbd2_journal_get_write_access(handle, bh);
	if (!err)
		err = jbd2_journal_dirty_metadata(handle, bh);
	atomic_long_inc(&jl->jl_relogged);
	return err;
}

/* The buffers are held, so that what was read into them is still there. */
static int lazy_relog(journal_t *journal, struct lazy_copy *copies,
		      struct buffer_head **bhs, int nr, tid_t *tid)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	handle_t *handle;
	int i, err = 0, err2;

	handle = jbd2_journal_start(journal, nr);
	if (IS_ERR(handle))
		return PTR_ERR(handle);
	*tid = handle->h_transaction->t_tid;
	for (i = 0; i < nr && !err; i++) {
		if (!bhs[i])
			continue;
		/* Whoever frees a block waits for one of ours at most. */
		down_write(&jl->jl_sem);
		err = lazy_relog_one(journal, handle, &copies[i], bhs[i]);
		up_write(&jl->jl_sem);
	}
	trace_jbd2_lazy_relog(journal, *tid, nr);
	err2 = jbd2_journal_stop(handle);
	return err ? err : err2;
}

/* The buffer of a copy, current; NULL if somebody has it: it stays out. */
static int lazy_fetch(journal_t *journal, struct lazy_copy *copy,
		      struct buffer_head **bh)
{
	int err;

	*bh = __getblk(journal->j_fs_dev, copy->fsblk, journal->j_blocksize);
	err = lazy_read_buffer(*bh);
	if (err != -EAGAIN)
		return err;
	brelse(*bh);
	*bh = NULL;
	return 0;
}

static void lazy_clean(journal_t *journal, struct lazy_copy *copies,
		       struct buffer_head **bhs)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	int i, nr, err = 0;
	bool pays;
	tid_t tid;

	nr = lazy_hold_oldest(jl, copies, LAZY_RELOG);
	pays = nr && lazy_relog_pays(journal, copies, nr);
	for (i = 0; i < nr && pays; i++)
		err = lazy_fetch(journal, &copies[i], &bhs[i]) ?: err;
	/* A flush waits for readers, and a handle may wait for the flush. */
	for (i = 0; i < nr; i++)
		lazy_put(jl, &copies[i]);
	if (pays && !err)
		err = lazy_relog(journal, copies, bhs, nr, &tid);
	for (i = 0; i < nr && pays; i++)
		brelse(bhs[i]);

	/*
	 * A copy that cannot be read stops the journal when it is in the way.
	 * Where one cannot be logged again the oldest go home.
	 */
	if (pays && !err) {
		jbd2_log_start_commit(journal, tid);
		jbd2_log_wait_commit(journal, tid);
		lazy_push_tail(journal);
	} else if (pays && err == -EROFS) {
		return;
	} else if (!lazy_free_for_all(journal)) {
		lazy_wait_for_others(journal);
	}
}

static int lazy_cleaner(void *arg)
{
	journal_t *journal = arg;
	struct jbd2_lazy *jl = journal->j_lazy;
	struct lazy_copy *copies;
	struct buffer_head **bhs;

	copies = kcalloc(LAZY_BATCH, sizeof(*copies), GFP_KERNEL);
	bhs = kcalloc(LAZY_BATCH, sizeof(*bhs), GFP_KERNEL);
	set_freezable();
	while (!kthread_should_stop()) {
		WRITE_ONCE(jl->jl_committed, false);
		jbd2_lazy_log_watched(journal);
		if (copies && bhs && lazy_wants_cleaning(journal))
			lazy_clean(journal, copies, bhs);
		else
			wait_event_freezable_timeout(jl->jl_cleaner_wait,
				kthread_should_stop() ||
				READ_ONCE(jl->jl_committed) ||
				(copies && bhs &&
				 lazy_wants_cleaning(journal)), HZ);
	}
	kfree(copies);
	kfree(bhs);
	return 0;
}

/* ---- which cleaner ---- */

static const char * const lazy_policies[] = { "mixed", "forward" };

/* @journal is NULL where the file system has none. */
const char *jbd2_lazy_policy(journal_t *journal)
{
	if (!journal || !jbd2_is_lazy(journal))
		return "none";
	return lazy_policies[READ_ONCE(journal->j_lazy->jl_forward)];
}
EXPORT_SYMBOL(jbd2_lazy_policy);

int jbd2_lazy_set_policy(journal_t *journal, const char *name)
{
	int n = sysfs_match_string(lazy_policies, name);

	if (!journal || !jbd2_is_lazy(journal))
		return -EOPNOTSUPP;
	if (n < 0)
		return n;
	WRITE_ONCE(journal->j_lazy->jl_forward, n);
	jbd2_lazy_kick(journal);
	return 0;
}
EXPORT_SYMBOL(jbd2_lazy_set_policy);

/* The file system can be written to, and the journal's features are set. */
int jbd2_lazy_start(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	struct task_struct *task;

	if (jl->jl_cleaner)
		return 0;
	task = kthread_run(lazy_cleaner, journal, "jbd2-lazy/%s",
			   journal->j_devname);
	if (IS_ERR(task))
		return PTR_ERR(task);
	jl->jl_cleaner = task;
	return 0;
}
EXPORT_SYMBOL(jbd2_lazy_start);

void jbd2_lazy_stop(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;

	if (!jl || !jl->jl_cleaner)
		return;
	kthread_stop(jl->jl_cleaner);
	jl->jl_cleaner = NULL;
}
EXPORT_SYMBOL(jbd2_lazy_stop);

void jbd2_lazy_kick(journal_t *journal)
{
	wake_up(&journal->j_lazy->jl_cleaner_wait);
}
