/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cache.h - live copies in memory, sound and unescaped */
#ifndef E2LAZY_CACHE_H
#define E2LAZY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* See e2lazy_view_keep(). Packed, by mapping; NULL where one is not kept. */
struct cache {
	unsigned	size;		/* of a block */
	size_t		count;		/* mappings */
	uint8_t		**packed;
};

/* @kept may be NULL: nothing is kept. */
static inline bool cache_has(const struct cache *kept, size_t index)
{
	return kept && kept->packed[index];
}

/* For @count mappings; NULL: out of memory. */
struct cache *cache_new(size_t count, unsigned size);
/* False, and @block as it was, where it is not kept. */
bool cache_get(const struct cache *kept, size_t index, void *block);
void cache_free(struct cache *kept);

#endif
