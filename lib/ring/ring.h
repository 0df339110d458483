/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ring.h - the inside of a ring, shared by the files of this room */
#ifndef E2LAZY_RING_INTERNAL_H
#define E2LAZY_RING_INTERNAL_H

#include <stdlib.h>

#include "e2lazy_ring.h"
#include "log/log.h"

/* A whole transaction.  Packed: a ring may have one per block. */
struct found {
	uint64_t	sec;
	uint32_t	nsec;
	uint32_t	start, end;	/* log blocks */
	uint32_t	tid;
	uint32_t	copies, descriptors, revoke_blocks, revokes;
	uint32_t	history;
	uint8_t		csum;		/* enum e2lazy_csum_state */
	uint8_t		proof;		/* enum e2lazy_proof */
	bool		in_log;
	bool		other_lap;	/* it wraps at geometry.other_end */
};

/* Control blocks that belong to no whole transaction. */
enum trace_kind {
	TRACE_CUT,		/* the start overwritten, the rest whole */
	TRACE_BROKEN,		/* the start there, the commit block not */
	TRACE_PART,		/* neither of these */
	TRACE_BAD,		/* a wrong checksum */
	TRACE_FOREIGN,		/* of another file system, by its time */
};

struct trace {
	uint64_t	when;		/* of its commit block, if @committed */
	uint32_t	start, end;	/* log blocks */
	uint32_t	tid;
	enum trace_kind	kind;
	bool		committed;
};

struct e2lazy_ring {
	struct e2lazy_journal *journal;
	struct found	*found;
	size_t		nr_found, room;
	uint32_t	*tids;		/* of them, ascending */
	struct trace	*traces;	/* in ring order, at last by tid */
	size_t		nr_traces, traces_room;
	struct e2lazy_history *histories;
	uint32_t	nr_histories;
	struct e2lazy_ring_counts counts;
};

/* scan.c: fill @found, in ring order, @traces and @counts. */
errcode_t scan_ring(struct e2lazy_ring *ring,
		    const struct e2lazy_watch *watch);
errcode_t ring_add_trace(struct e2lazy_ring *ring, const struct trace *trace);

/* check.c: read the copies of all found; a bad one makes it a trace. */
errcode_t check_found(struct e2lazy_ring *ring,
		      const struct e2lazy_watch *watch);

/* strangers.c: make traces of what an earlier file system committed. */
errcode_t drop_strangers(struct e2lazy_ring *ring);

/* order.c: sort @histories, oldest first. */
errcode_t order_histories(struct e2lazy_ring *ring);

/* histories.c: join transactions without a gap to histories. */
errcode_t make_histories(struct e2lazy_ring *ring);

/* Two mounts may commit in one second. */
static inline uint64_t commit_when(uint64_t sec, uint32_t nsec)
{
	return sec << 30 | (nsec & 0x3fffffff);
}

static inline uint64_t found_when(const struct found *f)
{
	return commit_when(f->sec, f->nsec);
}

/* The last one that is known, or 0. */
static inline uint64_t last_when(const struct e2lazy_history *h)
{
	return commit_when(h->last_sec, h->last_nsec);
}

/* 0 is no time, and neither earlier nor later. */
static inline bool is_earlier(uint64_t when, uint64_t than)
{
	return when && than && when < than;
}

static inline struct lap found_lap(const struct e2lazy_geometry *g,
				   const struct found *f)
{
	return f->other_lap ? lap_other(g) : lap_from(g, f->start);
}

static inline int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* @numbers ascend. */
static inline bool has_number(const uint32_t *numbers, size_t nr,
			      uint32_t number)
{
	return nr && bsearch(&number, numbers, nr, sizeof(number),
			     compare_numbers);
}

static inline uint32_t found_blocks(const struct e2lazy_geometry *g,
				    const struct found *f)
{
	return lap_distance(found_lap(g, f), f->start, f->end) + 1;
}

#endif
