/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * saved.h - a file that a program makes for its user
 *
 * The name may be a slip, and lead to a disk or to an image of one.  So the
 * file grows beside it under another name, and replaces only a regular file
 * that is empty or begins as one made before (io/file_kind.h).  output.h has the
 * rule for its place.
 */
#ifndef SUPPORT_SAVED_H
#define SUPPORT_SAVED_H

#include <stdbool.h>

#include "out.h"
#include "output.h"

struct saved {
	const char	*name;		/* the user's; "-": standard output */
	struct output	place;		/* closed: standard output */
	char		*growing;	/* its name until it is whole */
	struct out	out;
};

/*
 * Give up all rights to write but in the directory of @name (confine.h): NULL or
 * "-" has none.  Before the first thread.
 */
void saved_confine(const char *name);
/*
 * saved_begin - begin the file @name, or go to standard output for "-"
 * @begins: the first bytes of each file of this kind
 *
 * False after a complaint.
 */
bool saved_begin(struct saved *saved, const char *name, const char *begins);
/*
 * End the file: it gets its name if @keep, and goes otherwise.  False after a
 * complaint: it is not there, and one that was is as before.
 */
bool saved_end(struct saved *saved, bool keep);

#endif
