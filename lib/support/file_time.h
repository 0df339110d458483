/* SPDX-License-Identifier: GPL-2.0-only */
/* file_time.h - a time of the library, as futimens() and its like take it */
#ifndef SUPPORT_FILE_TIME_H
#define SUPPORT_FILE_TIME_H

#include <time.h>

#include "e2lazy.h"

_Static_assert(sizeof(time_t) >= sizeof(int64_t),
	       "configure refuses a time_t that ends in 2038");

static inline struct timespec file_time(struct e2lazy_time time)
{
	return (struct timespec){ .tv_sec = (time_t)time.sec,
				  .tv_nsec = (long)time.nsec };
}

#endif
