/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* verdict.h - what the files of lib/mend know of a verdict */
#ifndef E2LAZY_VERDICT_H
#define E2LAZY_VERDICT_H

#include "log/sort.h"
#include "problem.h"
#include "e2lazy_mend.h"

/* Static blocks; ascending once the verdict is reached. */
struct block_list {
	blk64_t		*at;
	size_t		nr, room;
};

struct e2lazy_verdict {
	struct e2lazy_subject subject;
	bool		content;	/* live blocks were looked into */
	bool		used;		/* something was written by it */
	bool		no_memory;	/* for a block */
	struct e2lazy_finding findings[NR_PROBLEMS];	/* count 0: none */
	enum e2lazy_answer answers[NR_PROBLEMS];
	/* The places of each problem whose effect is on single blocks. */
	struct block_list blocks[NR_PROBLEMS];
	/* Good copies in place of live ones that are bad, by static block. */
	struct records	older;
};

/*
 * A verdict without findings.  EXT2_ET_INVALID_ARGUMENT where the parts of
 * @subject are not of one journal, or its map is of an earlier time or lacks
 * E2LAZY_JMAP_CSUMS or _STATES.
 */
errcode_t verdict_begin(const struct e2lazy_subject *subject, unsigned flags,
			struct e2lazy_verdict **out);
/* Take one place of @problem. */
void verdict_take(struct e2lazy_verdict *verdict, enum problem problem,
		  uint64_t count, const struct e2lazy_where *where,
		  errcode_t error);
/* Only count one more, where its place is of no use; else false. */
bool verdict_count(struct e2lazy_verdict *verdict, enum problem problem);
/* All is found. */
errcode_t verdict_reach(struct e2lazy_verdict *verdict);

/* The strongest effect that the answers so far have on a static block. */
enum e2lazy_effect verdict_effect(const struct e2lazy_verdict *verdict,
				  blk64_t fsblk);
/* e2lazy_verdict_leaves_out() for a schedule; @verdict is its own. */
bool verdict_skips(void *verdict, const struct e2lazy_copy *copy);

/* The verdict is one of this subject as far as can be told by looking at it. */
errcode_t verdict_is_of(const struct e2lazy_verdict *verdict,
			const struct e2lazy_subject *subject);
/* It lets a checkpoint of @view write. */
errcode_t verdict_admits(const struct e2lazy_verdict *verdict,
			 const struct e2lazy_view *view);

#endif
