/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* live_set.h - copies and revokes of the log, folded into what is live */
#ifndef E2LAZY_LIVE_SET_H
#define E2LAZY_LIVE_SET_H

#include "log/sort.h"

/* 20 bytes, for there may be one for every block of a log. */
struct mapping {
	uint32_t	fs_low;
	uint16_t	fs_high;
	uint16_t	flags;		/* E2LAZY_COPY_* */
	uint32_t	logblk;
	uint32_t	tid;
	uint32_t	copies;		/* since the last revoke, this one too */
};

static inline blk64_t mapping_fsblk(const struct mapping *m)
{
	return (blk64_t)m->fs_high << 32 | m->fs_low;
}

struct live_set {
	struct mapping	*live;		/* ascending fsblk, each once */
	size_t		nr_live, room;
	struct records	pending;	/* in log order, not yet in @live */
	size_t		sealed;		/* of @pending: committed */
	uint64_t	revoked;	/* copies that a revoke voided */
};

/* A copy or revoke of the open transaction; fsblk < RECORD_FSBLK_END. */
errcode_t live_set_add(struct live_set *fold, const struct record *r);
/* The open transaction is committed: what was added counts. */
errcode_t live_set_commit(struct live_set *fold);
/* It is not: what was added since never was. */
void live_set_drop(struct live_set *fold);
/* Everything committed is in @live now. */
errcode_t live_set_finish(struct live_set *fold);
void live_set_free(struct live_set *fold);

#endif
