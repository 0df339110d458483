/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lacks.h - what the log holds, or has overwritten, and a view has not
 */
#ifndef MISC_VIEW_LACKS_H
#define MISC_VIEW_LACKS_H

#include "e2lazy_view.h"

/*
 * Say it on stderr, for both who make views.  Returns FSCK_LEFT if there is
 * anything, FSCK_ERROR where that cannot be found out, else FSCK_OK.
 */
int view_tell_lacks(const char *device, struct e2lazy_journal *journal,
		    const struct e2lazy_jmap *map,
		    const struct e2lazy_view *view);

#endif
