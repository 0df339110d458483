/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* verify.h - shared by the files that find problems */
#ifndef E2LAZY_VERIFY_INTERNAL_H
#define E2LAZY_VERIFY_INTERNAL_H

#include "log/end_proof.h"
#include "log/sort.h"
#include "view/view.h"
#include "verdict.h"

/* A live copy that cannot be used, and its older copies. */
struct bad_copy {
	struct e2lazy_copy copy;
	errcode_t	error;
	/* The newest older copy not known to be bad, and the number of older
	   copies up to it; NULL: none is good. */
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
	/* Also by verify_log(): a checksum does not cover each tag, so one may
	   name another block than it did when the kernel wrote it. */
	bool		unproven;
	errcode_t	told;		/* return value of opts->place */
	/* Escaped copies whose live copy is not escaped. */
	struct records	escaped;
	/*
	 * For each live copy, the log block of the last earlier copy that a
	 * revoke has made void; 0, which is outside the ring, if there is
	 * none.  NULL if no block has one.
	 */
	uint32_t	*voided;
	/* Every copy in the log; NULL before verify_has_versions(). */
	struct versions	*versions;
	uint8_t		*bitmap;	/* @bitmap_of, for held_then(), */
	const struct record *bitmap_of;
	uint32_t	bitmaps_read;	/* and how many were */
	/* With E2LAZY_VERIFY_CONTENT; NULL if they cannot be built. */
	ext2_filsys	fs;		/* on the view */
	struct e2lazy_owners *owners;
};

/* The place of a problem; @has says which fields count. */
struct spot {
	unsigned	has;		/* E2LAZY_AT_* */
	uint32_t	logblk;
	uint32_t	tid;
	uint32_t	age;
	blk64_t		fsblk;
};

/* @spot: NULL for a problem without a place.  @error: of a failed read. */
void verify_found(struct verify *v, enum problem problem,
		  const struct spot *spot, errcode_t error);
/* The same for @count places, of which @where is the first. */
void verify_found_where(struct verify *v, enum problem problem, uint64_t count,
			const struct e2lazy_where *where, errcode_t error);
void verify_found_copy(struct verify *v, enum problem problem,
		       const struct e2lazy_copy *copy, errcode_t error);

/* Is it to judge copies by the owners of their blocks? */
static inline bool verify_owners(const struct verify *v)
{
	return v->opts->flags & (E2LAZY_VERIFY_CONTENT | E2LAZY_VERIFY_OWNERS);
}

/*
 * After verify_log(): may the log have had transactions that it lacks now, with
 * their revokes?
 */
static inline bool verify_is_cut(const struct verify *v)
{
	return v->proof.look.journal &&
	       (v->end->error || v->proof.verdict == E2LAZY_BEYOND_DAMAGE);
}

/* The live copies in memory, or NULL. */
static inline const struct cache *verify_kept(const struct verify *v)
{
	return v->subject->view ? v->subject->view->kept : NULL;
}

/* Read a live copy, unescaped; false if that fails. */
bool verify_read(const struct verify *v, size_t index, uint8_t *block);

/*
 * The log's copy of the superblock, in disk order, read to @block; NULL without
 * one.
 */
const struct ext2_super_block *verify_logged_super(const struct verify *v,
						   uint8_t *block);
/* Tell the watch; a non-zero return ends the search. */
errcode_t verify_tick(struct verify *v, enum e2lazy_phase phase,
		      uint64_t done, uint64_t total);

/*
 * Take every event of the committed transactions, and tick once in a few
 * thousand of them, if @tick is not NULL.
 */
errcode_t verify_walk(struct verify *v,
		      errcode_t (*take)(void *priv,
					const struct e2lazy_event *ev),
		      errcode_t (*tick)(void *priv, uint32_t tid), void *priv);

/*
 * The steps of the search, one a file.  Only an error that ends the search is
 * returned; an unreadable block is a finding.
 */
errcode_t verify_state(struct verify *v);	/* the superblocks */
errcode_t verify_fast(struct verify *v);	/* the fast commits */
/* blocks that a mount would lose */
errcode_t verify_discarded_on_mount(struct verify *v);
errcode_t verify_discarded(struct verify *v);	/* blocks that one has lost */
errcode_t verify_outdated(struct verify *v);	/* files newer than the log */
errcode_t verify_written_since(struct verify *v); /* after the log */
errcode_t verify_dropped(struct verify *v);	/* transactions after the map */
errcode_t verify_tail(struct verify *v);	/* an empty tail */
errcode_t verify_log(struct verify *v);		/* the log's structure */
errcode_t verify_mapping(struct verify *v);	/* the blocks of live copies */
errcode_t verify_copies(struct verify *v);	/* checksums of live copies */
errcode_t verify_escapes(struct verify *v);	/* after verify_log() */
errcode_t verify_superseded(struct verify *v);	/* superseded copies */

/* For verify_log(): the blocks behind damage in the log. */
errcode_t verify_lost_to_damage(struct verify *v);
/*
 * For verify_log(): note a copy that a revoke may have made void.  It looks at
 * mapping *@near first, and leaves the next one there.
 */
errcode_t relogged_note(struct verify *v, const struct e2lazy_event *ev,
			size_t *near);
/* Does a live copy equal the last void one?  @blocks has room for two. */
bool relogged_is(const struct verify *v, size_t index,
		 const struct e2lazy_copy *live, uint8_t *blocks);

/*
 * For verify_mapping(): was the block contents of its present owner when the
 * copy was logged?  False if the log does not tell.
 */
bool held_then(struct verify *v, const struct e2lazy_owner *owner,
	       const struct e2lazy_copy *copy);
/*
 * Did its owner get the block in the copy's own transaction, as the first one of
 * a file that grows out of its inode (inline_data)?
 */
bool grew_then(struct verify *v, const struct e2lazy_owner *owner,
	       const struct e2lazy_copy *copy);
void held_then_free(struct verify *v);
/* Have @versions been built, or can they be, and do they have a copy? */
bool verify_has_versions(struct verify *v);

/* For verify_copies(): note a bad live copy; then, find their older copies. */
errcode_t verify_note_bad(struct verify *v, const struct e2lazy_copy *copy,
			  errcode_t error);
errcode_t verify_older(struct verify *v);
/* Would the copy overwrite a file's contents?  @block: its unescaped bytes. */
void verify_role(struct verify *v, const struct e2lazy_copy *copy,
		 const uint8_t *block);

/* For verify_copies(): the content of sound live copy @index. */
void verify_content(struct verify *v, size_t index,
		    const struct e2lazy_copy *copy, uint8_t *block);
errcode_t verify_descriptors(struct verify *v);

#endif
