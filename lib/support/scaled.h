/* SPDX-License-Identifier: GPL-2.0-only */
/* scaled.h - a product and a quotient whose product needs more than 64 bits */
#ifndef SUPPORT_SCALED_H
#define SUPPORT_SCALED_H

#include <stdint.h>

/* One step of a long division: *@rest = (2 * *@rest + @add) % @by. */
static inline uint64_t scaled_step(uint64_t *rest, uint64_t add, uint64_t by)
{
	uint64_t quotient = 0;

	/* Both are below @by: neither difference wraps. */
	if (*rest >= by - *rest) {
		*rest -= by - *rest;
		quotient = 1;
	} else {
		*rest += *rest;
	}
	if (*rest >= by - add) {
		*rest -= by - add;
		quotient++;
	} else {
		*rest += add;
	}
	return quotient;
}

/*
 * @value * @times / @by, rounded down, for a result of at most 64 bits and @by
 * not 0.  32-bit compilers have no __int128.
 */
static inline uint64_t scaled(uint64_t value, uint32_t times, uint64_t by)
{
	uint64_t whole = value / by * times, part = value % by;
	uint64_t quotient = 0, rest = 0;

	if (!times || part <= UINT64_MAX / times)
		return whole + part * times / by;
	for (int bit = 31; bit >= 0; bit--)
		quotient = 2 * quotient +
			   scaled_step(&rest, times >> bit & 1 ? part : 0, by);
	return whole + quotient;
}

#endif
