/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * units.c - prints rates and times
 */
#include <stdio.h>

#include "make.h"

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
