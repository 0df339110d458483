/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * units.h - numbers, sizes, ranges and times as people write and read them
 *
 * The parsers take the whole string or refuse it: no sign, no blanks, no rest,
 * no overflow.
 */
#ifndef SUPPORT_UNITS_H
#define SUPPORT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal, or hexadecimal after 0x; at most @max. */
bool parse_number(const char *text, uint64_t max, uint64_t *value);
/* A number of bytes, or one with K, M, G or T behind it (powers of 1024). */
bool parse_size(const char *text, uint64_t *bytes);

struct range {
	uint64_t first, last;	/* both belong to it */
};

/* A or A-B. Whether B may stand before A is for the caller to say. */
bool parse_range(const char *text, uint64_t max, struct range *range);

/* "512 bytes", "4 MiB", "1.5 GiB" */
#define SIZE_TEXT	32
void size_text(char text[SIZE_TEXT], uint64_t bytes);

/*
 * "2026-01-31T23:59:59Z". False, and "-", for 0 (no time known) and for what
 * lies beyond the year 9999.
 */
#define TIME_TEXT	24
bool time_text(char text[TIME_TEXT], uint64_t seconds);

#endif
