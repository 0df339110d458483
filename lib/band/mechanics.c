/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mechanics.c - arm and platter: how long the head takes
 *
 * All arithmetic is in integers.  Products take places and the span in MiB:
 * 1 PiB times 10 GiB/s is then below 2^64.
 */

#include "mechanics.h"

#define NS		1000000000ULL
#define MIB_SHIFT	20
#define ONE		((uint64_t)1 << 30)	/* 1 as a fixed-point number */

void mechanics_init(struct mechanics *m, const struct e2lazy_params *params,
		    uint64_t span)
{
	const uint64_t *p = params->value;

	*m = (struct mechanics) {
		.span = span,
		.outer = p[E2LAZY_PARAM_RATE_OUTER],
		.inner = p[E2LAZY_PARAM_RATE_INNER],
		.seek_least = p[E2LAZY_PARAM_SEEK_LEAST],
		.seek_most = p[E2LAZY_PARAM_SEEK_MOST],
		.half_turn = 30 * NS / p[E2LAZY_PARAM_RPM],
	};
}

static uint64_t root(uint64_t value)
{
	uint64_t result = 0, bit = (uint64_t)1 << 60;

	while (bit > value)
		bit >>= 2;
	for (; bit; bit >>= 2) {
		if (value >= result + bit) {
			value -= result + bit;
			result = (result >> 1) + bit;
		} else {
			result >>= 1;
		}
	}
	return result;
}

/* @part as a fraction of the whole surface; ONE is all of it. */
static uint64_t fraction(const struct mechanics *m, uint64_t part)
{
	uint64_t whole = m->span >> MIB_SHIFT;

	part >>= MIB_SHIFT;
	if (part >= whole)
		return ONE;
	return part * ONE / whole;
}

uint64_t mechanics_move(struct mechanics *m, uint64_t place)
{
	uint64_t way = place > m->head ? place - m->head : m->head - place;

	if (!way)
		return 0;
	m->head = place;
	m->moves++;
	return m->seek_least + m->half_turn +
	       ((m->seek_most - m->seek_least) *
		root(fraction(m, way) * ONE) / ONE);
}

uint64_t mechanics_transfer(const struct mechanics *m, uint64_t place,
			    uint64_t bytes)
{
	uint64_t whole = m->span >> MIB_SHIFT, at = place >> MIB_SHIFT, rate;

	rate = at >= whole ? m->inner :
	       m->outer - (m->outer - m->inner) * at / whole;
	return bytes / rate * NS + bytes % rate * NS / rate;
}

uint64_t mechanics_access(struct mechanics *m, uint64_t place, uint64_t bytes)
{
	uint64_t ns = mechanics_move(m, place);

	ns += mechanics_transfer(m, place, bytes);
	m->head = place + bytes;
	return ns;
}
