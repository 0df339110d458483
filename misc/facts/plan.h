/* SPDX-License-Identifier: GPL-2.0-only */
/* plan.h - the work and the time of a checkpoint, as facts of a sheet */
#ifndef MISC_FACTS_PLAN_H
#define MISC_FACTS_PLAN_H

#include "e2lazy_mend.h"
#include "support/sheet.h"

struct plan_shown {
	const struct e2lazy_plan *plan;
	bool		compared;	/* with the blocks in place */
	uint64_t	memory;		/* bytes */
	uint64_t	band;		/* bytes; 0: none */
	uint64_t	bands, replay_bands;	/* written */
	uint64_t	throughput;	/* bytes a second; 0: unknown */
};

/* The rows of a section "plan", some of which only e2lazyck has facts for. */
extern const struct sheet_row plan_rows[];
/* The facts that each plan has, in the section that has begun. */
void plan_facts(struct sheet *sheet, const struct plan_shown *shown);

#endif
