/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach.h - mounts a file on a directory that a descriptor holds
 */
#ifndef MISC_VIEW_ATTACH_H
#define MISC_VIEW_ATTACH_H

#include <stdbool.h>

#define ATTACHED_TEXT	32

/*
 * Attach @file to a free loop device of that @name.  It detaches itself when the
 * descriptor that is returned, and each mount, are closed.  -1 after a complaint.
 */
int attach_file(const char *file, bool writable, char name[ATTACHED_TEXT]);
/*
 * Attach @file to a free loop device, and mount that on the directory @on.  The
 * loop device detaches itself when the mount ends.  @place: the name of @on,
 * for messages.  False after a complaint.
 */
bool attach_and_mount(const char *file, bool writable, int on,
		      const char *place);

#endif
