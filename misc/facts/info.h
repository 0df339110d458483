/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * info.h - the facts about a journal, and their output
 *
 * e2lazy info prints them, and e2lazy report has them on its page.
 */
#ifndef MISC_FACTS_INFO_H
#define MISC_FACTS_INFO_H

#include "e2lazy_drive.h"
#include "e2lazy_mend.h"
#include "session/session.h"

struct info {
	struct session	*s;
	bool		identify;
	bool		thorough;	/* read all copies for the verdict,
					   which then needs the view */

	bool		lazy_marker;	/* journal_lazy in s_mount_opts */
	bool		mounted;
	uint32_t	ring;		/* size of the ring, in blocks */
	bool		wrapped;	/* the log runs past the ring's end */
	uint64_t	logged;		/* committed copies in any state */
	uint64_t	live;
	uint64_t	replayed;	/* writes of a stock replay */
	uint64_t	control;	/* descriptors, revokes and commits */
	uint64_t	damage;		/* kinds of damage to the log */
	bool		copies_verified; /* wherever they have checksums */
	bool		typed;		/* @types is valid */
	uint64_t	types[E2LAZY_NR_TYPES];	/* live blocks of each type */
	struct e2lazy_fc_summary fc;
	struct e2lazy_verdict *verdict;	/* NULL: of an earlier time there is
					   none */
	uint64_t	band;		/* of --band, bytes; 0: not asked for */
	bool		banded;		/* the next fields are valid */
	struct e2lazy_bands bands;	/* with static mapping */
	struct e2lazy_bands dynamic;
};

/* gather.c: the log is open, with a map that has states, and looked at */
void info_gather(struct info *info);
/* The next problem that was found, from *@at on; or NULL. */
const struct e2lazy_problem *next_hazard(const struct info *info, size_t *at);

/* sheet.c: all facts, as text or as JSON */
void info_print(struct info *info);
/* The same on a sheet; one of markup lacks the two lists. */
void info_sheet(struct info *info, struct sheet *sheet);
/* metrics.c: the same in the text format of Prometheus */
void info_metrics(struct info *info, struct out *out);
/* Of a volume that could not be read: that it is so, and since when. */
void info_metrics_down(const struct info *info, struct out *out);
/* lists.c */
void info_types(struct info *info);
void info_hazards(struct info *info);

#endif
