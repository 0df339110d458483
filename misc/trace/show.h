/* SPDX-License-Identifier: GPL-2.0-only */
/* show.h - e2lazy trace show: what it was asked, and what it counts */
#ifndef MISC_SHOW_H
#define MISC_SHOW_H

#include "tally.h"
#include "trace/logged.h"
#include "traces.h"

enum show_by { BY_CLASS, BY_MARK, BY_ROLE, BY_BAND, BY_TIME };

/* Classes, or operations and types: so many rows at most. */
#define MOST_ROWS	(2 * E2LAZY_NR_TYPES + 2)

struct bucket {
	uint64_t	read, data, metadata, journal, flushes;
};

struct show {
	struct session	*s;
	struct listing	listing;
	struct columns	columns;
	enum show_by	by;
	bool		by_set, lazy;
	uint64_t	period;		/* of --by-time, ns */
	uint64_t	ring;		/* of --ring, bytes; 0: the trace's */
	uint64_t	coalesce;
	struct tally_sizes sizes;
	struct e2lazy_trace_fs *fs;
	struct tally	tally[MOST_ROWS];
	struct log_state log;
	struct bucket	*buckets;	/* BY_BAND, BY_TIME */
	size_t		nr_buckets;
	bool		beyond;		/* some requests are in no bucket */
};

/* show_log.c */
void show_log_facts(struct show *sh);

/* show_series.c: bytes by band, or by time. */
enum { COL_WHERE, COL_READ, COL_DATA, COL_METADATA, COL_JOURNAL, COL_FLUSHES,
       NR_SERIES_COLUMNS };
extern const struct column band_columns[NR_SERIES_COLUMNS];
extern const struct column time_columns[NR_SERIES_COLUMNS];
bool series_add(struct show *sh, const struct e2lazy_request *r);
void series_print(struct show *sh);

#endif
