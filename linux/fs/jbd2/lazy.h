/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lazy.h - what the parts of a lazy journal share; lazy.c tells the design
 */
#ifndef _JBD2_LAZY_H
#define _JBD2_LAZY_H

#include <linux/jbd2.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

/* Of the mark in a commit block and of the record in the journal's superblock. */
#define LAZY_MAGIC	0x4c617a79
#define LAZY_VERSION	1

/* Blocks that one pass of writing home or of logging again holds at once. */
#define LAZY_BATCH	64
/* Readers of the log in order that are known at once, and how far they look. */
#define LAZY_STREAMS	8
#define LAZY_AHEAD	32

/* One committed transaction that is still in the log. */
struct lazy_txn {
	struct list_head	list;		/* jl_txns, oldest first */
	struct list_head	live;		/* its entries of the map */
	unsigned long		start;		/* log block it begins with */
	tid_t			tid;
	unsigned int		nr_live;
	atomic_t		readers;	/* keep the tail where it is */
};

/* The newest committed copy of one block of the file system. */
struct lazy_entry {
	struct rb_node		node;
	struct list_head	list;		/* lazy_txn.live */
	struct lazy_txn		*txn;
	unsigned long long	fsblk;
	unsigned long long	pblk;		/* on the journal's device */
	u32			csum;		/* from the tag, v2 or v3 */
	u8			escaped;	/* first word stored as 0 */
	u8			dying;		/* revoked, not yet committed */
	u8			age;		/* times logged again unchanged */
	u8			relogged;	/* by the cleaner, uncommitted */
};

/* What a holder of a copy must know when the map has moved on. */
struct lazy_copy {
	struct lazy_txn		*txn;		/* counted as a reader */
	unsigned long long	fsblk;
	unsigned long long	pblk;
	u32			csum;
	tid_t			tid;
	u8			escaped;
	u8			age;
};

/* Somebody who reads copies in the order of the log. */
struct lazy_stream {
	unsigned long long	end;		/* block of the log read last */
	unsigned int		window;		/* copies to read ahead */
};

struct lazy_slot;

struct jbd2_lazy {
	journal_t		*jl_journal;
	struct hlist_node	jl_node;	/* journals by device */

	rwlock_t		jl_lock;	/* map, transactions, counts */
	struct rb_root		jl_map;
	struct list_head	jl_txns;
	unsigned long		jl_nr_live;
	unsigned long		jl_nr_txns;

	/* Only the thread that commits, or the mount, looks at these. */
	struct lazy_txn		*jl_staged;
	struct list_head	jl_revokes;
	unsigned long		jl_head;	/* mount: after the last commit */
	bool			jl_scanning;	/* mount: the end is not known */
	unsigned int		jl_full;	/* descriptors without a gap */
	unsigned int		jl_nr_ahead;
	unsigned long		jl_ahead[LAZY_AHEAD]; /* read, not looked at */

	/* Written by who logs blocks again, read by who frees them. */
	struct rw_semaphore	jl_sem;

	/* Who makes room does it for all who have asked before. */
	struct mutex		jl_room_mutex;
	unsigned long		jl_rooms;	/* times that somebody has */

	/* One batch at a time is on its way home. */
	struct mutex		jl_home_mutex;
	unsigned long		jl_homes;	/* batches that have ended */
	struct lazy_slot	*jl_slots;
	struct lazy_copy	*jl_homing;	/* by place; under jl_lock */
	int			jl_nr_homing;

	wait_queue_head_t	jl_wait;	/* a reader is done */
	spinlock_t		jl_count_lock;
	unsigned int		jl_inflight;	/* readers of all records */
	struct lazy_stream	jl_streams[LAZY_STREAMS];
	unsigned int		jl_next_stream;

	struct task_struct	*jl_cleaner;
	wait_queue_head_t	jl_cleaner_wait;
	bool			jl_forward;	/* the paper's cleaner */
	bool			jl_between;	/* its watermarks */

	/* lazy_watch.c */
	struct buffer_head	*jl_watched;
	void			*jl_logged;	/* as the log was given it */
	bool			(*jl_whole)(journal_t *journal);
	bool			jl_committed;	/* since it was compared */

	bool			jl_want_csum;	/* v3; or none */
	bool			jl_want_64bit;

	/* lazy_mark.c */
	u64			jl_nonce;
	bool			jl_recorded;	/* mount: the record fits */
	bool			jl_unmarked;	/* mount: a mark is missing */
	tid_t			jl_unmarked_tid;
	bool			jl_keep;	/* mount: else it is replayed */

	/* Counters, only for /proc. */
	atomic_long_t		jl_redirected;
	atomic_long_t		jl_read_ahead;	/* of these, before they were asked for */
	atomic_long_t		jl_bad;
	atomic_long_t		jl_home;
	atomic_long_t		jl_home_waits;	/* of commits, for what dies */
	atomic_long_t		jl_relogged;
	atomic_long_t		jl_waits;
	atomic_long_t		jl_stale;
	unsigned long		jl_scanned;
};

