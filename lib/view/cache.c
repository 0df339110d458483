/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cache.c - packed live copies in memory */

#include <stdlib.h>

#include <ext2fs/ext2fs.h>

#include "cache.h"
#include "packed.h"

#define CHUNK_BYTES	((size_t)1 << 20)
#define PART_TO_JUDGE_BY 16

struct chunk {
	struct chunk	*before;
	uint8_t		*bytes;		/* CHUNK_BYTES */
	size_t		used;
};

/* ------------------------------------------------------------ the chunks */

static struct chunk *chunk_behind(struct chunk *before)
{
	struct chunk *chunk = calloc(1, sizeof(*chunk));

	if (!chunk)
		return NULL;
	chunk->before = before;
	if (!ext2fs_get_memalign(CHUNK_BYTES, PIECE, &chunk->bytes))
		return chunk;
	free(chunk);
	return NULL;
}

static void free_chunks(struct chunk *chunk)
{
	while (chunk) {
		struct chunk *before = chunk->before;

		ext2fs_free_mem(&chunk->bytes);
		free(chunk);
		chunk = before;
	}
}

/* What is left of a chunk when the next one begins counts as taken, too. */
static uint8_t *take_room(struct cache *kept, size_t bytes)
{
	struct chunk *chunk = kept->last;

	if (!chunk || CHUNK_BYTES - chunk->used < bytes) {
		kept->taken += chunk ? CHUNK_BYTES - chunk->used : 0;
		chunk = chunk_behind(chunk);
		if (!chunk)
			return NULL;
		kept->last = chunk;
	}
	chunk->used += bytes;
	kept->taken += bytes;
	kept->stored++;
	return chunk->bytes + chunk->used - bytes;
}

/* ------------------------------------------------------------ the copies */

void cache_put(struct cache *kept, size_t index, const uint8_t *block)
{
	struct pieces pieces;
	uint8_t *to = NULL;

	block_pieces(block, kept->size, &pieces);
	pthread_mutex_lock(&kept->lock);
	if (!kept->full && kept->taken <= kept->room)
		to = take_room(kept, pieces.bytes);
	kept->full |= !to;
	pthread_mutex_unlock(&kept->lock);
	if (to)
		block_pack(block, kept->size, &pieces, to);
	kept->packed[index] = to;
}

bool cache_fits(struct cache *kept)
{
	bool fits;

	pthread_mutex_lock(&kept->lock);
	fits = !kept->full && kept->taken <= kept->room &&
	       (kept->stored <= kept->count / PART_TO_JUDGE_BY ||
		kept->taken / kept->stored <=
		kept->room / 2 * 3 / kept->count);
	pthread_mutex_unlock(&kept->lock);
	return fits;
}

bool cache_get(const struct cache *kept, size_t index, void *block)
{
	if (!cache_has(kept, index))
		return false;
	block_unpack(kept->packed[index], block, kept->size);
	return true;
}

/* ------------------------------------------------------------- all of it */

void cache_free(struct cache *kept)
{
	if (!kept)
		return;
	free_chunks(kept->last);
	pthread_mutex_destroy(&kept->lock);
	free(kept->packed);
	free(kept);
}

struct cache *cache_new(size_t count, unsigned size, uint64_t room)
{
	struct cache *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->size = size;
	k->count = count;
	k->room = room;
	pthread_mutex_init(&k->lock, NULL);
	k->packed = calloc(count, sizeof(*k->packed));
	if (!k->packed) {
		cache_free(k);
		return NULL;
	}
	return k;
}
