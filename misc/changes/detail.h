/* SPDX-License-Identifier: GPL-2.0-only */
/* detail.h - a change in a word or two */
#ifndef MISC_DETAIL_H
#define MISC_DETAIL_H

#include "e2lazy_changes.h"
#include "support/when.h"

/* "10 -> 200", "0644 -> 0755", "0:0 -> 1000:100"; not translated. */
#define DETAIL_TEXT	160
/* False, and "", if the change has no values of its own. */
bool detail_text(char text[DETAIL_TEXT], const struct e2lazy_change *change);

/* False: the time is not known, or before 1970. */
bool inode_time_text(char text[INSTANT_TEXT], struct e2lazy_time t);

/* "rrw-r--r--", as fls(1) writes it. */
#define MODE_TEXT	12
void mode_text(char text[MODE_TEXT], unsigned mode);

#endif
