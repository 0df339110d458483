/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * standard.h - standard input, output and error are there
 */
#ifndef SUPPORT_STANDARD_H
#define SUPPORT_STANDARD_H

#include <stdbool.h>

/*
 * Whoever starts a program may have closed them, and the next file that is
 * opened would be one of them: what is printed would go into it.  To be called
 * before any file is opened.  False, with a complaint, when that fails.
 */
bool standard_files(void);

#endif
