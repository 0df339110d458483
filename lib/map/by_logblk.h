/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * by_logblk.h - a number, or a bit, for each block of the ring
 *
 * A superblock can declare a ring of up to 2^32 blocks, so only those parts of
 * it take memory that have a number.
 */
#ifndef E2LAZY_BY_LOGBLK_H
#define E2LAZY_BY_LOGBLK_H

#include "log/log.h"

#define BY_LOGBLK_BITS	14
#define BY_LOGBLK_PART	(1U << BY_LOGBLK_BITS)	/* blocks of the ring */

struct by_logblk {
	uint32_t	**parts;	/* NULL: nobody wants any; NULL ones have
					   only zeros */
	uint32_t	nr;		/* parts */
	uint32_t	size;		/* of a part, in words */
	uint32_t	first;		/* log block of the ring */
};

/* @bits: 32 for numbers, 1 for bits. */
errcode_t by_logblk_init(struct by_logblk *array,
			 const struct e2lazy_geometry *geo, unsigned bits);
void by_logblk_free(struct by_logblk *array);
/* The part that has @logblk, made if it is missing; NULL without memory. */
uint32_t *by_logblk_part(struct by_logblk *array, uint32_t logblk);

static inline errcode_t by_logblk_set(struct by_logblk *a, uint32_t logblk,
				      uint32_t number)
{
	uint32_t *part = by_logblk_part(a, logblk);

	if (!part)
		return EXT2_ET_NO_MEMORY;
	part[(logblk - a->first) % BY_LOGBLK_PART] = number;
	return 0;
}

static inline uint32_t by_logblk_get(const struct by_logblk *a, uint32_t logblk)
{
	const uint32_t *part = a->parts[(logblk - a->first) >> BY_LOGBLK_BITS];

	return part ? part[(logblk - a->first) % BY_LOGBLK_PART] : 0;
}

static inline errcode_t by_logblk_mark(struct by_logblk *a, uint32_t logblk)
{
	uint32_t *part = by_logblk_part(a, logblk);
	uint32_t at = (logblk - a->first) % BY_LOGBLK_PART;

	if (!part)
		return EXT2_ET_NO_MEMORY;
	part[at / 32] |= 1U << at % 32;
	return 0;
}

static inline bool by_logblk_marked(const struct by_logblk *a, uint32_t logblk)
{
	const uint32_t *part = a->parts[(logblk - a->first) >> BY_LOGBLK_BITS];
	uint32_t at = (logblk - a->first) % BY_LOGBLK_PART;

	return part && part[at / 32] >> at % 32 & 1;
}

#endif
