/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* keep_old.h - hand out the old content of every block that will be written */
#ifndef E2LAZY_KEEP_OLD_H
#define E2LAZY_KEEP_OLD_H

#include "view/view.h"
#include "broken_off.h"
#include "mend.h"
#include "schedule.h"

struct keep_old {
	const struct e2lazy_keeper *keeper;
	const struct e2lazy_view *view;
	const struct target *target;
	const struct schedule *schedule;	/* not begun yet; or NULL */
	const struct seal_table *table;		/* not begun yet */
	const struct e2lazy_tail *tail;		/* or NULL */
	/* Without a schedule: the ring's blocks that are written, or none.  Then
	   no copy of the superblock comes home. */
	uint32_t	log_from, log_count;
	const struct broken_off *broken_off;	/* or NULL */
	struct e2lazy_where *where;
	const struct e2lazy_watch *watch;	/* or NULL */
	uint8_t		*mmp;		/* old MMP block, or NULL */
	blk64_t		mmp_block;
};

/*
 * Read the MMP block.  Call it before target_open(), which writes that block.
 * Call keep_old_free() even after an error.
 */
errcode_t keep_old_begin(struct keep_old *k, const struct e2lazy_view *view);
/*
 * With the target locked and open: hand out every block that will be written.
 */
errcode_t keep_old(struct keep_old *k);
/* The same for a table that writes nothing but single blocks. */
errcode_t keep_old_singles(struct keep_old *k,
			   const struct e2lazy_super_states *states);
void keep_old_free(struct keep_old *k);

#endif
