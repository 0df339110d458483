/* SPDX-License-Identifier: GPL-2.0-only */
/* window.h - how long the machine is down for a checkpoint */
#ifndef MISC_CHECK_WINDOW_H
#define MISC_CHECK_WINDOW_H

#include "ck.h"

struct window_runs {
	struct window_run {
		uint64_t	block;
		uint32_t	count;
	} *at;
	size_t		count, room;
	bool		failed;		/* out of memory */
};

struct window {
	struct window_runs checkpoint, replay;
};

/* Seconds; the drive cleans before anything else is done. */
struct window_times {
	bool		known;
	double		check, undo, write, cleaning, verify, fsck, total;
	double		replay, replay_cleaning;	/* by a mount */
};

/* Writes of a plan: band changes, and the runs themselves. */
struct window_counted {
	struct e2lazy_band_writes bands;
	struct window_runs *runs;	/* NULL: not wanted */
};

/* For struct e2lazy_plan_writes; @priv: a struct window_counted. */
void window_write(void *priv, blk64_t block, uint32_t count);
/* @rate: bytes a second, without a drive; 0: unknown. */
bool window_times(struct ck *ck, const struct window *w, uint64_t rate,
		  struct window_times *t);
void window_close(struct window *w);

#endif
