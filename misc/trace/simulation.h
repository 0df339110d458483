/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * simulation.h - e2lazy simulate: what it was asked, and what came of it
 */
#ifndef MISC_SIMULATION_H
#define MISC_SIMULATION_H

#include "traces.h"

struct outcome {
	uint64_t	requests;
	uint64_t	run;		/* until all requests were done, ns */
	uint64_t	after;		/* and how long it cleaned then */
	struct e2lazy_counters counters;
	struct e2lazy_series series;
};

struct simulation {
	struct session	*s;
	struct listing	listing;
	const char	*drive;
	struct e2lazy_params params;
	bool		fast;
	bool		only_params;
	bool		sensitivity;
	bool		series;
	bool		lazy;		/* each trace as a lazy journal's, too */
	uint64_t	start;		/* of the file system on the drive */
	struct columns	columns;
	struct outcome	*outcomes;	/* one a row */
};

/* Rows of the results: the traces, and with --lazy each a second time. */
static inline unsigned simulate_rows(const struct simulation *m)
{
	return m->s->nr_operands * (m->lazy ? 2 : 1);
}
/* Row @row's trace, and whether it is the second. */
static inline const char *simulate_row(const struct simulation *m,
				       unsigned row, bool *lazy)
{
	*lazy = m->lazy && row % 2;
	return m->s->operands[m->lazy ? row / 2 : row];
}

/*
 * run.c: a trace on a drive that has these parameters; @lazy: with the requests
 * of a lazy journal.
 */
bool simulate_trace(struct simulation *m, const char *path, bool lazy,
		    const struct e2lazy_params *params, struct outcome *out);

/* results.c */
enum { COL_TRACE, COL_REQUESTS, COL_RUN, COL_FULL, COL_CLEANING, COL_AFTER,
       COL_AMPLIFICATION, COL_BANDS, COL_STREAMED, COL_CACHED, COL_READ,
       COL_WRITTEN, COL_CLEANED, COL_FILL, COL_SYSTEM, NR_RESULT_COLUMNS };
extern const struct column simulate_columns[NR_RESULT_COLUMNS];
void simulate_results(struct simulation *m);
/* What the parameters are, and who says so. */
void simulate_params(struct simulation *m);
/* Always: whose figures these are, and that no drive was used. */
void simulate_caution(struct simulation *m);

/* sensitivity.c: what each parameter that nobody has measured does to it. */
bool simulate_sensitivity(struct simulation *m);

#endif
