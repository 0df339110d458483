/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - for the files with the rows of the table, and the texts that they share
 *
 * An advice is a clause, which a program can put after a colon or semicolon.
 */
#ifndef MISC_STATES_ROWS_H
#define MISC_STATES_ROWS_H

#include "conditions.h"
#include "facts/hazard.h"
#include "states.h"
#include "support/nls.h"
#include "verify/problem.h"

/* The facts of the library about it. */
#define PROBLEM(number)	&problem_table[PROBLEM_##number]

/* What a program sees that the library does not find. */
#define OWN(id, severity, consent, status)				\
	&(const struct e2lazy_problem){ id, E2LAZY_##severity,		\
					E2LAZY_##consent, E2LAZY_##status }

/* Each ends with a row of zeros. */
extern const struct diagnosis device_states[];
extern const struct diagnosis journal_states[];
extern const struct diagnosis log_states[];
extern const struct diagnosis fast_states[];
extern const struct diagnosis copies_states[];
extern const struct diagnosis other_states[];
extern const struct diagnosis notes_states[];

#define ALL_TOOLS	((1U << NR_TOOLS) - 1)

#define COPY_BOTH	STEP_COPY, STEP_COPY_JOURNAL
#define RESTORE		STEP_RESTORE_PLAN, STEP_RESTORE
#define SAVE_LOG	COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW_WRITTEN, \
			STEP_UNTIL, STEP_PLAN, STEP_WRITE_BACK, STEP_CHECK
#define SAVE_RING	COPY_BOTH, STEP_SAVE_RING, STEP_SALVAGE, \
			STEP_CARVE_EMPTY, STEP_FILES, STEP_VIEW_SALVAGED, \
			STEP_VIEW_CARVED_EMPTY, STEP_UNDELETE_SALVAGED, RESTORE, \
			STEP_WRITE_BACK, STEP_CHECK
#define CARVE		STEP_COPY, STEP_CARVE, STEP_FILES, STEP_VIEW_CARVED, \
			STEP_UNDELETE_CARVED

/* The question about a log that breaks off, whatever broke it. */
#define GIVE_UP_THE_REST \
	N_("Write back the sound part of the log, and drop the rest?")
#define WRITE_AS_LOGGED \
	N_("Write these blocks in place as they were logged?")
#define RUN_E2FSCK \
	N_("A kernel refuses to use a block that fails its checksum.  The " \
	   "static block may be older and sound: copy the device before a " \
	   "checkpoint overwrites it.  Run e2fsck -f after the log is " \
	   "written back.")
#define JOURNAL_NOT_FOUND \
	N_("Neither the inode nor the superblock's backup of it locates the " \
	   "log.  e2fsck, even with -p as at boot, deletes such a journal " \
	   "and makes a new one: the whole log is lost, and its blocks " \
	   "become free.  A kernel refuses to mount the file system.  If " \
	   "only the inode's size is wrong, a kernel or e2fsck may replay " \
	   "the log instead.  Copy the device first.  Most likely the log is " \
	   "still in its blocks; each of them is a jbd2 block or a copy.")
#define JOURNAL_SUPER_CORRUPT \
	N_("The start and the format of the log are unknown, so nothing of " \
	   "it can be written back.  e2fsck calls the superblock corrupt " \
	   "and, even with -p as at boot, writes a new one: it drops the " \
	   "whole log and prints only two lines.  Copy the device first: " \
	   "the log after the superblock may be whole.  After e2fsck -f the " \
	   "file system is consistent at best, and as old as its static " \
	   "blocks.")
#define LOOK_AT_HISTORY \
	N_("do not replay it; look at it with e2lazy view --history")
#define COPY_DEVICE \
	N_("copy the device before anything replays or checks it")
#define COPY_AND_CHECK \
	N_("copy the device, write the log back, then run e2fsck -f")
#define WRITE_AND_CHECK \
	N_("write the log back, then run e2fsck -f")
#define NAME_JOURNAL \
	N_("name the right device with --journal")
#define LOOK_FOR_REST \
	N_("find the missing part before you write anything")
#define MAKE_ROOM \
	N_("write the log back, or make the journal larger")
#define USE_E2LAZYCK \
	N_("write the log back with e2lazyck, not with a kernel or e2fsck")
#define USE_E2LAZYCK_FIRST \
	N_("write the log back before e2fsck or tune2fs runs")
#define WRITE_BACK_HERE \
	N_("write the log back with e2lazyck; e2fsck -p, tune2fs and debugfs " \
	   "lose blocks")

#endif
