// SPDX-License-Identifier: GPL-2.0-only
/*
 * lazy_proc.c - /proc/fs/jbd2/<device>/lazy and jmap: the counts, and the map
 */
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include "lazy.h"

struct lazy_cost {
	unsigned long	blocks;
	unsigned long	runs;		/* of neighbours */
};

/* What a freeze writes in place.  The map may change meanwhile. */
static void lazy_freeze_cost(struct jbd2_lazy *jl, struct lazy_cost *cost)
{
	unsigned long long next = 0;
	struct lazy_entry *e;
	struct rb_node *node;
	int n;

	do {
		read_lock(&jl->jl_lock);
		e = lazy_next(jl, next);
		for (n = 0; e && n < 1024; n++) {
			cost->runs += !cost->blocks || e->fsblk != next;
			cost->blocks++;
			next = e->fsblk + 1;
			node = rb_next(&e->node);
			e = node ? rb_entry(node, struct lazy_entry, node) : NULL;
		}
		read_unlock(&jl->jl_lock);
		cond_resched();
	} while (e);
}

static int lazy_seq_show(struct seq_file *seq, void *v)
{
	journal_t *journal = seq->private;
	struct jbd2_lazy *jl = journal->j_lazy;
	unsigned long live, txns, ring, free, tail, head;
	struct lazy_cost cost = {};
	tid_t tail_tid;

	read_lock(&journal->j_state_lock);
	ring = journal->j_last - journal->j_first;
	free = journal->j_free;
	tail = journal->j_tail;
	head = journal->j_head;
	tail_tid = journal->j_tail_sequence;
	read_unlock(&journal->j_state_lock);
	read_lock(&jl->jl_lock);
	live = jl->jl_nr_live;
	txns = jl->jl_nr_txns;
	read_unlock(&jl->jl_lock);

	lazy_freeze_cost(jl, &cost);

	seq_printf(seq, "log_blocks %lu\n", ring);
	seq_printf(seq, "log_free %lu\n", free);
	seq_printf(seq, "tail_tid %u\n", tail_tid);
	seq_printf(seq, "tail %lu\n", tail);
	seq_printf(seq, "head %lu\n", head);
	seq_printf(seq, "transactions %lu\n", txns);
	seq_printf(seq, "live %lu\n", live);
	seq_printf(seq, "entry_bytes %zu\n", sizeof(struct lazy_entry));
	seq_printf(seq, "map_pages %lu\n",
		   DIV_ROUND_UP(live * sizeof(struct lazy_entry), PAGE_SIZE));
	seq_printf(seq, "freeze_blocks %lu\n", cost.blocks);
	seq_printf(seq, "freeze_runs %lu\n", cost.runs);
	seq_printf(seq, "scanned_blocks %lu\n", jl->jl_scanned);
	seq_printf(seq, "redirected_reads %ld\n",
		   atomic_long_read(&jl->jl_redirected));
	seq_printf(seq, "read_ahead %ld\n",
		   atomic_long_read(&jl->jl_read_ahead));
	seq_printf(seq, "stale_buffers %ld\n",
		   atomic_long_read(&jl->jl_stale));
	seq_printf(seq, "bad_copies %ld\n", atomic_long_read(&jl->jl_bad));
	seq_printf(seq, "written_home %ld\n", atomic_long_read(&jl->jl_home));
	seq_printf(seq, "commits_waited_for_home %ld\n",
		   atomic_long_read(&jl->jl_home_waits));
	seq_printf(seq, "logged_again %ld\n",
		   atomic_long_read(&jl->jl_relogged));
	seq_printf(seq, "waits_for_space %ld\n",
		   atomic_long_read(&jl->jl_waits));
	return 0;
}

/*
 * The position is the block to go on with.  Entries come and go between two
 * reads: a reader sees one map only while nothing is committed.
 */
static struct lazy_entry *lazy_map_at(struct jbd2_lazy *jl, loff_t *pos)
{
	struct lazy_entry *e = lazy_next(jl, *pos);

	if (e)
		*pos = e->fsblk;
	return e;
}

static void *lazy_map_start(struct seq_file *seq, loff_t *pos)
	__acquires(&jl->jl_lock)
{
	journal_t *journal = pde_data(file_inode(seq->file));
	struct jbd2_lazy *jl = journal->j_lazy;

	seq->private = jl;
	read_lock(&jl->jl_lock);
	return lazy_map_at(jl, pos);
}

static void *lazy_map_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return lazy_map_at(seq->private, pos);
}

static void lazy_map_stop(struct seq_file *seq, void *v)
	__releases(&jl->jl_lock)
{
	struct jbd2_lazy *jl = seq->private;

	read_unlock(&jl->jl_lock);
}

static int lazy_map_show(struct seq_file *seq, void *v)
{
	struct lazy_entry *e = v;

	seq_printf(seq, "%llu %llu %u %s\n", e->fsblk, e->pblk, e->txn->tid,
		   e->escaped ? "yes" : "no");
	return 0;
}

static const struct seq_operations lazy_map_ops = {
	.start	= lazy_map_start,
	.next	= lazy_map_next,
	.stop	= lazy_map_stop,
	.show	= lazy_map_show,
};

void lazy_proc_init(struct jbd2_lazy *jl)
{
	journal_t *journal = jl->jl_journal;

	if (!journal->j_proc_entry)
		return;
	proc_create_single_data("lazy", 0444, journal->j_proc_entry,
				lazy_seq_show, journal);
	proc_create_seq_data("jmap", 0400, journal->j_proc_entry,
			     &lazy_map_ops, journal);
}

void lazy_proc_exit(struct jbd2_lazy *jl)
{
	journal_t *journal = jl->jl_journal;

	if (!journal->j_proc_entry)
		return;
	remove_proc_entry("lazy", journal->j_proc_entry);
	remove_proc_entry("jmap", journal->j_proc_entry);
}
