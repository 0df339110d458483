/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* live_set.h - fold copies and revokes of the log into the live mappings */
#ifndef E2LAZY_LIVE_SET_H
#define E2LAZY_LIVE_SET_H

#include "last_of.h"

/* 20 bytes: every block of a log may need one. */
struct mapping {
	uint32_t	fs_low;
	uint16_t	fs_high;
	uint16_t	flags;		/* E2LAZY_COPY_* */
	uint32_t	logblk;
	uint32_t	tid;
	uint32_t	copies;		/* since the last revoke, with it */
};

static inline blk64_t mapping_fsblk(const struct mapping *m)
{
	return (blk64_t)m->fs_high << 32 | m->fs_low;
}

struct live_set {
	struct mapping	*live;		/* ascending fsblk, each once */
	size_t		nr_live, room;
	struct records	pending;	/* in log order, not yet in @live */
	size_t		sealed;		/* committed records of @pending */
	bool		absorbs;	/* the log repeats itself: use @last */
	struct last_of	last;		/* record in @pending */
	uint64_t	revoked;	/* copies that a revoke voided */
};

/* Add a copy or revoke of the open transaction; fsblk < RECORD_FSBLK_END. */
errcode_t live_set_add(struct live_set *set, const struct record *r);
/* The open transaction is committed: its records count.  Transactions ascend. */
errcode_t live_set_commit(struct live_set *set);
/* The open transaction is not committed: forget its records. */
void live_set_drop(struct live_set *set);
/* Bring every committed record into @live; drop the open transaction. */
errcode_t live_set_finish(struct live_set *set);
void live_set_free(struct live_set *set);

#endif
