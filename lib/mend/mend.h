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
/*
 * Close the devices without writing anything more, except an MMP block.  A
 * manager may report a late error: the first one is returned, with the device
 * in @where, which may be NULL.
 */
errcode_t target_close(struct target *target, struct e2lazy_where *where);

/* The superblock during a checkpoint. */
enum super_stage {
	SUPER_COPYING,		/* while copies are written */
	SUPER_HOME,		/* after all copies are in place */
	SUPER_END,		/* after the log is empty */
};

/* The whole block at @stage; if the stage writes none, as it is on disk. */
errcode_t checkpoint_super(const struct e2lazy_view *view,
			   enum super_stage stage, uint8_t *block);
/*
 * The table of a checkpoint.  @copy is called with @priv and writes the live
 * copies, except the superblock's; an empty log has none.
 */
void checkpoint_steps(struct e2lazy_view *view, errcode_t (*copy)(void *priv),
		      void *priv, struct seal_table *out);

#endif
