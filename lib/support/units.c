/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * units.c - parse and print numbers, sizes, ranges and times for people
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "io/grow.h"
#include "nls.h"
#include "units.h"

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* Parse the number at the start of @text; @rest is its end. */
static bool leading_number(const char *text, uint64_t *value, const char **rest)
{
	int base = 10;
	const char *p = text;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		base = 16;
		p += 2;
	}
	if (digit_value(*p) >= base)
		return false;
	for (*value = 0; digit_value(*p) < base; p++)
		if (__builtin_mul_overflow(*value, (uint64_t)base, value) ||
		    __builtin_add_overflow(*value, (uint64_t)digit_value(*p),
					   value))
			return false;
	*rest = p;
	return true;
}

bool parse_number(const char *text, uint64_t max, uint64_t *value)
{
	const char *rest;

	return leading_number(text, value, &rest) && !*rest && *value <= max;
}

static const char size_letters[] = "KMGTP";

/*
 * Parse the size at the start of @text, with a unit from @letters; @rest is its
 * end.  Returns the unit, 0 for bytes, or -1.
 */
static int leading_size(const char *text, const char *letters,
			uint64_t *bytes, const char **rest)
{
	const char *letter;
	int unit;

	if (!leading_number(text, bytes, rest))
		return -1;
	letter = **rest ? strchr(letters, toupper((unsigned char)**rest))
			: NULL;
	if (!letter)
		return 0;
	unit = letter - letters + 1;
	++*rest;
	if (*bytes > UINT64_MAX >> 10 * unit)
		return -1;
	*bytes <<= 10 * unit;
	return unit;
}

/* The same with any unit, with or without iB. */
static bool leading_bytes(const char *text, uint64_t *bytes, const char **rest)
{
	int unit = leading_size(text, size_letters, bytes, rest);

	if (unit > 0 && !strncmp(*rest, "iB", 2))
		*rest += 2;
	return unit >= 0;
}

bool parse_size(const char *text, uint64_t *bytes)
{
	const char *rest;

	return leading_bytes(text, bytes, &rest) && !*rest;
}

bool parse_offset(const char *text, uint64_t *bytes)
{
	uint64_t size;

	if (!parse_size(text, &size) || size % 512 || size > INT64_MAX)
		return false;
	*bytes = size;
	return true;
}

bool parse_rate(const char *text, uint64_t *bytes)
{
	static const struct { const char *end; unsigned bytes; } decimal[] = {
		{ "kB/s", 1000 }, { "KB/s", 1000 }, { "MB/s", 1000000 },
		{ "GB/s", 1000000000 },
	};
	const char *rest;

	if (!leading_number(text, bytes, &rest))
		return false;
	for (size_t i = 0; i < sizeof(decimal) / sizeof(*decimal); i++)
		if (!strcmp(rest, decimal[i].end))
			return !__builtin_mul_overflow(*bytes,
						       decimal[i].bytes,
						       bytes);
	return leading_bytes(text, bytes, &rest) &&
	       (!*rest || !strcmp(rest, "/s"));
}

bool parse_mke2fs_size(const char *text, uint64_t *bytes)
{
	const char *rest;

	return leading_size(text, "KMGT", bytes, &rest) >= 0 && !*rest;
}

bool parse_time(const char *text, uint64_t *ms)
{
	static const struct {
		const char	*name;
		unsigned	ms;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "min", 60000 } };
	const char *rest;

	if (!leading_number(text, ms, &rest))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(rest, units[i].name))
			return !__builtin_mul_overflow(*ms, units[i].ms, ms);
	return false;
}

bool parse_quantity(const struct quantity *q, const char *text, uint64_t *value)
{
	static bool (*const parsers[])(const char *text, uint64_t *value) = {
		[QUANTITY_SIZE] = parse_size,
		[QUANTITY_RATE] = parse_rate,
		[QUANTITY_TIME] = parse_time,
	};

	/* 0 needs no unit. */
	if (q->zero && parse_number(text, 0, value))
		return true;
	return parsers[q->kind](text, value) && *value >= q->least &&
	       *value <= q->most;
}

/* The shortest text that the parser reads as this value. */
#define BOUND_TEXT	32

static void bound_text(char text[BOUND_TEXT], enum quantity_kind kind,
		       uint64_t value)
{
	const unsigned minute = 60000;
	char unit[2] = "";

	if (kind == QUANTITY_TIME) {
		snprintf(text, BOUND_TEXT, "%llu%s", (unsigned long long)
			 (value % minute ? value : value / minute),
			 value % minute ? "ms" : "min");
		return;
	}
	for (const char *next = size_letters;
	     value && value % 1024 == 0 && *next; value /= 1024)
		*unit = *next++;
	snprintf(text, BOUND_TEXT, "%llu%s", (unsigned long long)value, unit);
}

