/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mount_cost.c - what an ext4-lazy mount reads and keeps in memory
 *
 * The mount follows the log from its tail to its head for the control blocks.
 * They are rarely further apart than a disk passes in half a revolution, so
 * skipping the copies between them saves no time: it counts as one sequential
 * read of the whole log.
 */

#include "e2lazy_drive.h"

void e2lazy_mount_cost(const struct e2lazy_mount_of *of,
		       struct e2lazy_mount_cost *out)
{
	uint64_t rate = of->throughput ? of->throughput : E2LAZY_PAPER_RATE;

	out->log_bytes = of->log_blocks * of->blocksize;
	out->control_bytes = of->control_blocks * of->blocksize;
	out->seconds = (double)out->log_bytes / (double)rate;
	out->memory = of->live * E2LAZY_MAPPING_BYTES;
}
