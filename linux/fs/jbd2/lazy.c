// SPDX-License-Identifier: GPL-2.0-only
/*
 * lazy.c - a journal that is the home of the metadata: the map and the tail
 *
 * A lazy journal is never checkpointed.  Blocks that a transaction logs stay
 * in the log; the map remembers, for each block of the file system, where its
 * newest committed copy is, and every read of metadata asks the map first.  On
 * disk the log is an ordinary jbd2 log, so that any kernel replays it.
 *
 * The map changes in two steps.  While a transaction is written its blocks and
 * revokes are staged; once its commit block is durable they are applied, all
 * allocations done, so that applying cannot fail.  A mount finds the map again
 * from the descriptor blocks between the tail and the last commit, if a lazy
 * kernel wrote them all (lazy_mark.c).
 *
 * Each committed transaction has a record with the entries that are still the
 * newest copy of their block.  When a record at the front has none left, and
 * nobody reads its blocks, the tail can pass it.  Entries leave a record when
 *  - a later transaction logs the block again, or revokes it,
 *  - the cleaner or a waiter for space writes the block to its home.
 *
 * A buffer in the page cache of the device may hold old bytes: anybody who
 * reads the device brings in what is at the block's home.  The buffer bit JMap
 * says that the bytes are at least as new as the map.  A buffer that is up to
 * date without the bit, is in no transaction, and is mapped, is stale: file
 * systems read it again, in place (jbd2_lazy_stale(), jbd2_lazy_read()).
 *
 * A block that the running transaction frees is marked as dying: it may be a
 * file's data before the revoke commits, so nobody logs it again or writes it
 * home.  The mark alone is not enough: when the block was logged by the
 * transaction that is committing, its entry does not exist yet, so that
 * applying looks into the running transaction's revoke table, too.
 *
 * A write in place takes long, and no handle waits for it.  A block that is
 * freed while it is on its way home can be a file's once the free has committed:
 * so it is that commit which waits, before it gives the block away.
 *
 * Locks: jl_room_mutex (who makes room) > jl_home_mutex (who writes home), both
 * without a handle; handle > jl_sem (who logs blocks again writes, who revokes
 * reads) > b_state_lock > j_state_lock > j_list_lock > jl_lock > j_revoke_lock.
 * j_checkpoint_mutex is held for moving the tail alone.
 *
 * A buffer lock is only tried where a handle or a commit may wait for us: ext4
 * keeps that of an attribute block while it drops an inode that holds a value, and
 * so revokes.  jbd2_journal_get_write_access() waits for one under jl_sem, but not
 * for that: whoever keeps it has the buffer in his transaction, which is ours, too.
 */
#include <linux/fs.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <trace/events/jbd2.h>

#include "lazy.h"

static struct kmem_cache *lazy_entry_cache;

/* Blocks that the committing transaction revokes. */
struct lazy_revokes {
	struct list_head	list;
	unsigned int		nr;
	unsigned long long	fsblk[61];
};

/* ---- the map; jl_lock is held ---- */

struct lazy_entry *lazy_find(struct jbd2_lazy *jl, unsigned long long fsblk)
{
	struct rb_node *n = jl->jl_map.rb_node;

	while (n) {
		struct lazy_entry *e = rb_entry(n, struct lazy_entry, node);

		if (fsblk < e->fsblk)
			n = n->rb_left;
		else if (fsblk > e->fsblk)
			n = n->rb_right;
		else
			return e;
	}
	return NULL;
}

/* The first entry at @fsblk or after it. */
struct lazy_entry *lazy_next(struct jbd2_lazy *jl, unsigned long long fsblk)
{
	struct rb_node *n = jl->jl_map.rb_node;
	struct lazy_entry *best = NULL;

	while (n) {
		struct lazy_entry *e = rb_entry(n, struct lazy_entry, node);

		if (e->fsblk < fsblk) {
			n = n->rb_right;
		} else {
			best = e;
			n = n->rb_left;
		}
	}
	return best;
}

static void lazy_unlink(struct jbd2_lazy *jl, struct lazy_entry *e)
{
	rb_erase(&e->node, &jl->jl_map);
	list_del(&e->list);
	e->txn->nr_live--;
	jl->jl_nr_live--;
	kmem_cache_free(lazy_entry_cache, e);
}

