/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_watch.h - libe2lazy: watch a long call, and stop it
 */
#ifndef E2LAZY_WATCH_H
#define E2LAZY_WATCH_H

#include <stdint.h>

#include <ext2fs/ext2fs.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The phases of a long call.  In one call a phase has one total, never goes
 * backwards, and does not come back.
 */
enum e2lazy_phase {
	E2LAZY_PHASE_WALK,	/* ring blocks walked; ends before the total */
	E2LAZY_PHASE_RING,	/* log blocks looked at: past the end,
					   or all of the ring */
	E2LAZY_PHASE_READ,	/* live copies read */
	E2LAZY_PHASE_INODES,	/* inodes searched for owned blocks */
	E2LAZY_PHASE_DIRECTORIES, /* directories read for names */
	E2LAZY_PHASE_VERIFY,	/* live copies verified */
	E2LAZY_PHASE_CONTENT,	/* live blocks judged */
	E2LAZY_PHASE_SUPERSEDED, /* superseded copies verified */
	E2LAZY_PHASE_TXNS,	/* transactions verified */
	E2LAZY_PHASE_ROLES,	/* live blocks compared with their owners */
	E2LAZY_PHASE_ESCAPES,	/* older escaped copies compared */
	E2LAZY_PHASE_IN_PLACE,	/* copies compared with static blocks */
	E2LAZY_PHASE_HOME,	/* live copies compared with home */
	E2LAZY_PHASE_KEEP,	/* mappings given to the keeper */
	E2LAZY_PHASE_WRITE,	/* static blocks written */
	E2LAZY_PHASE_COMPARE,	/* static blocks read back */
	E2LAZY_PHASE_CARVE,	/* device blocks searched for a log */
	E2LAZY_PHASE_SURVEY,	/* log blocks read for their form */
	E2LAZY_NR_PHASES
};

/*
 * Callbacks of a long call.  A non-zero return of either ends the call and is
 * returned.  A checkpoint may have written blocks by then; its log stays whole.
 */
struct e2lazy_watch {
	/* May be NULL.  Called from time to time. */
	errcode_t	(*progress)(void *priv, enum e2lazy_phase phase,
				    uint64_t done, uint64_t total);
	/* May be NULL.  Called before each call of @progress, and during work
	   without a count.  Return E2LAZY_ET_CANCELLED to stop. */
	errcode_t	(*stop)(void *priv);
	void		*priv;
};

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_WATCH_H */
