/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * model_ops.h - the members that every kind of modelled drive has
 */
#ifndef BAND_MODEL_OPS_H
#define BAND_MODEL_OPS_H

#include <ext2fs/ext2fs.h>

#include "read_ahead.h"
#include "series.h"

struct e2lazy_model;

struct model_ops {
	/*
	 * The caller checked: @t never decreases, and the range is on the disk.
	 */
	errcode_t	(*io)(struct e2lazy_model *model, uint64_t t,
			      enum e2lazy_op op, uint64_t offset,
			      uint64_t length, uint64_t *done);
	errcode_t	(*settle)(struct e2lazy_model *model,
				  uint64_t *written, uint64_t *done);
	void		(*free)(struct e2lazy_model *model);
};

/* Each kind's struct begins with this member. */
struct e2lazy_model {
	const struct model_ops *ops;
	struct e2lazy_params params;
	struct mechanics mechanics;
	struct read_ahead ahead;
	struct e2lazy_counters counters;
	struct e2lazy_series series;
	uint64_t	last;		/* time of the latest request */
};

static inline uint64_t param(const struct e2lazy_model *m,
			     enum e2lazy_param which)
{
	return m->params.value[which];
}

/* stl.c: shingled drives, and conventional disks, which have no cache. */
errcode_t stl_new(const struct e2lazy_params *params,
		  struct e2lazy_model **out);
errcode_t zone_cache_new(const struct e2lazy_params *params,
			 struct e2lazy_model **out);

#endif