/* Put @new in the place of the older entry for its block, if there is one. */
static void lazy_insert(struct jbd2_lazy *jl, struct lazy_entry *new)
{
	struct rb_node **link = &jl->jl_map.rb_node, *parent = NULL;

	while (*link) {
		struct lazy_entry *e;

		parent = *link;
		e = rb_entry(parent, struct lazy_entry, node);
		if (new->fsblk < e->fsblk) {
			link = &parent->rb_left;
		} else if (new->fsblk > e->fsblk) {
			link = &parent->rb_right;
		} else {
			new->age = e->relogged ? min(e->age + 1, 255) : 0;
			rb_replace_node(&e->node, &new->node, &jl->jl_map);
			list_del(&e->list);
			e->txn->nr_live--;
			kmem_cache_free(lazy_entry_cache, e);
			return;
		}
	}
	rb_link_node(&new->node, parent, link);
	rb_insert_color(&new->node, &jl->jl_map);
	jl->jl_nr_live++;
}

/* ---- copies that somebody reads ---- */

/* jl_lock is held: nobody frees the record before lazy_put(). */
void lazy_hold(struct jbd2_lazy *jl, struct lazy_entry *e,
	       struct lazy_copy *copy)
{
	unsigned long flags;

	copy->txn = e->txn;
	copy->fsblk = e->fsblk;
	copy->pblk = e->pblk;
	copy->csum = e->csum;
	copy->tid = e->txn->tid;
	copy->escaped = e->escaped;
	copy->age = e->age;
	atomic_inc(&e->txn->readers);
	spin_lock_irqsave(&jl->jl_count_lock, flags);
	jl->jl_inflight++;
	spin_unlock_irqrestore(&jl->jl_count_lock, flags);
}

/* From any context.  Who frees @jl takes the lock after us. */
void lazy_put(struct jbd2_lazy *jl, struct lazy_copy *copy)
{
	unsigned long flags;

	spin_lock_irqsave(&jl->jl_count_lock, flags);
	atomic_dec(&copy->txn->readers);
	jl->jl_inflight--;
	wake_up(&jl->jl_wait);
	spin_unlock_irqrestore(&jl->jl_count_lock, flags);
}

/* jl_lock is held.  Up to @nr of the oldest; blocks that die stay behind. */
static int lazy_oldest(struct jbd2_lazy *jl, struct lazy_copy *copies, int nr)
{
	struct lazy_txn *txn;
	struct lazy_entry *e;
	int n = 0;

	list_for_each_entry(txn, &jl->jl_txns, list) {
		list_for_each_entry(e, &txn->live, list) {
			if (e->dying)
				continue;
			lazy_hold(jl, e, &copies[n++]);
			if (n == nr)
				return n;
		}
	}
	return n;
}

int lazy_hold_oldest(struct jbd2_lazy *jl, struct lazy_copy *copies, int nr)
{
	write_lock(&jl->jl_lock);
	nr = lazy_oldest(jl, copies, nr);
	write_unlock(&jl->jl_lock);
	return nr;
}

static int lazy_by_place(const void *a, const void *b)
{
	const struct lazy_copy *x = a, *y = b;

	return x->fsblk < y->fsblk ? -1 : x->fsblk > y->fsblk;
}

/* jl_lock is held.  Up to @nr from block @from on, which moves behind them. */
static int lazy_next_places(struct jbd2_lazy *jl, struct lazy_copy *copies,
			    int nr, unsigned long long *from)
{
	struct lazy_entry *e = lazy_next(jl, *from);
	struct rb_node *node;
	int n = 0;

	while (e && n < nr) {
		*from = e->fsblk + 1;
		if (!e->dying)
			lazy_hold(jl, e, &copies[n++]);
		node = rb_next(&e->node);
		e = node ? rb_entry(node, struct lazy_entry, node) : NULL;
	}
	return n;
}

/*
 * Choose what goes home: the oldest copies, or with @from the next ones by place.
 * From now on they are on their way, see lazy_wait_home().
 */
int lazy_hold_homing(struct jbd2_lazy *jl, int nr, unsigned long long *from)
{
	struct lazy_copy *copies = jl->jl_homing;

	write_lock(&jl->jl_lock);
	if (from) {
		nr = lazy_next_places(jl, copies, nr, from);
	} else {
		nr = lazy_oldest(jl, copies, nr);
		sort(copies, nr, sizeof(*copies), lazy_by_place, NULL);
	}
	jl->jl_nr_homing = nr;
	write_unlock(&jl->jl_lock);
	return nr;
}

