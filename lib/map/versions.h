/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * versions.h - every committed copy of every static block, by block and time
 *
 * A jmap has the newest copy of a block in one log.  Versions have every copy
 * in the whole ring, of all histories.
 */
#ifndef E2LAZY_VERSIONS_H
#define E2LAZY_VERSIONS_H

#include "e2lazy_ring.h"
#include "log/sort.h"

/* A transaction, by its number in the order of time. */
struct moment {
	uint32_t	tid;
	uint32_t	nsec;
	uint64_t	sec;		/* commit time */
	bool		broken;		/* its walk failed: it has no records */
};

/* No transaction; later than all. */
#define MOMENT_NOW	UINT32_MAX

struct versions {
	struct e2lazy_journal *journal;
	/* Sorted by static block and time.  record.tid is the number of the
	   transaction; RECORD_REVOKE marks a revoke. */
	struct records	list;
	uint32_t	*csums;		/* of copies, by log block; or NULL */
	struct moment	*moments;
	size_t		nr_moments;
};

struct versions_opts {
	uint32_t	count;		/* of transactions, the oldest ones */
	const struct e2lazy_watch *watch;	/* PHASE_TXNS */
};

/*
 * Memory: 16 bytes for each copy or revoke, twice that while it sorts, and 4
 * bytes for each log block.  The caller frees @v, also on failure.
 */
errcode_t versions_build(struct e2lazy_journal *journal,
			 const struct e2lazy_ring *ring,
			 const struct versions_opts *opts, struct versions *v);
/* The same for the committed transactions of some ranges; 0 of them: the log. */
errcode_t versions_of_ranges(struct e2lazy_journal *journal,
			     const struct e2lazy_range *ranges, uint32_t count,
			     struct versions *v);
void versions_free(struct versions *v);

/* The first record whose block is not below @fsblk. O(log n). */
size_t versions_lower_bound(const struct versions *v, blk64_t fsblk);

/*
 * The first record of @fsblk from transaction @when on, or else the first behind
 * the block's.  O(log n).
 */
size_t versions_from(const struct versions *v, blk64_t fsblk, uint64_t when);

static inline const struct record *version_get(const struct versions *v,
					       size_t index)
{
	return &v->list.at[index];
}

static inline bool version_is_of(const struct versions *v, size_t index,
				 blk64_t fsblk)
{
	return index < v->list.nr &&
	       record_fsblk(&v->list.at[index]) == fsblk;
}

/* Has any of @count blocks from @fsblk on a copy or a revoke? */
static inline bool versions_has(const struct versions *v, blk64_t fsblk,
				uint64_t count)
{
	size_t i = versions_lower_bound(v, fsblk);

	return i < v->list.nr && record_fsblk(&v->list.at[i]) < fsblk + count;
}

static inline bool version_is_revoke(const struct record *r)
{
	return r->flags & RECORD_REVOKE;
}

/* The newest copy of @fsblk up to transaction @when; NULL: there is none. */
const struct record *versions_at(const struct versions *v, blk64_t fsblk,
				 uint32_t when);
/*
 * Read a copy:  E2LAZY_ET_DATA_CSUM if it differs from the checksum in its tag.
 * A format without checksums of copies gives no such error.
 */
errcode_t versions_read(const struct versions *v, const struct record *r,
			void *block);
/* The same for a block that was read from the log already. */
errcode_t versions_check(const struct versions *v, const struct record *r,
			 void *block);
/* Does a block that was read from the log match the copy's tag? */
bool version_is_good(const struct versions *v, const struct record *r,
		     const void *block);

#endif
