/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_ring.h - libe2lazy: every transaction that the ring still holds whole
 *
 *	e2lazy_ring_scan()	find them, wherever they stand
 *	e2lazy_ring_txn()	one of them, and the range that walks it
 *	e2lazy_ring_history()	those that follow each other without a gap
 *	e2lazy_ring_ranges()	what to walk or to map for some of them
 *
 * The log is what recovery would replay.  Behind it the ring keeps older
 * transactions until the head comes round, also after a clean unmount, and
 * newer ones where damage breaks the log off.  Words and rules are those of
 * e2lazy.h.  Nothing is ever written.
 */
#ifndef E2LAZY_RING_H
#define E2LAZY_RING_H

#include "e2lazy.h"

#ifdef __cplusplus
extern "C" {
#endif

struct e2lazy_ring;

/* Why it is believed that a transaction is what it seems. */
enum e2lazy_proof {
	E2LAZY_PLAUSIBLE,	/* its blocks lead to each other, no more */
	E2LAZY_BY_CHECKSUM,	/* and their checksums are right */
};

struct e2lazy_ring_txn {
	struct e2lazy_txn txn;	/* csum: of its copies only where they were
				   checked, else of its control blocks */
	struct e2lazy_range range;	/* walks exactly this transaction */
	uint32_t	history;	/* index */
	enum e2lazy_proof proof;
};

/* What is at the begin or the end of a history. */
enum e2lazy_edge {
	E2LAZY_EDGE_FIRST,	/* the ring's first block */
	E2LAZY_EDGE_NEWEST,	/* nothing newer is known */
	E2LAZY_EDGE_OVERWRITTEN, /* newer transactions stand there */
	E2LAZY_EDGE_RESTART,	/* the ids begin anew */
	E2LAZY_EDGE_FOREIGN,	/* another file system's journal */
	E2LAZY_EDGE_DAMAGE,	/* the next one is there, and is not whole */
	E2LAZY_EDGE_GAP,	/* the next one has left no trace */
	E2LAZY_NR_EDGES
};

/*
 * Transactions that follow each other without a gap.  A mount leaves out one
 * id, and goes on behind the last commit block all the same.
 */
struct e2lazy_history {
	uint32_t	first, count;	/* indices of its transactions */
	uint32_t	first_tid, last_tid;
	uint64_t	first_sec, last_sec;	/* commit times */
	enum e2lazy_edge begins, ends;
	struct e2lazy_range range;	/* its first piece: up to the first id
					   that is left out */
	uint32_t	pieces;		/* ranges that it takes: mounts */
	bool		is_log;		/* what recovery would replay is its
					   end */
	bool		reaches_now;	/* no trace of anything newer */
};

struct e2lazy_ring_opts {
	unsigned	flags;		/* E2LAZY_RING_* */
	const struct e2lazy_watch *watch; /* PHASE_RING, then PHASE_TXNS */
};

/*
 * Also read all copies: a transaction whose sum is wrong in checksum version 1
 * is none, one with a wrong copy in version 2 or 3 has csum BAD.
 */
#define E2LAZY_RING_DATA	0x01

/*
 * e2lazy_ring_scan - find every committed transaction, wherever it stands
 * @opts:  may be NULL
 * @where: may be NULL; on failure what could not be read
 *
 * One counts whose first block is known to be its first, from which its
 * control blocks lead to its commit block, and whose checksums are right where
 * the format has any: in version 1 with E2LAZY_RING_DATA only.  A block that
 * cannot be read is a gap, and no error.  Reads the control blocks of whole
 * transactions, and each block between them; visits no block more than twice.
 * 48 bytes a transaction, and twice that at the end.
 */
errcode_t e2lazy_ring_scan(struct e2lazy_journal *journal,
			   const struct e2lazy_ring_opts *opts,
			   struct e2lazy_ring **out,
			   struct e2lazy_where *where);
void e2lazy_ring_free(struct e2lazy_ring *ring);

struct e2lazy_ring_counts {
	uint32_t	blocks;		/* of the ring */
	uint32_t	read;		/* of these, one by one or as control
					   blocks */
	uint32_t	unreadable;
	uint32_t	txns;		/* whole */
	uint32_t	cut;		/* committed, but without their begin */
	uint32_t	broken;		/* begun, and not led to a commit block */
	uint32_t	foreign;	/* committed before the file system was
					   made: not among @txns */
	uint32_t	bad;		/* control blocks of a wrong checksum:
					   damage, or of another journal */
	uint32_t	histories;
};

const struct e2lazy_ring_counts *
e2lazy_ring_counts(const struct e2lazy_ring *ring);

/* Sorted by history, the oldest first, and then in their order. */
void e2lazy_ring_txn(const struct e2lazy_ring *ring, uint32_t index,
		     struct e2lazy_ring_txn *out);
void e2lazy_ring_history(const struct e2lazy_ring *ring, uint32_t index,
			 struct e2lazy_history *out);
/* The newest one of that id; false: none. */
bool e2lazy_ring_find(const struct e2lazy_ring *ring, uint32_t tid,
		      uint32_t *index);
/*
 * What to walk, in this order, for @count transactions of one history from
 * @first on: to be freed with free().  NULL: out of memory.
 */
struct e2lazy_range *e2lazy_ring_ranges(const struct e2lazy_ring *ring,
					uint32_t first, uint32_t count,
					uint32_t *nr_ranges);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_RING_H */