/* lazy.c */
struct lazy_entry *lazy_find(struct jbd2_lazy *jl, unsigned long long fsblk);
struct lazy_entry *lazy_next(struct jbd2_lazy *jl, unsigned long long fsblk);
int lazy_hold_oldest(struct jbd2_lazy *jl, struct lazy_copy *copies, int nr);
int lazy_hold_homing(struct jbd2_lazy *jl, int nr, unsigned long long *from);
void lazy_hold(struct jbd2_lazy *jl, struct lazy_entry *e,
	       struct lazy_copy *copy);
void lazy_put(struct jbd2_lazy *jl, struct lazy_copy *copy);
bool lazy_same(struct jbd2_lazy *jl, struct lazy_copy *copy, bool relog);
void lazy_unmap(struct jbd2_lazy *jl, struct lazy_copy *copy);

void jbd2_lazy_stage_begin(journal_t *journal, tid_t tid, unsigned long start);
void jbd2_lazy_stage(journal_t *journal, unsigned long long fsblk,
		     unsigned long long pblk, journal_block_tag_t *tag);
void jbd2_lazy_stage_revoke(journal_t *journal, unsigned long long fsblk);
void jbd2_lazy_apply(journal_t *journal);
void jbd2_lazy_discard(journal_t *journal);
bool jbd2_lazy_tail(journal_t *journal, tid_t *tid, unsigned long *block);
void jbd2_lazy_dying(journal_t *journal, unsigned long long fsblk, bool dying);
int jbd2_lazy_check(journal_t *journal);
void jbd2_lazy_reset(journal_t *journal);
void jbd2_lazy_free(journal_t *journal);
int jbd2_lazy_init_caches(void);
void jbd2_lazy_destroy_caches(void);

/* lazy_io.c */
int jbd2_lazy_refuse_stale(journal_t *journal, struct buffer_head *bh);
void lazy_register(struct jbd2_lazy *jl);
void lazy_unregister(struct jbd2_lazy *jl);
bool lazy_current(struct buffer_head *bh);
int lazy_is_copy(struct jbd2_lazy *jl, struct lazy_copy *copy,
		 struct buffer_head *bh);
int lazy_read_buffer(struct buffer_head *bh);
bool lazy_decode(struct jbd2_lazy *jl, struct lazy_copy *copy, void *data);
bool lazy_holds(struct jbd2_lazy *jl, struct lazy_copy *copy, const void *data);
sector_t lazy_sector(struct jbd2_lazy *jl, unsigned long long block);

/* lazy_home.c */
int lazy_slots_alloc(struct jbd2_lazy *jl);
void lazy_slots_free(struct jbd2_lazy *jl);
void lazy_wait_home(struct jbd2_lazy *jl, unsigned long long fsblk);
int lazy_write_home(struct jbd2_lazy *jl, int nr, unsigned long long *from);

/* lazy_ahead.c */
void lazy_read_ahead(struct jbd2_lazy *jl, struct lazy_copy *copy);
void jbd2_lazy_scan(journal_t *journal, struct buffer_head *bh,
		    unsigned long at);
void jbd2_lazy_scan_ahead(journal_t *journal, unsigned long next, int tags);

/* lazy_clean.c */
void jbd2_lazy_make_room(journal_t *journal);
int jbd2_lazy_flush(journal_t *journal);
void jbd2_lazy_kick(journal_t *journal);

/* lazy_mark.c */
void jbd2_lazy_mark(journal_t *journal, tid_t tid,
		    struct commit_header *commit);
void jbd2_lazy_committed(journal_t *journal, tid_t tid, struct buffer_head *bh);
void jbd2_lazy_record(journal_t *journal);
void jbd2_lazy_new_nonce(struct jbd2_lazy *jl);
void jbd2_lazy_look_at_record(journal_t *journal);
void jbd2_lazy_decide(journal_t *journal);

/* lazy_watch.c */
void jbd2_lazy_logs(journal_t *journal, unsigned long long fsblk,
		    struct buffer_head *data, bool escaped);
void lazy_unwatch(struct jbd2_lazy *jl);

/* lazy_proc.c */
void lazy_proc_init(struct jbd2_lazy *jl);
void lazy_proc_exit(struct jbd2_lazy *jl);

/* revoke.c */
bool jbd2_revoke_pending(journal_t *journal, unsigned long long fsblk);

static inline bool jbd2_is_lazy(journal_t *journal)
{
	return journal->j_lazy != NULL;
}

/* Once the log has been scanned: is it kept as it is? */
static inline bool jbd2_lazy_keeps(journal_t *journal)
{
	return journal->j_lazy && journal->j_lazy->jl_keep;
}

#endif
