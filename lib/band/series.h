/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * series.h - what happened when, in a fixed number of samples
 */
#ifndef BAND_SERIES_H
#define BAND_SERIES_H

#include "e2lazy_model.h"

void series_init(struct e2lazy_series *series);
/* The sample of time @t, which does not go back; @now is its level. */
struct e2lazy_sample *series_at(struct e2lazy_series *series, uint64_t t,
				const struct e2lazy_counters *now);
/* A cleaning of @ns that begins at @t, shared among the samples it is in. */
void series_clean(struct e2lazy_series *series, uint64_t t, uint64_t ns,
		  const struct e2lazy_counters *now);

#endif
