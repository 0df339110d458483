/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * follow.h - what happens to the files of a mounted file system
 *
 * A step for each transaction that the kernel commits, as soon as it has: see
 * feed.h for how it is read, and known.h for what was before.  Nothing is written,
 * and no direct read leaves the log.
 */
#ifndef E2LAZY_CHANGES_FOLLOW_H
#define E2LAZY_CHANGES_FOLLOW_H

#include "changes.h"
#include "feed.h"

struct follow;

struct follow_opts {
	/* A non-zero return ends the call and is returned.  A change without
	   @before, where a file was there before, is one whose state before is
	   unknown; there @kind is CHANGED, and @path perhaps a directory
	   whose names may have changed. */
	errcode_t	(*found)(void *priv, const struct e2lazy_change *);
	/* May be NULL.  A block could not be read: changes are left out. */
	errcode_t	(*damaged)(void *priv, blk64_t fsblk, errcode_t why);
	void		*priv;
	uint64_t	memory;		/* bytes for blocks, at most */
	const struct e2lazy_watch *watch;	/* PHASE_DIRECTORIES */
};

enum follow_state {
	FOLLOW_TXN,		/* a transaction was told */
	FOLLOW_IDLE,		/* there is none yet */
	FOLLOW_LOST,		/* some were overwritten before they were read */
};

struct follow_batch {
	uint32_t	tid;		/* told; or the first that was lost, */
	uint32_t	last;		/* and the last */
};

/*
 * follow_open - begin at a place, or at the end of the log
 * @since: NULL: the end
 * @where: on failure the block that could not be read
 *
 * E2LAZY_ET_LOST if the ring does not have what follows @since any more.  Reads
 * all directories.  Memory: some 100 bytes and the name for each file, and
 * @opts->memory.
 */
errcode_t follow_open(struct e2lazy_journal *journal,
		      const struct follow_opts *opts,
		      const struct feed_place *since, struct follow **out,
		      struct e2lazy_where *where);
void follow_close(struct follow *follow);
/* The next transaction, if there is one; it does not wait. */
errcode_t follow_next(struct follow *follow, enum follow_state *state,
		      struct follow_batch *batch);
/* Behind the last transaction that was told. */
void follow_where(const struct follow *follow, struct feed_place *place);
/* All paths of a file. */
errcode_t follow_paths(struct follow *follow, ext2_ino_t ino,
		       errcode_t (*found)(void *priv, const char *path),
		       void *priv);
bool follow_is_directory(struct follow *follow, ext2_ino_t ino);
/* Everything below a directory, as a path from there on. */
errcode_t follow_below(struct follow *follow, ext2_ino_t dir,
		       errcode_t (*found)(void *priv, const char *path),
		       void *priv);

#endif
