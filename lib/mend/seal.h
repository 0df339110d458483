/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* seal.h - follow a table of writes and flushes */
#ifndef E2LAZY_SEAL_H
#define E2LAZY_SEAL_H

#include "e2lazy_mend.h"

struct target;

/* The state of the devices. */
enum seal_outcome {
	SEAL_REDO,		/* the log can redo everything */
	SEAL_HOME,		/* each block is in place; the log may or may
				   not be empty */
	SEAL_DONE,		/* all steps are done */
};

/* A step writes one block, or many, or none; then it may flush. */
struct seal_step {
	bool		skip;		/* not needed this time */
	bool		log_device;	/* on the external journal, if there is
					   one; else on the file system */
	/* One block: fill @bytes, which then go to @block. */
	errcode_t	(*make)(void *priv, uint8_t *bytes);
	blk64_t		block;
	/* Many blocks: write them; set the target's @begun first. */
	errcode_t	(*write)(void *priv);
	void		*priv;		/* for @make or @write */
	bool		flush;		/* flush the device afterwards */
	enum seal_outcome outcome;	/* if this step fails */
};

#define SEAL_MOST_STEPS	9

struct seal_table {
	struct seal_step steps[SEAL_MOST_STEPS];
	unsigned	count;
};

/*
 * Take each step of @table in turn, up to the first that fails.  Sets the
 * target's @begun and @outcome.  On failure @where has the block; a step with
 * @write reports its blocks itself.
 */
errcode_t seal_follow(struct target *target, const struct seal_table *table,
		      struct e2lazy_where *where);

#endif
