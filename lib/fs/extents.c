/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* extents.c - the map of an inode as a list of extents */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/halve.h"
#include "extents.h"

void extents_free(struct extents *map)
{
	free(map->at);
	memset(map, 0, sizeof(*map));
}

/* The first extent that ends after @lblk. */
static size_t first_after(const struct extents *map, uint64_t lblk)
{
	struct halving h = { .high = map->nr };

	while (halve(&h))
		halved(&h, (uint64_t)map->at[h.mid].lblk +
			   map->at[h.mid].count <= lblk);
	return h.low;
}

static errcode_t insert(struct extents *map, size_t index,
			const struct extent *e)
{
	struct extent *at = grow(map->at, map->nr, &map->room, sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	map->at = at;
	memmove(at + index + 1, at + index, (map->nr - index) * sizeof(*at));
	at[index] = *e;
	map->nr++;
	return 0;
}

/* Cut the extent at @index so that a piece ends before @lblk inside of it. */
static errcode_t cut(struct extents *map, size_t index, uint64_t lblk)
{
	struct extent *e = map->at + index, rest = *e;
	uint32_t kept = (uint32_t)(lblk - e->lblk);

	rest.lblk += kept;
	rest.fsblk += kept;
	rest.count -= kept;
	e->count = kept;
	return insert(map, index + 1, &rest);
}

errcode_t extents_remove(struct extents *map, uint64_t lblk, uint64_t count)
{
	uint64_t end = lblk + count;
	size_t i = first_after(map, lblk), last;
	errcode_t err;

	if (i < map->nr && map->at[i].lblk < lblk) {
		err = cut(map, i++, lblk);
		if (err)
			return err;
	}
	last = first_after(map, end);
	if (last < map->nr && map->at[last].lblk < end) {
		err = cut(map, last++, end);
		if (err)
			return err;
	}
	if (last > i)
		memmove(map->at + i, map->at + last,
			(map->nr - last) * sizeof(*map->at));
	map->nr -= last - i;
	return 0;
}

errcode_t extents_add(struct extents *map, const struct extent *more)
{
	errcode_t err = extents_remove(map, more->lblk, more->count);

	return err ? err : insert(map, first_after(map, more->lblk), more);
}

blk64_t extents_find(const struct extents *map, uint32_t lblk)
{
	size_t i = first_after(map, lblk);

	if (i == map->nr || map->at[i].lblk > lblk)
		return 0;
	return map->at[i].fsblk + (lblk - map->at[i].lblk);
}

/* A piece of the tree has at most 32768 blocks, an unwritten one one less. */
static bool joins(const struct extent *a, const struct extent *b)
{
	return a->unwritten == b->unwritten &&
	       a->lblk + a->count == b->lblk &&
	       a->fsblk + a->count == b->fsblk &&
	       (uint64_t)a->count + b->count <= 32768U - a->unwritten;
}

void extents_tidy(struct extents *map)
{
	size_t to = 0;

	for (size_t i = 0; i < map->nr; i++) {
		if (to && joins(map->at + to - 1, map->at + i))
			map->at[to - 1].count += map->at[i].count;
		else
			map->at[to++] = map->at[i];
	}
	map->nr = to;
}

blk64_t extents_blocks(const struct extents *map)
{
	blk64_t blocks = 0;

	for (size_t i = 0; i < map->nr; i++)
		blocks += map->at[i].count;
	return blocks;
}
