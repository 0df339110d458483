/* SPDX-License-Identifier: GPL-2.0-only */
/* path.h - timeline --path: the events of a path, and a path that is none */
#ifndef MISC_CHANGES_PATH_H
#define MISC_CHANGES_PATH_H

#include "e2lazy_changes.h"
#include "session/session.h"

/* Does the path after the event, or the one before a renaming, match? */
bool path_matches(const char *glob, const struct e2lazy_change *change);
/* The same, or does the event take away a directory above? */
bool path_is_told(const char *glob, const struct e2lazy_change *change);
/*
 * Complain if @glob is a path that neither the file system nor an event of the
 * ring has; no event of the session's stretch has it.
 */
void path_tell_unknown(struct session *session, const char *glob);

#endif
