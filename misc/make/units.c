/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * units.c - prints rates and times, and parses blocks like mke2fs
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"

#define SECTOR		512

/* Room for any number with its unit. */
#define UNIT_TEXT	40

/* Cut @end off a copy of @text. False if it does not end with @end. */
static bool cut(char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	if (n < m || strcmp(text + n - m, end))
		return false;
	text[n - m] = 0;
	return true;
}

void make_throughput_text(char text[SIZE_TEXT], uint64_t rate)
{
	char size[SIZE_TEXT];

	size_text(size, rate);
	snprintf(text, SIZE_TEXT, "%.20s/s", size);
}

void make_mib_text(char text[SIZE_TEXT], uint64_t bytes)
{
	const uint64_t mib = 1 << 20;

	if (bytes % mib)
		snprintf(text, SIZE_TEXT, "%.1f MiB", (double)bytes / mib);
	else
		snprintf(text, SIZE_TEXT, "%llu MiB",
			 (unsigned long long)(bytes / mib));
}

void make_time_text(char text[SIZE_TEXT], uint64_t ms)
{
	if (ms % 1000)
		snprintf(text, SIZE_TEXT, "%llu ms", (unsigned long long)ms);
	else
		snprintf(text, SIZE_TEXT, "%llu s",
			 (unsigned long long)(ms / 1000));
}

/* "8s": sectors of 512 bytes. */
static bool parse_sectors(const char *text, uint64_t *bytes)
{
	char number[UNIT_TEXT];

	if (strlen(text) >= sizeof(number))
		return false;
	strcpy(number, text);
	if (!cut(number, "s") ||
	    !parse_number(number, UINT64_MAX / SECTOR, bytes))
		return false;
	*bytes *= SECTOR;
	return true;
}

bool make_parse_blocks(const char *text, unsigned blocksize, uint64_t *blocks)
{
	if (parse_number(text, UINT64_MAX, blocks))
		return true;
	if (!parse_sectors(text, blocks) && !parse_mke2fs_size(text, blocks))
		return false;
	*blocks /= blocksize;
	return true;
}
