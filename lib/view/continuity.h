/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* continuity.h - do later transactions continue the inodes of earlier ones? */
#ifndef E2LAZY_CONTINUITY_H
#define E2LAZY_CONTINUITY_H

#include "e2lazy_view.h"
#include "map/versions.h"

/* A run of transactions, up to the next one's. */
struct continuity {
	uint32_t	first;		/* moment, not 0 */
	bool		continues;	/* an inode proves it */
	bool		goes_back;	/* i_version of such an inode is lower
					   than in the copy before */
	uint32_t	replaced;	/* inodes that hold another file; counted
					   only while @continues is false */
};

struct continuity_search {
	const struct versions *versions;	/* of the log */
	struct e2lazy_layout *layout;
	uint64_t	made;		/* s_mkfs_time */
	struct continuity *runs;	/* @first ascends */
	size_t		nr_runs;
	errcode_t	(*tick)(void *priv);	/* a non-zero return ends it */
	void		*priv;
};

/*
 * continuity_find - fill @continues and @replaced of each run
 *
 * Compare each copy of an inode table block with the newest copy before its
 * run, or with the static block.
 */
errcode_t continuity_find(struct continuity_search *search);

#endif