/*
 * Is @copy still the newest copy of its block, and the block in use?  Nobody
 * needs to hold it.  @relog marks that the next transaction logs it again,
 * unchanged.
 */
bool lazy_same(struct jbd2_lazy *jl, struct lazy_copy *copy, bool relog)
{
	struct lazy_entry *e;
	bool same;

	write_lock(&jl->jl_lock);
	e = lazy_find(jl, copy->fsblk);
	same = e && e->pblk == copy->pblk && e->txn->tid == copy->tid &&
	       !e->dying;
	if (same && relog)
		e->relogged = 1;
	write_unlock(&jl->jl_lock);
	return same;
}

/* The block's home holds what @copy holds. */
void lazy_unmap(struct jbd2_lazy *jl, struct lazy_copy *copy)
{
	struct lazy_entry *e;

	write_lock(&jl->jl_lock);
	e = lazy_find(jl, copy->fsblk);
	if (e && e->pblk == copy->pblk && e->txn == copy->txn)
		lazy_unlink(jl, e);
	write_unlock(&jl->jl_lock);
}

/* ---- a transaction is written ---- */

void jbd2_lazy_stage_begin(journal_t *journal, tid_t tid, unsigned long start)
{
	struct lazy_txn *txn;

	txn = kzalloc(sizeof(*txn), GFP_NOFS | __GFP_NOFAIL);
	INIT_LIST_HEAD(&txn->live);
	txn->tid = tid;
	txn->start = start;
	atomic_set(&txn->readers, 0);
	journal->j_lazy->jl_staged = txn;
}

static u32 lazy_tag_csum(journal_t *journal, journal_block_tag_t *tag)
{
	if (jbd2_has_feature_csum3(journal))
		return be32_to_cpu(((journal_block_tag3_t *)tag)->t_checksum);
	if (jbd2_has_feature_csum2(journal))
		return be16_to_cpu(tag->t_checksum);
	return 0;
}

/* The low half of v3's flags is where the others have theirs. */
static u16 lazy_tag_flags(journal_t *journal, journal_block_tag_t *tag)
{
	if (jbd2_has_feature_csum3(journal))
		return be32_to_cpu(((journal_block_tag3_t *)tag)->t_flags);
	return be16_to_cpu(tag->t_flags);
}

void jbd2_lazy_stage(journal_t *journal, unsigned long long fsblk,
		     unsigned long long pblk, journal_block_tag_t *tag)
{
	struct lazy_txn *txn = journal->j_lazy->jl_staged;
	struct lazy_entry *e;

	e = kmem_cache_zalloc(lazy_entry_cache, GFP_NOFS | __GFP_NOFAIL);
	e->fsblk = fsblk;
	e->pblk = pblk;
	e->csum = lazy_tag_csum(journal, tag);
	e->escaped = !!(lazy_tag_flags(journal, tag) & JBD2_FLAG_ESCAPE);
	e->txn = txn;
	list_add_tail(&e->list, &txn->live);
}

void jbd2_lazy_stage_revoke(journal_t *journal, unsigned long long fsblk)
{
	struct list_head *list = &journal->j_lazy->jl_revokes;
	struct lazy_revokes *r = NULL;

	if (!list_empty(list))
		r = list_last_entry(list, struct lazy_revokes, list);
	if (!r || r->nr == ARRAY_SIZE(r->fsblk)) {
		r = kmalloc(sizeof(*r), GFP_NOFS | __GFP_NOFAIL);
		r->nr = 0;
		list_add_tail(&r->list, list);
	}
	r->fsblk[r->nr++] = fsblk;
}

/* A reader of the map may wait in an interrupted task: let it in. */
static void lazy_breathe(struct jbd2_lazy *jl, unsigned int *n)
	__releases(&jl->jl_lock)
	__acquires(&jl->jl_lock)
{
	if (++*n % 256)
		return;
	write_unlock(&jl->jl_lock);
	cond_resched();
	write_lock(&jl->jl_lock);
}

