/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* trim.h - memory that malloc() holds back */
#ifndef E2LAZY_TRIM_H
#define E2LAZY_TRIM_H

#include <stdlib.h>
#ifdef __GLIBC__	/* defined through stdlib.h */
#include <malloc.h>
#endif

/*
 * Give freed memory to the system before large buffers are taken: what malloc()
 * holds back would add to them, beyond the limit that the user has set.
 */
static inline void trim_memory(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

#endif
