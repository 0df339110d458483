/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * quantities.h - sizes, rates and times as arguments, and their bounds
 */
#ifndef MISC_QUANTITIES_H
#define MISC_QUANTITIES_H

#include "session.h"

/* One row per option, of any program. */
extern const struct quantity quantity_band, quantity_band_or_none,
			     quantity_memory, quantity_throughput,
			     quantity_timer, quantity_live, quantity_journal,
			     quantity_overlay, quantity_device;

/* False, after a complaint that names the bounds, for an invalid value. */
bool session_quantity(struct session *session, const struct quantity *quantity,
		      const char *text, uint64_t *value);

#endif
