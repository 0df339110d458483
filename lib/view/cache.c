/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cache.c - packed live copies in memory */

#include <stdlib.h>

#include "cache.h"
#include "packed.h"

void cache_free(struct cache *kept)
{
	if (!kept)
		return;
	for (size_t i = 0; kept->packed && i < kept->count; i++)
		free(kept->packed[i]);
	free(kept->packed);
	free(kept);
}

struct cache *cache_new(size_t count, unsigned size)
{
	struct cache *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->size = size;
	k->count = count;
	k->packed = calloc(count, sizeof(*k->packed));
	if (!k->packed) {
		cache_free(k);
		return NULL;
	}
	return k;
}

bool cache_get(const struct cache *kept, size_t index, void *block)
{
	if (!cache_has(kept, index))
		return false;
	block_unpack(kept->packed[index], block, kept->size);
	return true;
}
