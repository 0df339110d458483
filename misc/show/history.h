/* SPDX-License-Identifier: GPL-2.0-only */
/* history.h - the files that have had a block */
#ifndef MISC_HISTORY_H
#define MISC_HISTORY_H

#include "session/tids.h"

/*
 * List who has had the data block @fsblk in the transactions of @times, and who
 * has it at their end; nothing for a block of the layout.  After session_build()
 * with CSUMS.
 */
void history_owners(struct session *session, blk64_t fsblk,
		    const struct tid_ranges *times);

#endif
