/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* regions.h - shared by the files about fixed metadata */
#ifndef E2LAZY_REGIONS_H
#define E2LAZY_REGIONS_H

#include "e2lazy_drive.h"

struct e2lazy_regions {
	struct e2lazy_region *list;
	size_t		count;
	size_t		room;
	uint64_t	free_blocks;	/* of a plan */
	uint64_t	journal;	/* of a plan: first block; 0: none */
	uint64_t	journal_runs;	/* of a plan: runs of the journal */
};

/*
 * An io_manager for a device in memory.  A block reads as zeros until it is
 * written.  Closing the device frees it.
 */
extern io_manager const scratch_io_manager;

#endif
