/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* seal.h - a table of writes and flushes, and the one that follows it */
#ifndef E2LAZY_SEAL_H
#define E2LAZY_SEAL_H

#include "e2lazy_mend.h"

struct target;

/* What stands on the devices. */
enum seal_outcome {
	SEAL_REDO,		/* the log can redo everything */
	SEAL_HOME,		/* each block is in place, whether or not the
				   log is empty */
	SEAL_DONE,		/* no step is left */
};

/* Either one block or many are written, or none; then a flush may follow. */
struct seal_step {
	bool		skip;		/* it is not needed this time */
	bool		log_device;	/* of an external journal; else that of
					   the file system */
	/* One block: this fills in what is then written to @block. */
	errcode_t	(*make)(void *priv, uint8_t *bytes);
	blk64_t		block;
	/* Many blocks: this writes them, and sets the target's @begun before. */
	errcode_t	(*write)(void *priv);
	void		*priv;		/* of either */
	bool		flush;		/* all that was written to the device */
	enum seal_outcome outcome;	/* if this step fails */
};

#define SEAL_MOST_STEPS	8

struct seal_table {
	struct seal_step steps[SEAL_MOST_STEPS];
	unsigned	count;
};

/*
 * Take each step of @table in turn, up to the first that fails.  The target's
 * @begun and @outcome say how far that went, and @where which block it was, but
 * for a step that writes many: it tells that itself.
 */
errcode_t seal_follow(struct target *target, const struct seal_table *table,
		      struct e2lazy_where *where);

#endif
