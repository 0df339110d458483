/* SPDX-License-Identifier: GPL-2.0-only */
/* compare.h - the file system before a tool ran with that after it */
#ifndef MISC_VIEW_COMPARE_H
#define MISC_VIEW_COMPARE_H

#include <stdio.h>

#include "cow.h"
#include "sides.h"

/*
 * Fill in @out from @out->compared on, and write the list to @list.  @overlay is
 * that of the file system; NULL: what was written is not known.
 */
void rehearsal_compare(const struct view *view, const struct cow *overlay,
		       struct rehearsed *out, FILE *list);

#endif
