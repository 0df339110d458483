/* SPDX-License-Identifier: GPL-2.0-only */
/* attributes.h - owner, mode, times and extended attributes of what is made */
#ifndef MISC_UNDELETE_ATTRIBUTES_H
#define MISC_UNDELETE_ATTRIBUTES_H

#include "undelete.h"

/*
 * Set owner, mode, times and attributes of @fd, or of @name in @dir if @fd is
 * -1.  False after a complaint about @path.
 */
bool attributes_set(struct undelete *u, const struct file *f, int dir,
		    const char *name, int fd, const char *path);

#endif
