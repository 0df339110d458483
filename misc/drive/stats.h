/* SPDX-License-Identifier: GPL-2.0-only */
/* stats.h - the counters of a served drive, as a file */
#ifndef MISC_DRIVE_STATS_H
#define MISC_DRIVE_STATS_H

#include "e2lazy_model.h"

struct drive_stats {
	const char	*drive;
	bool		waited;		/* the clients had to wait */
	uint64_t	run, done;	/* modelled ns: until the last request
					   was done, until all work was */
	const struct e2lazy_counters *counters;
};

/* False after a complaint. */
bool drive_stats_write(const char *file, const struct drive_stats *stats);

#endif
