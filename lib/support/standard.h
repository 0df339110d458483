/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * standard.h - make sure that standard input, output and error are open
 */
#ifndef SUPPORT_STANDARD_H
#define SUPPORT_STANDARD_H

#include <stdbool.h>

/*
 * The starter of a program may have closed them.  Then the next open() would
 * return one of their numbers, and output would go into that file.  Call this
 * before any file is opened.  False, with a complaint, if it fails.
 */
bool standard_files(void);

#endif