static void lazy_apply_revokes(struct jbd2_lazy *jl, tid_t tid)
{
	struct lazy_revokes *r, *next;
	struct lazy_entry *e;
	unsigned int i, n = 0;

	list_for_each_entry_safe(r, next, &jl->jl_revokes, list) {
		for (i = 0; i < r->nr; i++) {
			lazy_wait_home(jl, r->fsblk[i]);
			e = lazy_find(jl, r->fsblk[i]);
			if (e && tid_geq(tid, e->txn->tid))
				lazy_unlink(jl, e);
			lazy_breathe(jl, &n);
		}
		list_del(&r->list);
		kfree(r);
	}
}

/*
 * The commit block is durable: what was staged is the newest copy.  The record
 * counts as being read meanwhile, so that the tail stays before it.
 */
void jbd2_lazy_apply(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	struct lazy_txn *txn = jl->jl_staged;
	struct lazy_entry *e, *next;
	unsigned int n = 0;
	LIST_HEAD(staged);

	if (!txn)
		return;
	jl->jl_staged = NULL;
	list_splice_init(&txn->live, &staged);
	atomic_inc(&txn->readers);

	write_lock(&jl->jl_lock);
	list_add_tail(&txn->list, &jl->jl_txns);
	jl->jl_nr_txns++;
	list_for_each_entry_safe(e, next, &staged, list) {
		/*
		 * The running transaction's revokes count, not the mark of an
		 * older entry: that changes after the table.  Where they differ,
		 * who does so waits for jl_lock, and finds this entry.  A revoke
		 * by @txn was cancelled before it logged the block; those of a
		 * mount are done with.
		 */
		e->dying = (journal->j_flags & JBD2_LOADED) &&
			   jbd2_revoke_pending(journal, e->fsblk);
		list_move_tail(&e->list, &txn->live);
		txn->nr_live++;
		lazy_insert(jl, e);
		lazy_breathe(jl, &n);
	}
	lazy_apply_revokes(jl, txn->tid);
	trace_jbd2_lazy_map(journal, txn->tid, txn->nr_live, jl->jl_nr_live);
	write_unlock(&jl->jl_lock);

	atomic_dec(&txn->readers);
	WRITE_ONCE(jl->jl_committed, true);
	jbd2_lazy_kick(journal);
}

/* The journal is aborted: what was staged never becomes part of the log. */
void jbd2_lazy_discard(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	struct lazy_revokes *r, *next;
	struct lazy_entry *e, *after;

	if (jl->jl_staged) {
		list_for_each_entry_safe(e, after, &jl->jl_staged->live, list)
			kmem_cache_free(lazy_entry_cache, e);
		kfree(jl->jl_staged);
		jl->jl_staged = NULL;
	}
	list_for_each_entry_safe(r, next, &jl->jl_revokes, list) {
		list_del(&r->list);
		kfree(r);
	}
}

/* The running transaction revokes @fsblk, or takes that back. */
void jbd2_lazy_dying(journal_t *journal, unsigned long long fsblk, bool dying)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	struct lazy_entry *e;

	write_lock(&jl->jl_lock);
	e = lazy_find(jl, fsblk);
	if (e)
		e->dying = dying;
	write_unlock(&jl->jl_lock);
}

/* ---- the tail ---- */

/* Forget the oldest transactions that have nothing left to lose; how many. */
static unsigned int lazy_trim(struct jbd2_lazy *jl)
{
	struct lazy_txn *txn, *next;
	unsigned int n = 0;

	list_for_each_entry_safe(txn, next, &jl->jl_txns, list) {
		if (txn->nr_live || atomic_read(&txn->readers))
			break;
		list_del(&txn->list);
		jl->jl_nr_txns--;
		kfree(txn);
		n++;
	}
	return n;
}

/*
 * The oldest transaction that the log must keep; false if there is none that
 * has committed.  j_state_lock and j_list_lock are held.
 */
bool jbd2_lazy_tail(journal_t *journal, tid_t *tid, unsigned long *block)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	struct lazy_txn *txn;
	unsigned int forgotten;

	write_lock(&jl->jl_lock);
	forgotten = lazy_trim(jl);
	txn = list_first_entry_or_null(&jl->jl_txns, struct lazy_txn, list);
	if (txn) {
		*tid = txn->tid;
		*block = txn->start;
		if (forgotten)
			trace_jbd2_lazy_tail(journal, *tid, *block, forgotten);
	}
	write_unlock(&jl->jl_lock);
	return txn != NULL;
}

