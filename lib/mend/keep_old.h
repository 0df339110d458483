/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* keep_old.h - what a checkpoint is about to overwrite, told beforehand */
#ifndef E2LAZY_KEEP_OLD_H
#define E2LAZY_KEEP_OLD_H

#include "view/view.h"
#include "mend.h"
#include "schedule.h"

struct keep_old {
	const struct e2lazy_keeper *keeper;
	const struct e2lazy_view *view;
	const struct target *target;
	const struct schedule *schedule;	/* all of it still to be done */
	const struct seal_table *table;	/* likewise */
	struct e2lazy_where *where;
	const struct e2lazy_watch *watch;	/* or NULL */
	uint8_t		*mmp;		/* that block, or NULL */
	blk64_t		mmp_block;
};

/*
 * Before the target is opened, which writes where multiple mount protection is
 * on.  To be freed by keep_old_free().
 */
errcode_t keep_old_begin(struct keep_old *k, const struct e2lazy_view *view);
/* Once it is locked and open: tell of every block that will be written. */
errcode_t keep_old(struct keep_old *k);
void keep_old_free(struct keep_old *k);

#endif
