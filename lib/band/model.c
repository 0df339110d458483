/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * model.c - a modelled drive, whatever its kind
 */

#include "model_ops.h"

/* Disk and cache together, in bytes: the limit of mechanics.c's arithmetic. */
#define MOST_SPAN	((uint64_t)1 << 50)

static bool makes_sense(const struct e2lazy_params *params)
{
	const uint64_t *p = params->value;

	return p[E2LAZY_PARAM_RATE_OUTER] >= p[E2LAZY_PARAM_RATE_INNER] &&
	       p[E2LAZY_PARAM_SEEK_MOST] >= p[E2LAZY_PARAM_SEEK_LEAST] &&
	       p[E2LAZY_PARAM_DISK] + p[E2LAZY_PARAM_CACHE] <= MOST_SPAN;
}

errcode_t e2lazy_model_new(const struct e2lazy_params *params,
			   struct e2lazy_model **out)
{
	struct e2lazy_model *model;
	errcode_t err;

	if (!makes_sense(params))
		return EXT2_ET_INVALID_ARGUMENT;
	err = params->value[E2LAZY_PARAM_KIND] == E2LAZY_MODEL_ZONE_CACHE ?
	      zone_cache_new(params, &model) : stl_new(params, &model);
	if (err)
		return err;
	series_init(&model->series);
	*out = model;
	return 0;
}

void e2lazy_model_free(struct e2lazy_model *model)
{
	if (model)
		model->ops->free(model);
}

static bool is_possible(const struct e2lazy_model *m, enum e2lazy_op op,
			uint64_t offset, uint64_t length)
{
	uint64_t disk = param(m, E2LAZY_PARAM_DISK);

	return op < E2LAZY_NR_OPS && offset <= disk && length <= disk - offset;
}

errcode_t e2lazy_model_io(struct e2lazy_model *m, uint64_t t,
			  enum e2lazy_op op, uint64_t offset, uint64_t length,
			  uint64_t *done)
{
	struct e2lazy_sample *sample;
	errcode_t err = 0;

	if (!is_possible(m, op, offset, length))
		return EXT2_ET_INVALID_ARGUMENT;
	if (t < m->last)
		t = m->last;
	m->last = t;
	m->counters.requests[op]++;
	m->counters.bytes[op] += length;
	*done = t;
	if (length || op == E2LAZY_OP_FLUSH)
		err = m->ops->io(m, t, op, offset, length, done);
	m->counters.seeks = m->mechanics.moves;
	m->counters.buffered = m->ahead.hits;
	sample = series_at(&m->series, *done, &m->counters);
	if (op == E2LAZY_OP_READ)
		sample->read += length;
	else if (op == E2LAZY_OP_WRITE)
		sample->written += length;
	return err;
}

errcode_t e2lazy_model_settle(struct e2lazy_model *m, uint64_t *written,
			      uint64_t *done)
{
	uint64_t unused;
	errcode_t err = m->ops->settle(m, written ? written : &unused, done);

	m->counters.seeks = m->mechanics.moves;
	series_at(&m->series, *done, &m->counters);
	return err;
}

const struct e2lazy_counters *
e2lazy_model_counters(const struct e2lazy_model *m)
{
	return &m->counters;
}

const struct e2lazy_series *e2lazy_model_series(const struct e2lazy_model *m)
{
	return &m->series;
}
