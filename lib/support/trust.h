/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trust.h - names that others than root and this user cannot turn elsewhere
 *
 * A name is followed component by component, symbolic links included.  Root
 * or this user must own each, and nobody else may write to it; a directory
 * that others may write to must be sticky, as /tmp.  Then nobody else can put
 * another file there, now or later.
 */
#ifndef SUPPORT_TRUST_H
#define SUPPORT_TRUST_H

#include <stdbool.h>

/*
 * trusted_path - resolve @path, if others cannot turn it elsewhere
 * @out: to be freed; on success the name without links, on EPERM the directory
 *       or file that others can change, else NULL
 *
 * Returns 0 or an errno.  To a user other than root, a directory's group may
 * write if it is the user's own.
 */
int trusted_path(const char *path, char **out);

/*
 * believed_path - resolve a path that @subject names; root takes trusted ones
 * @out: to be freed
 *
 * Returns false once it has complained.
 */
bool believed_path(const char *subject, const char *path, char **out);

/* The same of an environment variable; @out is NULL where that is unset or
   empty. */
bool environment_path(const char *variable, char **out);

#endif
