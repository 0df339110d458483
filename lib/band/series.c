/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * series.c - the model's counters over time, in a fixed number of samples
 *
 * A run may last a second or a week.  When the samples are used up, each two
 * neighbours become one and the period doubles.
 */

#include <string.h>

#include "series.h"

#define FIRST_PERIOD	100000000ULL	/* ns */

void series_init(struct e2lazy_series *series)
{
	memset(series, 0, sizeof(*series));
	series->period = FIRST_PERIOD;
}

static void halve(struct e2lazy_series *series)
{
	struct e2lazy_sample *s = series->sample;
	unsigned i, half = (series->count + 1) / 2;

	for (i = 0; i < half; i++) {
		struct e2lazy_sample first = s[2 * i];
		bool both = 2 * i + 1 < series->count;
		struct e2lazy_sample second = s[both ? 2 * i + 1 : 2 * i];

		s[i] = second;
		if (!both)
			continue;
		s[i].read += first.read;
		s[i].written += first.written;
		s[i].clean_ns += first.clean_ns;
	}
	memset(s + half, 0, (E2LAZY_SAMPLES - half) * sizeof(*s));
	series->count = half;
	series->period *= 2;
}

struct e2lazy_sample *series_at(struct e2lazy_series *series, uint64_t t,
				const struct e2lazy_counters *now)
{
	struct e2lazy_sample *last;

	while (t / series->period >= E2LAZY_SAMPLES)
		halve(series);
	/* Samples between two requests take the level of the later request. */
	while (series->count <= t / series->period) {
		last = &series->sample[series->count++];
		last->fill = now->fill;
		last->dirty = now->dirty;
	}
	last = &series->sample[t / series->period];
	last->fill = now->fill;
	last->dirty = now->dirty;
	return last;
}

void series_clean(struct e2lazy_series *series, uint64_t t, uint64_t ns,
		  const struct e2lazy_counters *now)
{
	/* Take the last sample first: it may double the period. */
	series_at(series, t + ns, now);
	while (ns) {
		uint64_t left = series->period - t % series->period;
		uint64_t part = ns < left ? ns : left;

		series_at(series, t, now)->clean_ns += part;
		t += part;
		ns -= part;
	}
}
