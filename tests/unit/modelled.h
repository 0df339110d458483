/* SPDX-License-Identifier: GPL-2.0-only */
/* modelled.h - a modelled drive whose times can be computed by hand */
#ifndef UNIT_MODELLED_H
#define UNIT_MODELLED_H

#include "e2lazy_model.h"
#include "fixture.h"

#define KIB		((uint64_t)1 << 10)
#define MIB		(KIB << 10)
#define GIB		(MIB << 10)
#define MS		1000000ULL
#define SECOND		(1000 * MS)
#define HOUR		(3600 * SECOND)

/*
 * A shingled drive that has 100 MiB/s everywhere; a move takes 1 ms and half a
 * turn, 5 ms, and there is no other cost.
 */
struct e2lazy_params simple(void);

struct run {
	struct e2lazy_model *model;
	uint64_t	t;
};

struct run drive(const struct e2lazy_params *p);
/* Each begins when the last one ends; returns the time it took. */
uint64_t request(struct run *r, enum e2lazy_op op, uint64_t offset,
		 uint64_t length);
uint64_t write_at(struct run *r, uint64_t offset, uint64_t length);
/* In commands of 256 KiB, like Linux. */
void write_long(struct run *r, uint64_t offset, uint64_t length);
/* The time of cleaning after all; the counters then count it. */
uint64_t settle(struct run *r);
const struct e2lazy_counters *counters(const struct run *r);

#endif
