/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_ring.h - libe2lazy: every transaction that the ring still holds whole
 *
 *	e2lazy_ring_scan()	find all of them
 *	e2lazy_ring_txn()	one of them, and the range that walks it
 *	e2lazy_ring_history()	a row of consecutive ones
 *	e2lazy_ring_ranges()	the ranges to walk or map for some of them
 *
 * The log is the stretch that recovery would replay.  Behind it the ring keeps
 * older transactions until the head overwrites them, also after a clean
 * unmount.  If damage breaks the log off, newer ones stand behind the damage.
 * Words and rules are those of e2lazy.h.  These functions never write.
 */
#ifndef E2LAZY_RING_H
#define E2LAZY_RING_H

#include "e2lazy.h"

#ifdef __cplusplus
extern "C" {
#endif

struct e2lazy_ring;

/* The reason to believe in a transaction. */
enum e2lazy_proof {
	E2LAZY_PLAUSIBLE,	/* each block leads to the next */
	E2LAZY_BY_CHECKSUM,	/* and their checksums are right, too */
};

struct e2lazy_ring_txn {
	struct e2lazy_txn txn;	/* csum: of its control blocks, and of its
				   copies if they were verified */
	struct e2lazy_range range;	/* walks exactly this transaction */
	uint32_t	history;	/* index */
	enum e2lazy_proof proof;
};

/* The neighbour at the beginning or end of a history. */
enum e2lazy_edge {
	E2LAZY_EDGE_FIRST,	/* the ring's first block */
	E2LAZY_EDGE_NEWEST,	/* no newer transaction is known */
	E2LAZY_EDGE_OVERWRITTEN, /* newer transactions have overwritten it */
	E2LAZY_EDGE_RESTART,	/* the ids begin anew */
	E2LAZY_EDGE_FOREIGN,	/* another file system's journal */
	E2LAZY_EDGE_DAMAGE,	/* the next one is there, but not whole */
	E2LAZY_EDGE_GAP,	/* the next one has left no trace */
	E2LAZY_NR_EDGES
};

/*
 * Transactions that follow each other without a gap.  A mount leaves out one or
 * two ids, but continues behind the last commit block.
 */
struct e2lazy_history {
	uint32_t	first, count;	/* indices of its transactions */
	uint32_t	first_tid, last_tid;
	uint64_t	first_sec, last_sec;	/* commit times, of those that are known;
					   0: none is */
	uint32_t	first_nsec, last_nsec;
	enum e2lazy_edge begins, ends;
	struct e2lazy_range range;	/* its first piece: up to the first id
					   that is skipped */
	uint32_t	pieces;		/* number of ranges: one a mount */
	bool		is_log;		/* it ends with the log */
	bool		reaches_now;	/* the ring has nothing newer */
};

struct e2lazy_ring_opts {
	unsigned	flags;		/* E2LAZY_RING_* */
	const struct e2lazy_watch *watch; /* PHASE_RING, then PHASE_TXNS */
};

/*
 * Also read all copies.  With checksum v1 a transaction with a wrong sum does
 * not count; with v2 or v3 a transaction with a wrong copy gets csum BAD.
 */
#define E2LAZY_RING_DATA	0x01

/*
 * e2lazy_ring_scan - find every committed transaction, wherever it stands
 * @opts:  may be NULL
 * @where: may be NULL; on failure the block that could not be read
 *
 * A transaction counts if its first block is known to be the first, if its
 * control blocks lead from there to its commit block, and if its checksums are
 * right, as far as the format has any (v1 only with E2LAZY_RING_DATA).  An
 * unreadable block is a gap and no error.  The scan reads the control blocks of
 * whole transactions, and each block between transactions; it visits no block
 * more than twice.  Up to seven threads follow chains further on in the ring, so
 * a few requests are in flight; they take 12 MiB at most, and the result does not
 * depend on them.  Takes 52 bytes for each transaction, and twice that at the
 * end.
 */
errcode_t e2lazy_ring_scan(struct e2lazy_journal *journal,
			   const struct e2lazy_ring_opts *opts,
			   struct e2lazy_ring **out,
			   struct e2lazy_where *where);
void e2lazy_ring_free(struct e2lazy_ring *ring);

struct e2lazy_ring_counts {
	uint32_t	blocks;		/* of the ring */
	uint32_t	read;		/* blocks read */
	uint32_t	unreadable;	/* also those past the device's end, which
					   are not read */
	uint32_t	txns;		/* whole transactions */
	uint32_t	undated;	/* of @txns: their commit time is not
					   known */
	uint32_t	cut;		/* committed, but without a beginning */
	uint32_t	broken;		/* begun, but without a commit block */
	uint32_t	foreign;	/* committed before the file system was
					   made; not in @txns */
	uint32_t	bad;		/* control blocks with a wrong checksum:
					   damage, or another journal's */
	uint32_t	histories;
};

const struct e2lazy_ring_counts *
e2lazy_ring_counts(const struct e2lazy_ring *ring);

/* Sorted by history, oldest first, then in order. */
void e2lazy_ring_txn(const struct e2lazy_ring *ring, uint32_t index,
		     struct e2lazy_ring_txn *out);
void e2lazy_ring_history(const struct e2lazy_ring *ring, uint32_t index,
			 struct e2lazy_history *out);
/* The newest transaction with that id; false if there is none. */
bool e2lazy_ring_find(const struct e2lazy_ring *ring, uint32_t tid,
		      uint32_t *index);
/*
 * The ranges to walk, in this order, for @count transactions of one history
 * from
 * @first on.  Free the result with free().  NULL: out of memory.
 */
struct e2lazy_range *e2lazy_ring_ranges(const struct e2lazy_ring *ring,
					uint32_t first, uint32_t count,
					uint32_t *nr_ranges);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_RING_H */
