/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - how the user says which device is to be opened, and how much of
 * its log counts: options of the commands, parameters of nbdkit's plugin
 */
#ifndef MISC_SOURCE_H
#define MISC_SOURCE_H

#include "opened.h"

struct source {
	struct e2lazy_open_opts open;
	bool		writes;		/* its name must be one device's
					   alone */
	struct limits	limits;
};

/* Is @name one of journal, superblock, blocksize, offset and until-tid? */
bool source_knows(const char *name);
/*
 * Take @text, which stays, as the value of one of these.  Returns what it
 * should have been, not yet translated; NULL: it is.
 */
const char *source_take(struct source *source, const char *name,
			const char *text);

#endif
