/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* mend.h - what the files of lib/mend share */
#ifndef E2LAZY_MEND_INTERNAL_H
#define E2LAZY_MEND_INTERNAL_H

#include "e2lazy_mend.h"
#include "seal.h"

/* The devices of a file system, opened for writing. */
struct target {
	ext2_filsys	fs;
	ext2_filsys	jfs;		/* external journal, or NULL */
	int		locks[2];	/* flocked, -1: none */
	bool		threads;	/* may write to @fs at once */
	bool		cached;		/* @fs is behind the page cache */
	bool		begun;		/* something may have been written */
	enum seal_outcome outcome;	/* by seal.c */
};

/* Which of the two devices @fs is. */
static inline enum e2lazy_volume target_volume(const struct target *target,
					       ext2_filsys fs)
{
	return fs == target->jfs ? E2LAZY_JOURNAL : E2LAZY_FILE_SYSTEM;
}

/*
 * Open what @view looks at for writing: through the descriptors it was judged
 * by, exclusively, locked, with MMP obeyed and held, and only if it is unchanged
 * as e2lazy_unchanged() has it.  @where->volume is the one that refused; on
 * success that of the file system.
 */
errcode_t target_open(struct target *target, const struct e2lazy_view *view,
		      io_manager manager, struct e2lazy_where *where);
/*
 * Nothing but what was written to it is written at its end.  A manager may have
 * kept things to itself until then: the first error is returned, with the
 * device in @where, which may be NULL.
 */
errcode_t target_close(struct target *target, struct e2lazy_where *where);

/* What the superblock's block holds, as a checkpoint goes on. */
enum super_stage {
	SUPER_COPYING,		/* as long as copies are written */
	SUPER_HOME,		/* once all copies are in place */
	SUPER_END,		/* once the log is empty */
};

/* The whole block, as it will be written or, if it need not be, as it is. */
errcode_t checkpoint_super(const struct e2lazy_view *view,
			   enum super_stage stage, uint8_t *block);
/*
 * The table of a checkpoint.  @copy, called with @priv, writes the live copies
 * but for the superblock's; with a log that is empty there are none.
 */
void checkpoint_steps(struct e2lazy_view *view, errcode_t (*copy)(void *priv),
		      void *priv, struct seal_table *out);

#endif
