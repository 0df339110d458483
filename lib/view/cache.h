/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cache.h - live copies in memory, sound and unescaped */
#ifndef E2LAZY_CACHE_H
#define E2LAZY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* See e2lazy_view_keep(). */
struct cache {
	unsigned	size;		/* of a block */
	size_t		count;		/* mappings */
	uint8_t		**packed;	/* one a mapping; NULL: not in memory */
};

/* @kept may be NULL. */
static inline bool cache_has(const struct cache *kept, size_t index)
{
	return kept && kept->packed[index];
}

/* An empty cache for @count mappings; NULL without memory. */
struct cache *cache_new(size_t count, unsigned size);
/* False, and @block unchanged, if the copy is not in memory. */
bool cache_get(const struct cache *kept, size_t index, void *block);
void cache_free(struct cache *kept);

#endif
