/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* watch.h - long calls report progress and ask whether to stop */
#ifndef E2LAZY_WATCH_INTERNAL_H
#define E2LAZY_WATCH_INTERNAL_H

#include "e2lazy_watch.h"

static inline errcode_t watch_stop(const struct e2lazy_watch *watch)
{
	return watch && watch->stop ? watch->stop(watch->priv) : 0;
}

static inline errcode_t watch_tick(const struct e2lazy_watch *watch,
				   enum e2lazy_phase phase, uint64_t done,
				   uint64_t total)
{
	errcode_t err = watch_stop(watch);

	return err || !watch || !watch->progress ?
		       err : watch->progress(watch->priv, phase, done, total);
}

/* For a part of a call that has no phase of its own. */
static inline struct e2lazy_watch stop_alone(const struct e2lazy_watch *watch)
{
	struct e2lazy_watch alone = { .stop = watch ? watch->stop : NULL,
				      .priv = watch ? watch->priv : NULL };

	return alone;
}

#endif
