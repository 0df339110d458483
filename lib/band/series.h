/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * series.h - the model's counters over time, in a fixed number of samples
 */
#ifndef BAND_SERIES_H
#define BAND_SERIES_H

#include "e2lazy_model.h"

void series_init(struct e2lazy_series *series);
/* The sample of time @t.  It takes its levels from @now. */
struct e2lazy_sample *series_at(struct e2lazy_series *series, uint64_t t,
				const struct e2lazy_counters *now);
/* Spread a cleaning of @ns that begins at @t over the samples it spans. */
void series_clean(struct e2lazy_series *series, uint64_t t, uint64_t ns,
		  const struct e2lazy_counters *now);

#endif
