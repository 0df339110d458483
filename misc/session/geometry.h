/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * geometry.h - the argument of --geometry: how the log is to be read, if its
 * own superblock does not say it
 *
 *	auto, carve, N		a candidate of 'e2lazy salvage'
 *	KEY=VALUE,...		by hand; salvage finds the other keys
 */
#ifndef MISC_GEOMETRY_H
#define MISC_GEOMETRY_H

#include "e2lazy_salvage.h"

#define GEOMETRY_RUNS 256

struct geometry {
	const char	*text;		/* as given; NULL: not given */
	bool		carve;
	unsigned	number;		/* of the candidate; 0: the first */
	struct e2lazy_parts pieces;
	struct e2lazy_log_run runs[GEOMETRY_RUNS];
	size_t		nr_runs;
};

/* False if it makes no sense; @text must persist. */
bool geometry_parse(struct geometry *geometry, const char *text);
/* The candidate as an argument of --geometry; NULL: out of memory. */
char *geometry_text(const struct e2lazy_candidate *candidate);
/* Why there is no candidate, translated. */
const char *geometry_none(const struct geometry *geometry);
/* "none", "v1", "v2" or "v3" */
const char *geometry_csum(enum e2lazy_csum csum);

/*
 * Find the candidates of @device by @opts and by the pieces of @geometry, which
 * may be none.
 */
errcode_t geometry_find(const char *device,
			const struct e2lazy_open_opts *opts,
			const struct geometry *geometry,
			const struct e2lazy_watch *watch,
			struct e2lazy_salvage **out,
			struct e2lazy_where *where);

#endif
