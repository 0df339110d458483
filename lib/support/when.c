/* SPDX-License-Identifier: GPL-2.0-only */
/* when.c - times as people write them, to the nanosecond */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "units.h"
#include "when.h"

#define NANO		1000000000U
#define MINUTE		60
#define HOUR		3600
#define FRACTION_DIGITS	9

/* Exactly @digits digits; moves @text behind them. */
static bool take_digits(const char **text, unsigned digits, int *value)
{
	for (*value = 0; digits; digits--, ++*text) {
		if (!isdigit((unsigned char)**text))
			return false;
		*value = *value * 10 + (**text - '0');
	}
	return true;
}

static bool take_char(const char **text, char c)
{
	bool there = **text == c;

	*text += there;
	return there;
}

/* The digits behind the point; @unit is the value of the last one. */
static bool take_fraction(const char **text, uint32_t *nsec, uint32_t *unit)
{
	*nsec = 0;
	*unit = NANO;
	if (!take_char(text, '.'))
		return true;
	if (!isdigit((unsigned char)**text))
		return false;
	for (; isdigit((unsigned char)**text) && *unit > 1; ++*text) {
		*unit /= 10;
		*nsec += (uint32_t)(**text - '0') * *unit;
	}
	return true;
}

static struct instant plus(struct instant at, uint64_t sec, uint32_t nsec)
{
	at.sec += sec + (at.nsec + nsec) / NANO;
	at.nsec = (at.nsec + nsec) % NANO;
	return at;
}

/* The last nanosecond before @end. */
static struct instant before(struct instant end)
{
	if (end.nsec)
		return (struct instant){ end.sec, end.nsec - 1 };
	return (struct instant){ end.sec - 1, NANO - 1 };
}

static bool parse_seconds(const char *text, struct when *when)
{
	const char *point = strchr(text, '.');
	size_t length = point ? (size_t)(point - text) : strlen(text);
	const char *rest = text + length;
	char number[32];
	uint32_t unit;

	if (length >= sizeof(number))
		return false;
	memcpy(number, text, length);
	number[length] = 0;
	if (!parse_number(number, INT64_MAX, &when->first.sec) ||
	    !take_fraction(&rest, &when->first.nsec, &unit) || *rest)
		return false;
	when->last = before(plus(when->first, 0, unit));
	return true;
}

/* ----------------------------------------------------------- a calendar */

struct calendar {
	struct tm	tm;
	uint32_t	nsec;
	bool		local;
	long		east;		/* seconds, if not local */
	uint64_t	unit;		/* seconds; 0: a day */
	uint32_t	fraction;	/* nanoseconds, if @unit is 1 */
};

static bool is_day(const struct tm *tm)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
				    31 };
	int year = tm->tm_year + 1900;
	bool leap = year % 4 == 0 && (year % 100 || year % 400 == 0);

	return year >= 1970 && tm->tm_mon >= 0 && tm->tm_mon < 12 &&
	       tm->tm_mday >= 1 && tm->tm_mday <= days[tm->tm_mon] +
						   (leap && tm->tm_mon == 1);
}

static bool take_date(const char **text, struct calendar *c)
{
	if (!take_digits(text, 4, &c->tm.tm_year) || !take_char(text, '-') ||
	    !take_digits(text, 2, &c->tm.tm_mon) || !take_char(text, '-') ||
	    !take_digits(text, 2, &c->tm.tm_mday))
		return false;
	c->tm.tm_year -= 1900;
	c->tm.tm_mon--;
	return is_day(&c->tm);
}

static bool take_clock(const char **text, struct calendar *c)
{
	c->unit = MINUTE;
	if (!take_digits(text, 2, &c->tm.tm_hour) || !take_char(text, ':') ||
	    !take_digits(text, 2, &c->tm.tm_min) || c->tm.tm_hour > 23 ||
	    c->tm.tm_min > 59)
		return false;
	if (!take_char(text, ':'))
		return true;
	c->unit = 1;
	return take_digits(text, 2, &c->tm.tm_sec) && c->tm.tm_sec <= 59 &&
	       take_fraction(text, &c->nsec, &c->fraction);
}

/* "Z", "+01:00", "-0330", "+02", or nothing. */
static bool take_zone(const char **text, struct calendar *c)
{
	int hours, minutes = 0, sign;

	c->local = !**text;
	if (c->local || take_char(text, 'Z'))
		return true;
	sign = **text == '-' ? -1 : 1;
	if (!take_char(text, '+') && !take_char(text, '-'))
		return false;
	if (!take_digits(text, 2, &hours))
		return false;
	take_char(text, ':');
	if (**text && !take_digits(text, 2, &minutes))
		return false;
	c->east = sign * (hours * (long)HOUR + minutes * MINUTE);
	return hours <= 23 && minutes <= 59;
}

/* Seconds of the calendar, @days later. */
static bool to_seconds(const struct calendar *c, int days, uint64_t *sec)
{
	struct tm tm = c->tm;
	time_t at;

	tm.tm_mday += days;
	tm.tm_isdst = -1;
	at = c->local ? mktime(&tm) : timegm(&tm) - c->east;
	*sec = (uint64_t)at;
	return at >= 0;
}

static bool to_when(const struct calendar *c, struct when *when)
{
	struct instant end;

	if (!to_seconds(c, 0, &when->first.sec))
		return false;
	when->first.nsec = c->nsec;
	if (!c->unit) {
		if (!to_seconds(c, 1, &end.sec))
			return false;
		end.nsec = 0;
	} else {
		end = c->unit == 1 ? plus(when->first, 0, c->fraction) :
				     plus(when->first, c->unit, 0);
	}
	when->last = before(end);
	return true;
}

bool parse_when(const char *text, struct when *when)
{
	struct calendar c = { .nsec = 0 };

	if (take_char(&text, '@'))
		return parse_seconds(text, when);
	if (!take_date(&text, &c))
		return false;
	if (take_char(&text, 'T') || take_char(&text, ' ')) {
		if (!take_clock(&text, &c) || !take_zone(&text, &c))
			return false;
	} else {
		c.local = true;
	}
	return !*text && to_when(&c, when);
}

/* Not by snprintf(): a listing has a time in each row. */
bool instant_text(char text[INSTANT_TEXT], struct instant at)
{
	bool known = time_text(text, at.sec);
	char *point = text + strlen(text) - 1;
	uint32_t nsec = at.nsec % NANO;

	if (!known)
		return false;
	strcpy(point, ".000000000Z");
	for (unsigned i = FRACTION_DIGITS; nsec; i--, nsec /= 10)
		point[i] = (char)('0' + nsec % 10);
	return true;
}
