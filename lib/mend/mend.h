/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* mend.h - shared by the files of lib/mend */
#ifndef E2LAZY_MEND_INTERNAL_H
#define E2LAZY_MEND_INTERNAL_H

#include "e2lazy_mend.h"
#include "seal.h"

/* The devices of a file system, opened for writing. */
struct target {
	ext2_filsys	fs;
	ext2_filsys	jfs;		/* external journal, or NULL */
	/* By volume, of a medium that is locked without a descriptor. */
	const struct e2lazy_medium_guard *guards[2];
	int		locks[2];	/* flocked descriptors; -1: none */
	bool		threads;	/* threads may write to @fs */
	bool		cached;		/* writes to @fs use the page cache */
	bool		begun;		/* a write has begun */
	enum seal_outcome outcome;	/* by seal.c */
};

static inline enum e2lazy_volume target_volume(const struct target *target,
					       ext2_filsys fs)
{
	return fs == target->jfs ? E2LAZY_JOURNAL : E2LAZY_FILE_SYSTEM;
}

/*
 * Open the devices of @view for writing: by the descriptors of its journal,
 * exclusively, under flock, and under MMP.  Both must be unchanged in the sense
 * of e2lazy_unchanged().  On failure @where->volume is the device that refused;
 * on success it is the file system's.
 */
errcode_t target_open(struct target *target, const struct e2lazy_view *view,
		      io_manager manager, struct e2lazy_where *where);
/* The same for a journal that was opened by a geometry. */
errcode_t target_open_given(struct target *target,
			    const struct e2lazy_view *view,
			    io_manager manager, struct e2lazy_where *where);
/*
 * Tell that the open target is locked, write, and close it, even after an
 * error.  The first error is returned.
 */
errcode_t target_write(struct target *t,
		       const struct e2lazy_checkpoint_opts *opts,
		       errcode_t (*write)(void *priv), void *priv,
		       struct e2lazy_where *where);
/*
 * Close the devices without writing anything more, except an MMP block.  A
 * manager may report a late error: the first one is returned, with the device
 * in @where, which may be NULL.
 */
errcode_t target_close(struct target *target, struct e2lazy_where *where);

/* tail.c: is the live copy of the superblock one of those before the tail? */
bool tail_frees_super(const struct e2lazy_view *view,
		      const struct e2lazy_tail *tail);
/* Does no problem ask or refuse?  Fast commits may wait. */
bool tail_is_sound(const struct e2lazy_verdict *verdict);
/* May the tail move there?  E2LAZY_ET_UNSOUND if the log has a problem. */
errcode_t tail_admits(const struct e2lazy_verdict *verdict,
		      const struct e2lazy_tail *tail);

/* The copies that a checkpoint writes: all, or those before a tail. */
struct part {
	const struct e2lazy_verdict *verdict;
	const struct e2lazy_tail *tail;		/* or NULL */
	const struct e2lazy_home *home;		/* or NULL */
	uint64_t	left_out;		/* by the verdict */
	uint64_t	in_place;		/* already */
};

/* For a schedule; @part is its own. */
bool part_skips(void *part, uint32_t slot, const struct e2lazy_copy *copy);

/*
 * home.c: the copies that a checkpoint need not write.  @io is that of the locked
 * device, past the page cache where that can be: the cache may have blocks that a
 * write has failed to bring to the device.
 */
errcode_t home_before_writing(const struct e2lazy_subject *subject,
			      io_channel io, const struct e2lazy_watch *watch,
			      struct e2lazy_home *out);

/* Set or clear needs_recovery in the superblock that @block holds. */
errcode_t super_mark(const struct e2lazy_journal *journal, uint8_t *block,
		     bool needs_recovery);

/*
 * Set needs_recovery in a copy of the superblock for the log, if it is clear.  A
 * replay writes the copy in place, and without the flag a crash then would lose
 * the rest of the log.
 */
errcode_t super_keep_flag(const struct e2lazy_journal *journal, uint8_t *block);

/* The superblock during a checkpoint. */
enum super_stage {
	SUPER_COPYING,		/* while copies are written */
	SUPER_HOME,		/* after all copies are in place */
	SUPER_END,		/* after the log is empty */
};

/* The whole block at @stage; if the stage writes none, as it is on disk. */
errcode_t checkpoint_super(const struct e2lazy_view *view,
			   enum super_stage stage, uint8_t *block);
/* The context of the steps in a table. */
struct steps {
	struct e2lazy_view *view;
	const struct e2lazy_tail *tail;		/* or NULL */
	bool		relogged;	/* the log has transactions of ours */
	blk64_t		area;		/* begin of a fast-commit area to clear;
					   0: it stays as it is */
	bool		drops;		/* the last transactions of the log: */
	uint32_t	first_dropped;	/* log block where they begin, and */
	blk64_t		first_at;	/* its place */
	/* Writes the live copies, except the superblock's. */
	errcode_t	(*copy)(void *priv);
	void		*priv;
};

/*
 * The table of a checkpoint, or of one that only moves the tail.  @steps must
 * outlive it.  An empty log has no copies.
 */
void checkpoint_steps(struct steps *steps, struct seal_table *out);
/* Set @steps->area if verdict_area_is_cleared(), for step_clear_area(). */
errcode_t steps_find_area(struct steps *steps,
			  const struct e2lazy_verdict *verdict, bool stays);
/* Set @steps->drops if the log goes on behind the map of the view. */
errcode_t steps_find_dropped(struct steps *steps);
/* Steps that the tables share: set needs_recovery if clear; clear @area; move
   the tail. */
struct seal_step step_announce(struct steps *steps);
struct seal_step step_clear_area(struct steps *steps);
struct seal_step step_shorten(struct steps *steps);

#endif
