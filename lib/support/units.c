/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * units.c - numbers, sizes, ranges and times as people write and read them
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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

/* The number that @text begins with; @rest is where it ends. */
static bool leading_number(const char *text, uint64_t *value,
			   const char **rest)
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

bool parse_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	const char *rest, *unit;
	unsigned shift = 0;

	if (!leading_number(text, bytes, &rest))
		return false;
	if (*rest) {
		unit = strchr(units, toupper((unsigned char)*rest));
		if (!unit || rest[1])
			return false;
		shift = 10 * (unit - units + 1);
	}
	if (*bytes > UINT64_MAX >> shift)
		return false;
	*bytes <<= shift;
	return true;
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

bool time_text(char text[TIME_TEXT], uint64_t seconds)
{
	const uint64_t year_10000 = 253402300800;
	struct tm tm;
	time_t when = seconds;

	strcpy(text, "-");
	if (!seconds || seconds >= year_10000 || !gmtime_r(&when, &tm))
		return false;
	return strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &tm) > 0;
}
