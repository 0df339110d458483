/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trust.h - names that only root and this user can redirect
 *
 * The check follows a name component by component, with symbolic links.  Root
 * or this user must own each component, and nobody else may write to it, except
 * to a sticky directory such as /tmp.  Then nobody else can put another file
 * there, now or later.
 */
#ifndef SUPPORT_TRUST_H
#define SUPPORT_TRUST_H

#include <stdbool.h>

/*
 * trusted_path - resolve @path, if nobody else can redirect it
 * @out: on success the name without links, on EPERM the directory or file that
 *       others can change, else NULL; the caller frees it
 *
 * Returns 0 or an errno.  For a user other than root, the user's own group may
 * write to a directory.
 */
int trusted_path(const char *path, char **out);

/*
 * believed_path - resolve a path that @subject names; root needs a trusted one
 * @out: the caller frees it
 *
 * False after a complaint.
 */
bool believed_path(const char *subject, const char *path, char **out);

/*
 * believed_above - resolve the directory of @name in the same way
 *
 * Without a slash it is the current directory, which no path leads to: then only
 * its own owner and mode count.
 */
bool believed_above(const char *name, char **out);

/*
 * Has no other user put there what is in the open directory @dir under @name?  Root
 * asks for its owner, because a device such as /dev/full is open to all.
 */
bool believed_entry(const char *subject, int dir, const char *name);

/*
 * believed_link - the same for a file that is to be written to, if @name is a
 *		   link
 * @out: the place to which it leads; a copy of @name if it is no link, or if
 *       nothing is there.  The caller frees it
 */
bool believed_link(const char *name, char **out);

/*
 * The same for an environment variable; @out is NULL if it is unset or empty.
 */
bool environment_path(const char *variable, char **out);

#endif
