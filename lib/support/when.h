/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * when.h - times as people write them, to the nanosecond
 */
#ifndef SUPPORT_WHEN_H
#define SUPPORT_WHEN_H

#include <stdbool.h>
#include <stdint.h>

struct instant {
	uint64_t	sec;		/* since 1970 */
	uint32_t	nsec;
};

/* A written time means all of its last unit: 12:30 is a whole minute. */
struct when {
	struct instant	first, last;
};

static inline bool instant_before(struct instant a, struct instant b)
{
	return a.sec != b.sec ? a.sec < b.sec : a.nsec < b.nsec;
}

/*
 * ISO 8601: a date, or a date and a time: minutes, seconds, or up to nine
 * digits of a second.  "Z" or an offset behind it; without either, and for a
 * date alone, local time.  Or @SECONDS since 1970, with a fraction or without.
 */
bool parse_when(const char *text, struct when *when);

/* "2026-01-31T23:59:59.000000000Z"; "-" where time_text() says so, too. */
#define INSTANT_TEXT	34
bool instant_text(char text[INSTANT_TEXT], struct instant at);

#endif
