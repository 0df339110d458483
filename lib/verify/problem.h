/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* problem.h - the problems that a search can find, a row for each */
#ifndef E2LAZY_PROBLEM_H
#define E2LAZY_PROBLEM_H

#include "e2lazy_verify.h"

/*
 * Ids are part of the output contract.  A checkpoint goes on by itself if it
 * makes nothing worse.  It asks if a block would end up older than it could be,
 * or with wrong content.  It refuses if it would lose data that it cannot see.
 *
 *	number, id, severity, consent, status, and what else is not zero
 */
#define PROBLEMS(P)							\
	/* grave: the journal's own superblock and its place */		\
	P(JOURNAL_AMBIGUOUS, "journal-ambiguous", GRAVE, REFUSE,	\
	  E2LAZY_UNUSABLE)						\
	P(JOURNAL_INODE, "journal-inode", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	P(JOURNAL_MAP, "journal-map", GRAVE, REFUSE, E2LAZY_UNUSABLE)	\
	P(JOURNAL_CUT_OFF, "journal-cut-off", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	P(EXTERNAL_MAGIC, "external-magic", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	P(EXTERNAL_CSUM, "external-csum", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	P(EXTERNAL_FOREIGN, "external-foreign", GRAVE, REFUSE,		\
	  E2LAZY_UNUSABLE)						\
	P(EXTERNAL_NOT_USER, "external-not-user", GRAVE, REFUSE,	\
	  E2LAZY_UNUSABLE)						\
	P(EXTERNAL_USERS_LOST, "external-users-lost", GRAVE, ASK,	\
	  E2LAZY_DAMAGED)						\
	P(JOURNAL_SUPER_MAGIC, "journal-super-magic", GRAVE, REFUSE,	\
	  E2LAZY_UNUSABLE)						\
	P(JOURNAL_SUPER_CSUM, "journal-super-csum", GRAVE, REFUSE,	\
	  E2LAZY_UNUSABLE)						\
	P(JOURNAL_FEATURES, "journal-features", GRAVE, REFUSE,		\
	  E2LAZY_UNUSABLE)						\
	P(JOURNAL_CSUM_TYPE, "journal-csum-type", GRAVE, REFUSE,	\
	  E2LAZY_UNUSABLE)						\
	P(JOURNAL_BLOCK_SIZE, "journal-block-size", GRAVE, REFUSE,	\
	  E2LAZY_UNUSABLE)						\
	P(JOURNAL_SHORT, "journal-short", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	P(JOURNAL_FAST_COMMIT, "journal-fast-commit", GRAVE, REFUSE,	\
	  E2LAZY_UNUSABLE)						\
	P(JOURNAL_FIRST, "journal-first", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	P(JOURNAL_START, "journal-start", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	/* grave: the state of the whole */				\
	P(WIPED_ON_MOUNT, "wiped-on-mount", GRAVE, GO,			\
	  E2LAZY_DAMAGED, .mended = true)				\
	P(FAST_COMMITS_VALID, "fast-commits-valid", GRAVE, GO,		\
	  E2LAZY_SOUND_IN_USE, .mended = true)				\
	P(FAST_COMMITS_UNFINISHED, "fast-commits-unfinished", GRAVE, GO, \
	  E2LAZY_SOUND_IN_USE, .mended = true)				\
	P(FAST_COMMITS_UNKNOWN, "fast-commits-unknown", GRAVE, ASK,	\
	  E2LAZY_DAMAGED)						\
	P(FAST_COMMITS_LATER, "fast-commits-later", GRAVE, ASK,		\
	  E2LAZY_DAMAGED)						\
	P(FAST_COMMITS_REFUSED, "fast-commits-refused", GRAVE, REFUSE,	\
	  E2LAZY_UNUSABLE)						\
	P(FAST_COMMITS_CUT, "fast-commits-cut", GRAVE, ASK, E2LAZY_DAMAGED) \
	P(SUPER_FOREIGN, "super-foreign", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	P(DEVICE_SHORT, "device-short", GRAVE, ASK,			\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_LEAVE_OUT)		\
	P(JOURNAL_INODE_LOST, "journal-inode-lost", GRAVE, GO, E2LAZY_DAMAGED) \
	P(FAST_COMMIT_WRAPPED, "fast-commit-wrapped", GRAVE, GO,	\
	  E2LAZY_SOUND_IN_USE, .mended = true)				\
	/* grave: only for a restore of the log */			\
	P(NEWER_IN_RING, "newer-in-ring", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	P(LATER_MOUNT, "later-mount", GRAVE, REFUSE, E2LAZY_UNUSABLE)	\
	P(LATER_CHECK, "later-check", GRAVE, REFUSE, E2LAZY_UNUSABLE)	\
	P(LATER_INODE, "later-inode", GRAVE, REFUSE, E2LAZY_UNUSABLE)	\
	P(LATER_WRITE, "later-write", GRAVE, ASK, E2LAZY_DAMAGED)	\
	P(BEGIN_UNKNOWN, "begin-unknown", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	/* grave: only for a checkpoint that drops the last transactions */ \
	P(DROPPED_IN_PLACE, "dropped-in-place", GRAVE, REFUSE,		\
	  E2LAZY_UNUSABLE)						\
	P(DROPPED_UNKNOWN, "dropped-unknown", GRAVE, REFUSE, E2LAZY_UNUSABLE) \
	P(DROPPED_FREED_UNKNOWN, "dropped-freed-unknown", GRAVE, ASK,	\
	  E2LAZY_DAMAGED)						\
	P(DROPPED_FREED, "dropped-freed", GRAVE, ASK, E2LAZY_DAMAGED)	\
	P(DROPPED_NOT_PROVEN, "dropped-not-proven", GRAVE, ASK,		\
	  E2LAZY_DAMAGED)						\
	P(DROPPED, "dropped-transactions", GRAVE, ASK,			\
	  E2LAZY_DAMAGED, .mended = true)				\
	/* grave: the rest of the log */				\
	P(DAMAGED, "damaged", GRAVE, GO, E2LAZY_DAMAGED)		\
	/* grave: the log breaks off; the blocks that are lost come first */ \
	P(GIVEN_UP, "given-up", GRAVE, ASK, E2LAZY_DAMAGED)		\
	P(REVOKE_GIVEN_UP, "revoke-given-up", GRAVE, ASK,		\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	P(UNREADABLE, "unreadable", GRAVE, ASK,				\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_LEAVE_OUT)		\
	P(JOURNAL_DEVICE_SHORT, "journal-device-short", GRAVE, ASK,	\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_LEAVE_OUT)		\
	P(BLOCK_CSUM, "block-csum", GRAVE, ASK, E2LAZY_DAMAGED)		\
	P(COMMIT_CSUM, "commit-csum", GRAVE, ASK, E2LAZY_DAMAGED)	\
	P(TAG_RECOVERED, "tag-recovered", GRAVE, ASK,			\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE, .mended = true) \
	P(TAG_LOST, "tag-lost", GRAVE, GO, E2LAZY_DAMAGED)		\
	P(REVOKE_COUNT, "revoke-count", GRAVE, ASK, E2LAZY_DAMAGED)	\
	P(BLOCK_TYPE, "block-type", GRAVE, ASK, E2LAZY_DAMAGED)		\
	P(LATER_TRANSACTIONS, "later-transactions", GRAVE, ASK,		\
	  E2LAZY_DAMAGED)						\
	P(PLACE_NEWER, "place-newer", GRAVE, REFUSE, E2LAZY_UNUSABLE)	\
	P(TAIL_CONTRADICTED, "tail-contradicted", GRAVE, ASK, E2LAZY_DAMAGED) \
	P(COMMIT_BEFORE_MKFS, "commit-before-mkfs", GRAVE, ASK,		\
	  E2LAZY_DAMAGED)						\
	P(REPLAYED_BEFORE, "replayed-before", GRAVE, ASK, E2LAZY_DAMAGED) \
	P(RING_CONTRADICTED, "ring-contradicted", GRAVE, ASK, E2LAZY_DAMAGED) \
	/* grave: single copies */					\
	P(OLDER_COPY, "older-copy", GRAVE, ASK,				\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_OLDER_COPY,		\
	  .otherwise = E2LAZY_EFFECT_LEAVE_OUT)				\
	P(DATA_CSUM, "data-csum", GRAVE, ASK,				\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_LEAVE_OUT)		\
	P(COPY_OF_DATA, "copy-of-data", GRAVE, ASK,			\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_LEAVE_OUT,		\
	  .otherwise = E2LAZY_EFFECT_WRITE, .mended = true)		\
	P(DATA_BEFORE_LAZY, "data-before-lazy", GRAVE, ASK,		\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_LEAVE_OUT,		\
	  .otherwise = E2LAZY_EFFECT_WRITE, .mended = true)		\
	P(DATA_BEFORE_DAMAGE, "data-before-damage", GRAVE, ASK,		\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_LEAVE_OUT,		\
	  .otherwise = E2LAZY_EFFECT_WRITE, .mended = true)		\
	P(DUPLICATE_TAG, "duplicate-tag", GRAVE, ASK, E2LAZY_DAMAGED)	\
	P(LOST_ESCAPE, "lost-escape", GRAVE, ASK,			\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	P(TAG_OUTSIDE, "tag-outside", GRAVE, ASK, E2LAZY_DAMAGED)	\
	P(TAG_IN_JOURNAL, "tag-in-journal", GRAVE, ASK, E2LAZY_DAMAGED)	\
	P(TAG_CONTRADICTED, "tag-contradicted", GRAVE, ASK,		\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE,		\
	  .otherwise = E2LAZY_EFFECT_LEAVE_OUT)				\
	/* grave: the content of copies */				\
	P(SUPER_CSUM, "super-csum", GRAVE, REFUSE, E2LAZY_UNUSABLE)	\
	P(SUPER_CONTRADICTED, "super-contradicted", GRAVE, ASK,		\
	  E2LAZY_DAMAGED, .mended = true)				\
	P(DESC_CSUM, "desc-csum", GRAVE, ASK,				\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	P(BLOCK_BITMAP_CSUM, "block-bitmap-csum", GRAVE, ASK,		\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	P(INODE_BITMAP_CSUM, "inode-bitmap-csum", GRAVE, ASK,		\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	P(INODE_CSUM, "inode-csum", GRAVE, ASK,				\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	P(DIRECTORY_CSUM, "directory-csum", GRAVE, ASK,			\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	P(HTREE_CSUM, "htree-csum", GRAVE, ASK,				\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	P(EXTENT_CSUM, "extent-csum", GRAVE, ASK,			\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	P(XATTR_CSUM, "xattr-csum", GRAVE, ASK,				\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	/* warnings */							\
	P(DISCARDED_LOG, "discarded-log", WARNING, GO, E2LAZY_DAMAGED)	\
	P(BEHIND_DAMAGE, "behind-damage", WARNING, GO, E2LAZY_DAMAGED)	\
	P(NEWER_IN_PLACE, "newer-in-place", WARNING, GO,		\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_LEAVE_OUT, .mended = true) \
	P(BAD_COPY_AT_HOME, "bad-copy-at-home", WARNING, GO,		\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_LEAVE_OUT, .mended = true) \
	P(SUPER_TORN, "super-torn", WARNING, GO,			\
	  E2LAZY_DAMAGED, .mended = true)				\
	P(SUPERSEDED_CSUM, "superseded-csum", WARNING, GO,		\
	  E2LAZY_DAMAGED, .mended = true)				\
	P(OWNERS_UNKNOWN, "owners-unknown", WARNING, ASK, E2LAZY_DAMAGED) \
	P(DELETED_TAG, "deleted-tag", WARNING, ASK,			\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE)		\
	P(TAG_NOT_PROVEN, "tag-not-proven", WARNING, ASK,		\
	  E2LAZY_DAMAGED, .effect = E2LAZY_EFFECT_WRITE,		\
	  .otherwise = E2LAZY_EFFECT_LEAVE_OUT, .mended = true)		\
	P(RELOGGED, "relogged-after-revoke", WARNING, GO,		\
	  E2LAZY_DAMAGED, .mended = true)				\
	P(BITMAP_COUNT, "bitmap-count", WARNING, GO, E2LAZY_DAMAGED)	\
	P(ERRNO, "errno", WARNING, GO, E2LAZY_DAMAGED)			\
	P(FULL, "full", WARNING, GO, E2LAZY_SOUND_IN_USE, .mended = true) \
	P(FAST_COMMITS_STALE, "fast-commits-stale", WARNING, GO,	\
	  E2LAZY_SOUND_IN_USE, .mended = true)				\
	P(FAST_COMMIT, "fast-commit", WARNING, GO, E2LAZY_SOUND_IN_USE)	\
	P(MOUNTED, "mounted", WARNING, GO, E2LAZY_SOUND_IN_USE)		\
	P(CROWDED, "crowded", WARNING, GO,				\
	  E2LAZY_SOUND_IN_USE, .mended = true)				\
	P(EMPTIED_BY_TOOLS, "emptied-by-tools", WARNING, GO,		\
	  E2LAZY_SOUND_IN_USE)						\
	/* notes */							\
	P(TORN_COMMIT, "torn-commit", NOTE, GO, E2LAZY_CLEAN)		\
	P(UNCOMMITTED_TAIL, "uncommitted-tail", NOTE, GO, E2LAZY_CLEAN)	\
	P(END_NOT_PROVEN, "end-not-proven", NOTE, GO, E2LAZY_CLEAN)	\
	P(RECOVERY_OF_NOTHING, "recovery-of-nothing", NOTE, GO, E2LAZY_CLEAN) \
	P(SUPERBLOCK_NEWER, "superblock-newer", NOTE, GO, E2LAZY_CLEAN)	\
	P(JOURNAL_UUID, "journal-uuid", NOTE, GO, E2LAZY_CLEAN)		\
	P(JOURNAL_USERS, "journal-users", NOTE, GO, E2LAZY_CLEAN)	\
	P(TIMES_GO_BACK, "times-go-back", NOTE, GO, E2LAZY_CLEAN)	\
	P(TAG_ON_BACKUP, "tag-on-backup", NOTE, GO, E2LAZY_CLEAN)	\
	P(COPY_OF_FREE, "copy-of-free", NOTE, GO, E2LAZY_CLEAN)		\
	P(JOURNALED_DATA, "journaled-data", NOTE, GO, E2LAZY_CLEAN)	\
	P(ORPHANS, "orphans", NOTE, GO, E2LAZY_CLEAN)			\
	P(STATIC_STALE, "static-stale", NOTE, GO, E2LAZY_CLEAN)

enum problem {
#define PROBLEM_NUMBER(number, ...) PROBLEM_##number,
	PROBLEMS(PROBLEM_NUMBER)
#undef PROBLEM_NUMBER
	NR_PROBLEMS
};

extern const struct e2lazy_problem problem_table[NR_PROBLEMS];

/* The problem that an error of the library stands for, or NR_PROBLEMS. */
enum problem problem_of(errcode_t error);

#endif
