/* SPDX-License-Identifier: GPL-2.0-only */
/* attributes.h - owner, mode, times and extended attributes of what is made */
#ifndef MISC_UNDELETE_ATTRIBUTES_H
#define MISC_UNDELETE_ATTRIBUTES_H

#include "undelete.h"

/*
 * Give what @fd is open on, or where it is -1 the name @name in @dir, what the
 * file at hand had.  False after a complaint about @path.
 */
bool attributes_set(struct undelete *u, const struct file *f, int dir,
		    const char *name, int fd, const char *path);

#endif
