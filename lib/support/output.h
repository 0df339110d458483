/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - where a program makes a file for its user
 *
 * One rule for each file and directory that a user names for output, except an
 * undo file, whose own rule is the same and stricter (misc/check/undo_file.c):
 *
 *   - Root writes only where nobody else can redirect the path (trust.h).  It
 *     follows a link only if root or this user made it, in such a place.
 *   - The directory is opened once.  The file is made in it, by O_EXCL or under
 *     O_NOFOLLOW, and gets its name there: what another user puts under that
 *     name, as anybody can in /tmp, is not followed.
 */
#ifndef SUPPORT_OUTPUT_H
#define SUPPORT_OUTPUT_H

#include <stdbool.h>

struct output {
	int		dir;		/* open, for openat() alone; -1: none */
	char		*path;		/* the file's, without links */
	const char	*name;		/* the last part of @path */
};

/*
 * Find the directory of the file @name, and its name there.  False after a
 * complaint; otherwise output_close() ends it.
 */
bool output_find(struct output *output, const char *name);
/* The same for a file that does not take the place of what a link leads to. */
bool output_find_new(struct output *output, const char *name);
void output_close(struct output *output);
/*
 * May the output @name go into what is there?  No if anybody but root and this
 * user has put it there.  False after a complaint.
 */
bool output_is_ours(const struct output *output, const char *name);
/*
 * Open the directory @name, in which files are made, for reading.  -1 after a
 * complaint.
 */
int output_directory(const char *name);

#endif