/* ---- a mount, and its end ---- */

/*
 * The file system is about to load @journal: keep it lazy.  @csum and @bit64
 * tell what it will ask of the journal: checksums of v3, and block numbers of 64
 * bits.
 */
int jbd2_journal_set_lazy(journal_t *journal, bool csum, bool bit64)
{
	struct jbd2_lazy *jl;

	jl = kzalloc(sizeof(*jl), GFP_KERNEL);
	if (!jl)
		return -ENOMEM;
	jl->jl_journal = journal;
	jl->jl_map = RB_ROOT;
	jl->jl_want_csum = csum;
	jl->jl_want_64bit = bit64;
	jbd2_lazy_new_nonce(jl);
	rwlock_init(&jl->jl_lock);
	spin_lock_init(&jl->jl_count_lock);
	init_rwsem(&jl->jl_sem);
	mutex_init(&jl->jl_room_mutex);
	mutex_init(&jl->jl_home_mutex);
	INIT_LIST_HEAD(&jl->jl_txns);
	INIT_LIST_HEAD(&jl->jl_revokes);
	init_waitqueue_head(&jl->jl_wait);
	init_waitqueue_head(&jl->jl_cleaner_wait);
	if (lazy_slots_alloc(jl)) {
		kfree(jl);
		return -ENOMEM;
	}
	journal->j_lazy = jl;
	lazy_register(jl);
	lazy_proc_init(jl);
	return 0;
}
EXPORT_SYMBOL(jbd2_journal_set_lazy);

/* The superblock of the journal has been read.  Can this log become lazy? */
int jbd2_lazy_check(journal_t *journal)
{
	journal_superblock_t *sb = journal->j_superblock;
	const char *why = NULL;

	if (sb->s_header.h_blocktype != cpu_to_be32(JBD2_SUPERBLOCK_V2))
		why = "its superblock is of version 1";
	else if (jbd2_has_feature_fast_commit(journal))
		why = "it holds fast commits";
	if (!why)
		return 0;
	pr_err("JBD2: %s: cannot keep this log lazily, %s; mount without journal_lazy\n",
	       journal->j_devname, why);
	return -EINVAL;
}

/* After the scan of the log: go on where it ends, and keep what it holds. */
void jbd2_lazy_reset(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	journal_superblock_t *sb = journal->j_superblock;
	unsigned long ring = journal->j_last - journal->j_first;
	unsigned long used;

	if (!jl->jl_keep)
		return;
	journal->j_tail = be32_to_cpu(sb->s_start);
	journal->j_tail_sequence = be32_to_cpu(sb->s_sequence);
	journal->j_head = jl->jl_head;
	used = (jl->jl_head + ring - journal->j_tail) % ring;
	/* A log that is exactly full looks empty by its positions. */
	if (!used && journal->j_transaction_sequence != journal->j_tail_sequence)
		used = ring;
	journal->j_free = ring - used;
}

void jbd2_lazy_free(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	struct lazy_entry *e, *n;
	struct lazy_txn *txn, *next;

	if (!jl)
		return;
	jbd2_lazy_stop(journal);
	lazy_proc_exit(jl);
	lazy_unregister(jl);
	spin_lock_irq(&jl->jl_count_lock);
	wait_event_lock_irq(jl->jl_wait, !jl->jl_inflight, jl->jl_count_lock);
	spin_unlock_irq(&jl->jl_count_lock);

	jbd2_lazy_discard(journal);
	rbtree_postorder_for_each_entry_safe(e, n, &jl->jl_map, node)
		kmem_cache_free(lazy_entry_cache, e);
	list_for_each_entry_safe(txn, next, &jl->jl_txns, list)
		kfree(txn);
	journal->j_lazy = NULL;
	lazy_unwatch(jl);
	lazy_slots_free(jl);
	kfree(jl);
}

int __init jbd2_lazy_init_caches(void)
{
	lazy_entry_cache = KMEM_CACHE(lazy_entry, 0);
	return lazy_entry_cache ? 0 : -ENOMEM;
}

void jbd2_lazy_destroy_caches(void)
{
	kmem_cache_destroy(lazy_entry_cache);
	lazy_entry_cache = NULL;
}
