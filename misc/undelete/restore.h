/* SPDX-License-Identifier: GPL-2.0-only */
/* restore.h - what is asked of a directory before files are made in it */
#ifndef MISC_UNDELETE_RESTORE_H
#define MISC_UNDELETE_RESTORE_H

#include "undelete.h"

/*
 * Open the directory @to; make it if it is missing and the one above is there,
 * on another device than the operand.  -1 after a complaint, or if there is no
 * such device.
 */
int target_directory(struct session *s, const char *to);
/*
 * Is the directory @fd on another device than that of the session, and is
 * that one left alone?  False after a complaint.  *@frozen: it is mounted
 * read-write, and frozen.
 */
bool target_is_apart(struct session *s, const char *to, int fd, bool *frozen);
/* Has nobody changed the superblocks, as a thaw does? */
bool device_still_frozen(struct session *s);

#endif
