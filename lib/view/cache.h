/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cache.h - live copies in memory, sound and unescaped
 *
 * The packed copies lie one behind the other in large chunks: a malloc() for
 * each took more time than packing it.
 */
#ifndef E2LAZY_CACHE_H
#define E2LAZY_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chunk;

/* See e2lazy_view_keep(). */
struct cache {
	unsigned	size;		/* of a block */
	size_t		count;		/* mappings */
	uint8_t		**packed;	/* one a mapping; NULL: not in memory */

	pthread_mutex_t	lock;		/* guards the rest */
	struct chunk	*last;		/* of all; the next copy goes there */
	uint64_t	room, taken;	/* bytes of packed copies */
	uint64_t	stored;		/* copies in @taken */
	bool		full;		/* or there was no memory */
};

/* @kept may be NULL. */
static inline bool cache_has(const struct cache *kept, size_t index)
{
	return kept && kept->packed[index];
}

/*
 * An empty cache for @count mappings whose packed copies take about @room bytes
 * at most: the last one may reach beyond.  NULL without memory.
 */
struct cache *cache_new(size_t count, unsigned size, uint64_t room);
void cache_free(struct cache *kept);

/*
 * Pack a copy.  Without room for it, or without memory, the cache has it not,
 * and cache_fits() is false from then on.  Threads may do this at a time, each
 * with other copies.
 */
void cache_put(struct cache *kept, size_t index, const uint8_t *block);
/*
 * Will all copies fit?  False also when they clearly will not: after some of
 * them, at their average, all would exceed the room by half.
 */
bool cache_fits(struct cache *kept);

/* False, and @block unchanged, if the copy is not in memory. */
bool cache_get(const struct cache *kept, size_t index, void *block);

#endif
