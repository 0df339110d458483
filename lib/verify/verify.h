/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* verify.h - what the files that find problems share */
#ifndef E2LAZY_VERIFY_H
#define E2LAZY_VERIFY_H

#include "log/end_proof.h"
#include "log/sort.h"
#include "view/view.h"
#include "verdict.h"

/* A live copy that cannot be had, and what may stand in for it. */
struct bad_copy {
	struct e2lazy_copy copy;
	errcode_t	error;
	/* Of its older copies the newest that is not known to be bad, and how
	   many there are up to that one; NULL: none is good. */
	const struct record *newest;
	size_t		left;
};

struct bad_copies {
	struct bad_copy	*at;
	size_t		nr, room;
};

struct verify {
	const struct e2lazy_subject *subject;
	const struct e2lazy_verify_opts *opts;
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;
	const struct e2lazy_end *end;
	struct e2lazy_verdict *verdict;
	struct bad_copies bad;
	struct end_proof proof;			/* by verify_log() */
	errcode_t	told;		/* what opts->place returned */
	/* Escaped copies that have a newer one which is not. */
	struct records	escaped;
	/*
	 * By the index of a live copy, the log block of the last copy before
	 * it that a revoke has made void; 0, which is no place in the ring,
	 * where there is none.  NULL where no block has any.
	 */
	uint32_t	*voided;
	/* With E2LAZY_VERIFY_CONTENT, as far as they can be had. */
	ext2_filsys	fs;		/* on the view */
	struct e2lazy_owners *owners;
};

/* Where a problem is, as far as @has says. */
struct spot {
	unsigned	has;		/* E2LAZY_AT_* */
	uint32_t	logblk;
	uint32_t	tid;
	uint32_t	age;
	blk64_t		fsblk;
};

/* @spot is NULL for what has no place; @error for what cannot be read. */
void verify_found(struct verify *v, enum problem problem, const struct spot *spot,
	   errcode_t error);
/* The same of @count places, of which a function has told the first. */
void verify_found_where(struct verify *v, enum problem problem, uint64_t count,
		 const struct e2lazy_where *where, errcode_t error);
void verify_found_copy(struct verify *v, enum problem problem,
		const struct e2lazy_copy *copy, errcode_t error);

/* The live copies that are in memory already, or NULL. */
static inline const struct cache *verify_kept(const struct verify *v)
{
	return v->subject->view ? v->subject->view->kept : NULL;
}

/* A live copy, unescaped; false where it cannot be had. */
bool verify_read(const struct verify *v, size_t index, uint8_t *block);

/* A call of the user's; a non-zero return ends the search. */
errcode_t verify_tick(struct verify *v, enum e2lazy_phase phase,
		      uint64_t done, uint64_t total);

/*
 * What is searched, each a file.  An error is one that ends the search: what
 * cannot be read is found instead.
 */
errcode_t verify_state(struct verify *v);	/* of the whole */
/* what a mount would lose */
errcode_t verify_discarded_on_mount(struct verify *v);
errcode_t verify_discarded(struct verify *v);	/* what one has lost */
errcode_t verify_tail(struct verify *v);	/* what it leaves out */
errcode_t verify_log(struct verify *v);		/* its structure */
errcode_t verify_mapping(struct verify *v);	/* what live copies are of */
errcode_t verify_copies(struct verify *v);	/* that they are sound */
errcode_t verify_escapes(struct verify *v);	/* after verify_log() */
errcode_t verify_superseded(struct verify *v);	/* copies that do not count */

/* For verify_log(): the log is damaged, and what stands behind that is lost. */
errcode_t verify_lost_to_damage(struct verify *v);
/* For verify_log(): a copy was logged that may be void. */
errcode_t relogged_note(struct verify *v, const struct e2lazy_event *ev);
/* Whether a live copy is the last void one again; @blocks has room for two. */
bool relogged_is(const struct verify *v, size_t index,
		 const struct e2lazy_copy *live, uint8_t *blocks);

/* For verify_copies(): a live copy cannot be had; then, all are known. */
errcode_t verify_note_bad(struct verify *v, const struct e2lazy_copy *copy,
			  errcode_t error);
errcode_t verify_older(struct verify *v);
/* What a copy would be written over, as far as the owners are known: @block
   is what it holds, unescaped. */
void verify_role(struct verify *v, const struct e2lazy_copy *copy,
		 const uint8_t *block);

/* What sound live copies hold: called by verify_copies(). */
void verify_content(struct verify *v, const struct e2lazy_copy *copy,
		    uint8_t *block);
errcode_t verify_descriptors(struct verify *v);

#endif
