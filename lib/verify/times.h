/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* times.h - what commit times that go back say about a log */
#ifndef E2LAZY_TIMES_H
#define E2LAZY_TIMES_H

#include "verify.h"

/* A transaction from the first on whose commit time goes back. */
struct doubt {
	uint32_t	tid, logblk;
	uint32_t	run;		/* the next run begins where it goes back */
	bool		early;		/* before mke2fs, after one since then */
};

struct times {
	struct verify	*verify;
	struct doubt	*at;
	size_t		nr, room;
	uint32_t	runs;
	uint64_t	made;		/* s_mkfs_time */
	uint64_t	last;		/* the last commit time that is known */
	bool		since;		/* a transaction is not before @made */
};

void times_init(struct times *times, struct verify *v);
/* @ev: a commit; all of the log's, in order. */
errcode_t times_take(struct times *times, const struct e2lazy_event *ev);
/* Report what is found.  After the last commit. */
errcode_t times_judge(struct times *times);
void times_free(struct times *times);

#endif
