/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* logged.h - which copies the log holds at each moment of a trace */
#ifndef TRACE_LOGGED_H
#define TRACE_LOGGED_H

#include "e2lazy_trace.h"

/* A copy: block @block of the file system, tag @tag of transaction @txn. */
struct logged_copy {
	uint64_t	block;
	uint32_t	txn, tag;	/* from 0 */
};

struct log_state {
	const struct e2lazy_trace_fs *fs;
	struct logged_copy *copies;	/* by block, then transaction */
	size_t		nr_copies, distinct;
	size_t		next;		/* the transaction that commits next */
	uint64_t	writes;		/* to the journal */
	uint64_t	now;		/* by the caller: of the request */
	uint64_t	ring_blocks;	/* written to the ring */
	uint64_t	last;		/* time of the last such write */
	bool		filled;		/* that was as much as the ring has */
	uint64_t	filled_at;
	uint64_t	home, superseded;	/* blocks written home that the log
						   holds; that it gets again */
};

/* @fs outlives @log.  False without memory. */
bool log_begin(struct log_state *log, const struct e2lazy_trace_fs *fs);
/* A part of a write, in the trace's order. */
void log_note(struct log_state *log, const struct e2lazy_trace_part *part);
/*
 * The newest copy of the block at byte @offset among the transactions that have
 * committed by now; NULL: there is none.
 */
const struct logged_copy *log_newest(const struct log_state *log,
				     uint64_t offset);
/*
 * Its block on the device.  A transaction's descriptors and revoke blocks are
 * among its copies at places that a trace does not know, so this may be a few
 * blocks off.  False: the journal has no such block.
 */
bool log_place(const struct log_state *log, const struct logged_copy *copy,
	       uint64_t *block);
void log_end(struct log_state *log);

/* Log blocks of a transaction, from its first to the commit block. */
uint64_t log_length(const struct e2lazy_trace_fs *fs,
		    const struct e2lazy_trace_txn *txn);

#endif
