/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * drive_list.h - where the list of drive models is
 */
#ifndef MISC_DRIVE_LIST_H
#define MISC_DRIVE_LIST_H

#include <stdbool.h>

/*
 * E2LAZY_DRIVES, the list beside the program where that was built and not
 * installed, or the one that is.  To be freed; NULL: out of memory.  False once
 * it has complained.
 */
bool drive_list(char **list);

#endif
