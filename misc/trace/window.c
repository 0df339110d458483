/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * window.c - the stretch of time and of places that a picture shows
 *
 * A bound that was given is the end of its axis, whether or not a request is
 * there: two pictures with the same bounds can be compared.
 */
#include <string.h>

#include "plot.h"
#include "support/nls.h"

#define MS	1000000ULL		/* ns */

bool window_time(struct session *s, const char *option, const char *arg,
		 uint64_t *ns)
{
	return (parse_time(arg, ns) && !__builtin_mul_overflow(*ns, MS, ns)) ||
	       session_refuse(s, option, arg, _("a time, such as 90s"));
}

bool window_place(struct session *s, const char *option, const char *arg,
		  uint64_t *bytes)
{
	return parse_size(arg, bytes) ||
	       session_refuse(s, option, arg, _("a size"));
}

bool window_is_empty(const struct window *w)
{
	return w->since >= w->until || w->from >= w->to;
}

bool window_clip(const struct window *w, struct e2lazy_request *r)
{
	uint64_t end = r->offset + r->length;

	if (r->t < w->since || r->t >= w->until || r->offset >= w->to ||
	    end <= w->from)
		return false;
	if (r->offset < w->from)
		r->offset = w->from;
	r->length = (end < w->to ? end : w->to) - r->offset;
	return true;
}

/* A sample stays if any of its time does. */
bool window_crop(const struct window *w, struct result *r)
{
	struct e2lazy_series *series = &r->series;
	uint64_t first = w->since / series->period, end = series->count;

	if (w->until / series->period < end)
		end = w->until / series->period +
		      (w->until % series->period != 0);
	if (first >= end)
		return false;
	memmove(series->sample, series->sample + first,
		(end - first) * sizeof(*series->sample));
	series->count = (unsigned)(end - first);
	r->first = first * series->period;
	return true;
}
