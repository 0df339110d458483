/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash.h - hashes for the tables of the library
 *
 * A table of names begins its hashes with hash_seed(), so that nobody can
 * choose names that collide.  A table of 32-bit numbers needs none: too few of
 * them collide to slow it down.
 */
#ifndef E2LAZY_HASH_H
#define E2LAZY_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/random.h>

#define HASH_BEGIN	UINT32_C(2166136261)

static inline uint32_t hash_seed(void)
{
	uint32_t seed;

	/* Without random numbers a table only is slower. */
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = HASH_BEGIN;
	return seed;
}

/* FNV-1a.  The lowest bits know only those of the bytes: see hash_mixed(). */
static inline uint32_t hash_bytes(uint32_t begin, const void *bytes,
				  size_t length)
{
	const uint8_t *p = bytes;
	uint32_t hash = begin;

	while (length--)
		hash = (hash ^ *p++) * UINT32_C(16777619);
	return hash;
}

static inline uint32_t hash_mixed(uint32_t hash)
{
	return hash ^ hash >> 15;
}

static inline uint32_t hash_number(uint32_t number)
{
	return hash_mixed(number * UINT32_C(2654435761));
}

#endif