void quantity_text(char text[QUANTITY_TEXT], const struct quantity *q)
{
	static const char *const formats[] = {
		[QUANTITY_SIZE] = N_("a size from %s to %s"),
		[QUANTITY_RATE] = N_("a throughput from %s to %s a second; "
				     "190M is 190 MiB a second"),
		[QUANTITY_TIME] = N_("a time from %s to %s, like 30s"),
	};
	char least[BOUND_TEXT], most[BOUND_TEXT];
	size_t used;

	bound_text(least, q->kind, q->least);
	bound_text(most, q->kind, q->most);
	snprintf(text, QUANTITY_TEXT, _(formats[q->kind]), least, most);
	used = strlen(text);
	if (q->zero)
		snprintf(text + used, QUANTITY_TEXT - used, "%s",
			 _(", or 0 for none"));
}

bool parse_range(const char *text, uint64_t max, struct range *range)
{
	const char *rest;

	if (!leading_number(text, &range->first, &rest) || range->first > max)
		return false;
	range->last = range->first;
	return !*rest || (*rest == '-' &&
			  parse_number(rest + 1, max, &range->last));
}

bool ranges_have(const struct ranges *ranges, uint64_t number)
{
	const struct range *at = ranges->at;
	const struct range *end = array_end(at, ranges->count);

	while (at < end && (number < at->first || number > at->last))
		at++;
	return at < end || !ranges->count;
}

struct range ranges_span(const struct ranges *ranges)
{
	struct range span = { 0, UINT64_MAX };
	unsigned i;

	if (ranges->count)
		span = ranges->at[0];
	for (i = 1; i < ranges->count; i++) {
		if (ranges->at[i].first < span.first)
			span.first = ranges->at[i].first;
		if (ranges->at[i].last > span.last)
			span.last = ranges->at[i].last;
	}
	return span;
}

void size_text(char text[SIZE_TEXT], uint64_t bytes)
{
	static const char *const names[] = { "KiB", "MiB", "GiB", "TiB" };
	double value = bytes / 1024.0;
	unsigned unit = 0;

	if (bytes < 1024) {
		snprintf(text, SIZE_TEXT, "%u bytes", (unsigned)bytes);
		return;
	}
	for (; value >= 1024 && unit < 3; unit++)
		value /= 1024;
	if (value == (uint64_t)value)
		snprintf(text, SIZE_TEXT, "%.0f %s", value, names[unit]);
	else
		snprintf(text, SIZE_TEXT, "%.1f %s", value, names[unit]);
}

static void put_digits(char *to, unsigned value, unsigned digits)
{
	for (to += digits; digits--; value /= 10)
		*--to = '0' + value % 10;
}

#define YEAR_1		-62135596800	/* its first second */
#define YEAR_10000	253402300800
#define DAYS_BEFORE_1970	719468	/* from March of the year 0 on */

/*
 * The date of a day since March of the year 0, in the proleptic Gregorian
 * calendar: an era of 400 years has 146097 days, and a year that begins in March
 * has its leap day at its end.  A listing has a time in each row, and strftime()
 * takes longer than the rest of it.
 */
static void put_date(char *to, uint64_t since)
{
	unsigned day = (unsigned)(since % 146097);
	unsigned year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	unsigned left = day - (365 * year + year / 4 - year / 100);
	unsigned month = (5 * left + 2) / 153;	/* 0 is March */

	put_digits(to, (unsigned)(since / 146097 * 400) + year + (month > 9),
		   4);
	put_digits(to + 5, month > 9 ? month - 9 : month + 3, 2);
	put_digits(to + 8, left - (153 * month + 2) / 5 + 1, 2);
}

bool date_text(char text[TIME_TEXT], int64_t seconds)
{
	uint64_t since = (uint64_t)seconds + DAYS_BEFORE_1970 * 86400ULL;
	unsigned of_day = (unsigned)(since % 86400);

	if (seconds < YEAR_1 || seconds >= YEAR_10000) {
		strcpy(text, "-");
		return false;
	}
	strcpy(text, "0000-00-00T00:00:00Z");
	put_date(text, since / 86400);
	put_digits(text + 11, of_day / 3600, 2);
	put_digits(text + 14, of_day / 60 % 60, 2);
	put_digits(text + 17, of_day % 60, 2);
	return true;
}

bool time_text(char text[TIME_TEXT], uint64_t seconds)
{
	return date_text(text, seconds && seconds < YEAR_10000 ?
			       (int64_t)seconds : YEAR_10000);
}
