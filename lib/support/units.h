/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * units.h - parse and print numbers, sizes, ranges and times for people
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
/*
 * A number of bytes, or a number with K, M, G, T or P behind it, or KiB to PiB:
 * powers of 1024.  "KB" to "PB" are ambiguous, so they are errors.
 */
bool parse_size(const char *text, uint64_t *bytes);
/* The start of a file system: a size in whole sectors of 512 bytes. */
bool parse_offset(const char *text, uint64_t *bytes);
/*
 * Bytes a second: a size, with or without "/s" after it; or "190MB/s", as makers
 * of disks write it, where M is 10^6.
 */
bool parse_rate(const char *text, uint64_t *bytes);
/* A number with ms, s or min behind it, in milliseconds. */
bool parse_time(const char *text, uint64_t *ms);
/* A size as mke2fs reads it: a number, or one with K, M, G or T behind it. */
bool parse_mke2fs_size(const char *text, uint64_t *bytes);

/* The argument of an option that is a size, a rate or a time. */
enum quantity_kind { QUANTITY_SIZE, QUANTITY_RATE, QUANTITY_TIME };

struct quantity {
	const char	*option;	/* as typed */
	enum quantity_kind kind;
	uint64_t	least, most;	/* bytes, bytes a second, or ms */
	bool		zero;		/* 0 is allowed, too, and means none */
};

/* False if @text is no such quantity, or out of bounds. */
bool parse_quantity(const struct quantity *quantity, const char *text,
		    uint64_t *value);
/* "a size from 1M to 100T, or 0 for none", translated */
#define QUANTITY_TEXT	160
void quantity_text(char text[QUANTITY_TEXT], const struct quantity *quantity);

struct range {
	uint64_t first, last;	/* both belong to it */
};

/* A or A-B.  The caller decides whether B may be below A. */
bool parse_range(const char *text, uint64_t max, struct range *range);

/* Several ranges; each counts, and none means everything. */
#define MAX_RANGES	32

struct ranges {
	struct range	at[MAX_RANGES];
	unsigned	count;
};

bool ranges_have(const struct ranges *ranges, uint64_t number);
/* From the least to the largest number in any of them. */
struct range ranges_span(const struct ranges *ranges);

/* "512 bytes", "4 MiB", "1.5 GiB" */
#define SIZE_TEXT	32
void size_text(char text[SIZE_TEXT], uint64_t bytes);

/* "2026-01-31T23:59:59Z".  False, and "-", outside the years 1 to 9999. */
#define TIME_TEXT	24
bool date_text(char text[TIME_TEXT], int64_t seconds);
/* The same for a time that is unknown if it is 0. */
bool time_text(char text[TIME_TEXT], uint64_t seconds);

#endif
