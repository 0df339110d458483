/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ext2fs_time.h - libext2fs with the time_t that it was built with
 *
 * struct struct_ext2_filsys has a time_t before its last members.  Where
 * configure gives this library a larger time_t than the compiler's own, the
 * compiler would look for cluster_ratio_bits or csum_seed at a wrong place. So
 * each source includes this header first. It includes the system's headers
 * before libext2fs's, because their time_t is the larger one.
 */
#ifndef E2LAZY_EXT2FS_TIME_H
#define E2LAZY_EXT2FS_TIME_H

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

/* Of 32-bit systems, where alone configure has another time_t to choose. */
#define time_t long
#include <ext2fs/ext2fs.h>
#undef time_t

_Static_assert(sizeof(((ext2_filsys)0)->now) == sizeof(long) &&
	       sizeof(long) < sizeof(time_t), "two kinds of time_t");

#endif
