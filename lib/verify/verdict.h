/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* verdict.h - a verdict, for lib/verify and lib/mend */
#ifndef E2LAZY_VERDICT_H
#define E2LAZY_VERDICT_H

#include "log/sort.h"
#include "problem.h"
#include "e2lazy_verify.h"

/* Static blocks; ascending once the verdict is reached. */
struct block_list {
	blk64_t		*at;
	size_t		nr, room;
};

struct e2lazy_verdict {
	struct e2lazy_subject subject;
	bool		content;	/* with the content of live blocks */
	bool		restore;	/* for a restore, and for nothing else */
	bool		used;		/* a writer has begun to write */
	bool		no_memory;	/* a block could not be added */
	struct e2lazy_finding findings[NR_PROBLEMS];	/* count 0: none */
	enum e2lazy_answer answers[NR_PROBLEMS];
	/* Blocks of each problem whose effect is on single blocks. */
	struct block_list blocks[NR_PROBLEMS];
	uint8_t		on_blocks[NR_PROBLEMS];	/* those that have blocks */
	unsigned	nr_on_blocks;
	/* The view with the fast commits, or NULL; @fast_done.blocks is 0 if
	   they cannot be replayed. */
	struct e2lazy_view *fast;
	struct e2lazy_fc_done fast_done;
	/* Good older copies that replace bad live ones, by static block. */
	struct records	older;
};

/*
 * A verdict without findings.  EXT2_ET_INVALID_ARGUMENT if the parts of
 * @subject belong to different journals, or if its map is of an earlier time or
 * lacks E2LAZY_JMAP_STATES, or E2LAZY_JMAP_CSUMS when @flags need it.
 */
errcode_t verdict_begin(const struct e2lazy_subject *subject, unsigned flags,
			struct e2lazy_verdict **out);
/* Add a place of @problem, which stands for @count. */
void verdict_take(struct e2lazy_verdict *verdict, enum problem problem,
		  uint64_t count, const struct e2lazy_where *where,
		  errcode_t error);
/* Count one more if its place is not needed; else return false. */
bool verdict_count(struct e2lazy_verdict *verdict, enum problem problem);
/* Are there fast commits that a writer must not forget? */
static inline bool verdict_fast_waits(const struct e2lazy_verdict *verdict)
{
	return verdict->findings[PROBLEM_FAST_COMMITS_VALID].count;
}

/*
 * Does the area begin with records that say nothing, at which e2fsck drops the
 * log?  Not if some behind them were promised: they are all that is left of files.
 */
static inline bool verdict_fast_is_void(const struct e2lazy_verdict *verdict)
{
	const struct e2lazy_finding *f = verdict->findings;

	return !f[PROBLEM_FAST_COMMITS_CUT].count &&
	       (f[PROBLEM_FAST_COMMITS_STALE].count ||
		f[PROBLEM_FAST_COMMITS_UNFINISHED].count);
}

/* Does it begin with those of a later transaction? */
static inline bool verdict_fast_is_later(const struct e2lazy_verdict *verdict)
{
	return verdict->findings[PROBLEM_FAST_COMMITS_LATER].count;
}

/*
 * Is the begin of the fast-commit area cleared?  If the log @stays in use, it is
 * where the fast commits are of an old transaction, or only begun: they say
 * nothing, but e2fsck 1.47 fails at them and drops the log.  If the log is
 * emptied, where they are of a later transaction: given up by a yes, they would
 * come to count when the log gets to their number.  If its last transactions are
 * dropped, either: a power cut can leave the rest of the log to e2fsck.
 */
static inline bool
verdict_area_is_cleared(const struct e2lazy_verdict *verdict, bool stays)
{
	bool drops = verdict->findings[PROBLEM_DROPPED].count;

	return ((stays || drops) && verdict_fast_is_void(verdict)) ||
	       (!stays && verdict_fast_is_later(verdict));
}

/* Call it when the search is over. */
errcode_t verdict_reach(struct e2lazy_verdict *verdict);

/* Is it an unused verdict of this subject? */
errcode_t verdict_is_of(const struct e2lazy_verdict *verdict,
			const struct e2lazy_subject *subject);
/* May e2lazy_restore() of @view write? */
errcode_t verdict_admits_restore(const struct e2lazy_verdict *verdict,
				 const struct e2lazy_view *view);
/* May a checkpoint of @view write? */
errcode_t verdict_admits(const struct e2lazy_verdict *verdict,
			 const struct e2lazy_view *view);

#endif
