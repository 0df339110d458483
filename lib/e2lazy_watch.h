/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_watch.h - libe2lazy: who watches a long call, and may end it
 */
#ifndef E2LAZY_WATCH_H
#define E2LAZY_WATCH_H

#include <stdint.h>

#include <ext2fs/ext2fs.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a long call tells of.  Each has one meaning and one total in a call,
 * never goes backwards, and does not come back.
 */
enum e2lazy_phase {
	E2LAZY_PHASE_WALK,	/* ring blocks walked, and at most to be */
	E2LAZY_PHASE_RING,	/* log blocks past the end looked at */
	E2LAZY_PHASE_READ,	/* live copies read */
	E2LAZY_PHASE_INODES,	/* inodes looked at, for what they own */
	E2LAZY_PHASE_DIRECTORIES, /* directories read, for their names */
	E2LAZY_PHASE_VERIFY,	/* live copies verified */
	E2LAZY_PHASE_CONTENT,	/* live blocks judged */
	E2LAZY_PHASE_SUPERSEDED, /* superseded copies verified */
	E2LAZY_PHASE_TXNS,	/* transactions gone through */
	E2LAZY_PHASE_ROLES,	/* live blocks held against their owners */
	E2LAZY_PHASE_ESCAPES,	/* older escaped copies compared */
	E2LAZY_PHASE_IN_PLACE,	/* copies compared with static blocks */
	E2LAZY_PHASE_HOME,	/* live copies looked for in place */
	E2LAZY_PHASE_KEEP,	/* mappings whose static blocks are kept */
	E2LAZY_PHASE_WRITE,	/* static blocks written */
	E2LAZY_PHASE_COMPARE,	/* static blocks read back */
	E2LAZY_NR_PHASES
};

/*
 * Who watches a long call; NULL for one that nobody watches.  A non-zero return
 * of either ends the call and is returned, with nothing half done.
 */
struct e2lazy_watch {
	/* May be NULL. Called now and then. */
	errcode_t	(*progress)(void *priv, enum e2lazy_phase phase,
				    uint64_t done, uint64_t total);
	/* May be NULL. Asked before each such call, and where nothing is
	   counted; E2LAZY_ET_CANCELLED is what to return. */
	errcode_t	(*stop)(void *priv);
	void		*priv;
};

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_WATCH_H */
