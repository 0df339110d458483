/* SPDX-License-Identifier: GPL-2.0-only */
/* modelled.c - a modelled drive that one can reckon with by hand */

#include "modelled.h"

struct e2lazy_params simple(void)
{
	struct e2lazy_params p;

	e2lazy_params_default(&p);
	p.value[E2LAZY_PARAM_KIND] = E2LAZY_MODEL_SHINGLED;
	p.value[E2LAZY_PARAM_DISK] = 100 * GIB;
	p.value[E2LAZY_PARAM_RATE_OUTER] = 100 * MIB;
	p.value[E2LAZY_PARAM_RATE_INNER] = 100 * MIB;
	p.value[E2LAZY_PARAM_RPM] = 6000;
	p.value[E2LAZY_PARAM_SEEK_LEAST] = 1 * MS;
	p.value[E2LAZY_PARAM_SEEK_MOST] = 1 * MS;
	p.value[E2LAZY_PARAM_CLEAN_FIXED] = 0;
	p.value[E2LAZY_PARAM_SMALL_COST] = 0;
	return p;
}

struct run drive(const struct e2lazy_params *p)
{
	struct run r = { .t = 0 };

	ck_assert_int_eq(e2lazy_model_new(p, &r.model), 0);
	return r;
}

uint64_t request(struct run *r, enum e2lazy_op op, uint64_t offset,
		 uint64_t length)
{
	uint64_t began = r->t;

	ck_assert_int_eq(e2lazy_model_io(r->model, r->t, op, offset, length,
					 &r->t), 0);
	ck_assert_uint_ge(r->t, began);
	return r->t - began;
}

uint64_t write_at(struct run *r, uint64_t offset, uint64_t length)
{
	return request(r, E2LAZY_OP_WRITE, offset, length);
}

void write_long(struct run *r, uint64_t offset, uint64_t length)
{
	while (length) {
		uint64_t part = length < 256 * KIB ? length : 256 * KIB;

		write_at(r, offset, part);
		offset += part;
		length -= part;
	}
}

uint64_t settle(struct run *r)
{
	uint64_t written;

	ck_assert_int_eq(e2lazy_model_settle(r->model, &written, &r->t), 0);
	ck_assert_uint_ge(r->t, written);
	return r->t - written;
}

const struct e2lazy_counters *counters(const struct run *r)
{
	return e2lazy_model_counters(r->model);
}
