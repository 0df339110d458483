/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cache_map.c - the bytes of the disk that have their newest copy in the cache
 */

#include <stdlib.h>
#include <string.h>

#include "cache_map.h"
#include "io/halve.h"

/*
 * More bands are a slip in the parameters: this many take 64 MiB of pointers.
 */
#define MOST_BANDS	((uint64_t)1 << 23)

errcode_t cache_map_init(struct cache_map *map, uint64_t disk, uint64_t band)
{
	memset(map, 0, sizeof(*map));
	map->band_bytes = band;
	map->nr_bands = (disk + band - 1) / band;
	if (map->nr_bands > MOST_BANDS)
		return EXT2_ET_INVALID_ARGUMENT;
	map->bands = calloc(map->nr_bands, sizeof(*map->bands));
	map->ever = calloc(map->nr_bands / 8 + 1, 1);
	return map->bands && map->ever ? 0 : EXT2_ET_NO_MEMORY;
}

void cache_map_free(struct cache_map *map)
{
	while (map->oldest)
		cache_map_drop(map, map->oldest);
	free(map->bands);
	free(map->ever);
}

/* -------------------------------------------------------- dirty bands */

static struct cached_band *dirty_band(struct cache_map *map, uint64_t number)
{
	struct cached_band *band = map->bands[number];
	uint8_t bit = 1U << number % 8;

	if (band)
		return band;
	band = calloc(1, sizeof(*band));
	if (!band)
		return NULL;
	band->number = number;
	band->older = map->newest;
	if (map->newest)
		map->newest->newer = band;
	else
		map->oldest = band;
	map->newest = band;
	map->bands[number] = band;
	map->dirty++;
	if (!(map->ever[number / 8] & bit))
		map->touched++;
	map->ever[number / 8] |= bit;
	return band;
}

void cache_map_drop(struct cache_map *map, struct cached_band *band)
{
	*(band->older ? &band->older->newer : &map->oldest) = band->newer;
	*(band->newer ? &band->newer->older : &map->newest) = band->older;
	map->bands[band->number] = NULL;
	map->dirty--;
	map->entries -= band->count;
	map->space -= band->space;
	free(band->extents);
	free(band);
}

struct cached_band *cache_map_pick(const struct cache_map *map,
				   enum e2lazy_order order)
{
	struct cached_band *band, *best = map->oldest;

	if (order == E2LAZY_ORDER_FIFO)
		return best;
	for (band = best; band; band = band->newer)
		if (band->space > best->space)
			best = band;
	return best;
}

errcode_t cache_map_tear(struct cache_map *map, uint64_t number)
{
	struct cached_band *band = dirty_band(map, number);

	if (!band)
		return EXT2_ET_NO_MEMORY;
	band->torn = true;
	return 0;
}

/* ------------------------------------------------------------ extents */

static uint64_t end_of(const struct cache_extent *extent)
{
	return extent->start + extent->length;
}

/* The first extent that ends behind @at. */
static size_t first_behind(const struct cached_band *band, uint64_t at)
{
	struct halving h = { .high = band->count };

	while (halve(&h))
		halved(&h, end_of(&band->extents[h.mid]) <= at);
	return h.low;
}

/* @count extents replace the extents [@from, @to). */
static errcode_t splice(struct cache_map *map, struct cached_band *band,
			size_t from, size_t to,
			const struct cache_extent *extents, size_t count)
{
	size_t left = band->count - to, all = from + count + left;
	struct cache_extent *more;

	if (all > band->room) {
		size_t room = all + all / 2 + 4;

		more = reallocarray(band->extents, room, sizeof(*more));
		if (!more)
			return EXT2_ET_NO_MEMORY;
		band->extents = more;
		band->room = room;
	}
	if (left)
		memmove(band->extents + from + count, band->extents + to,
			left * sizeof(*extents));
	if (count)
		memcpy(band->extents + from, extents,
		       count * sizeof(*extents));
	map->entries = map->entries - band->count + all;
	band->count = all;
	return 0;
}

/* The part of @extent before @end.  Returns the number of extents: 0 or 1. */
static size_t keep_before(const struct cache_extent *extent, uint64_t end,
			  struct cache_extent *out)
{
	if (extent->start >= end)
		return 0;
	*out = *extent;
	out->length = end - extent->start;
	return 1;
}

static size_t keep_behind(const struct cache_extent *extent, uint64_t start,
			  struct cache_extent *out)
{
	if (end_of(extent) <= start)
		return 0;
	out->start = start > extent->start ? start : extent->start;
	out->length = end_of(extent) - out->start;
	out->log = extent->log + (out->start - extent->start);
	return 1;
}

/* @by replaces all that overlaps [@start, @end); NULL: nothing replaces it. */
static errcode_t replace(struct cache_map *map, struct cached_band *band,
			 uint64_t start, uint64_t end,
			 const struct cache_extent *by)
{
	size_t from = first_behind(band, start), to = from, n = 0;
	struct cache_extent pieces[3];

	while (to < band->count && band->extents[to].start < end)
		to++;
	if (from < to)
		n += keep_before(&band->extents[from], start, &pieces[n]);
	if (by)
		pieces[n++] = *by;
	if (from < to)
		n += keep_behind(&band->extents[to - 1], end, &pieces[n]);
	return splice(map, band, from, to, pieces, n);
}

/*
 * Join the extent at @start to the one before it, if both adjoin in the cache.
 */
static errcode_t join(struct cache_map *map, struct cached_band *band,
		      uint64_t start)
{
	size_t at = first_behind(band, start);
	struct cache_extent *here = &band->extents[at], *before = here - 1;
	struct cache_extent both;

	if (!at || end_of(before) != here->start ||
	    before->log + before->length != here->log)
		return 0;
	both = *before;
	both.length += here->length;
	return splice(map, band, at - 1, at + 1, &both, 1);
}

uint64_t cache_map_in_band(const struct cache_map *map, uint64_t start,
			   uint64_t length)
{
	uint64_t left = map->band_bytes - start % map->band_bytes;

	return length < left ? length : left;
}

errcode_t cache_map_add(struct cache_map *map, uint64_t start, uint64_t length,
			uint64_t log, uint64_t space)
{
	struct cached_band *band = dirty_band(map, start / map->band_bytes);
	struct cache_extent added = {
		.start = start, .length = length, .log = log,
	};
	errcode_t err;

	if (!band)
		return EXT2_ET_NO_MEMORY;
	band->space += space;
	map->space += space;
	err = replace(map, band, start, start + length, &added);
	return err ? err : join(map, band, start);
}

errcode_t cache_map_remove(struct cache_map *map, uint64_t start,
			   uint64_t length)
{
	errcode_t err = 0;

	while (length && !err) {
		uint64_t part = cache_map_in_band(map, start, length);
		struct cached_band *band = map->bands[start / map->band_bytes];

		if (band)
			err = replace(map, band, start, start + part, NULL);
		if (band && !band->count && !band->torn)
			cache_map_drop(map, band);
		start += part;
		length -= part;
	}
	return err;
}

uint64_t cache_map_piece(const struct cache_map *map, uint64_t start,
			 uint64_t length, uint64_t *log)
{
	const struct cached_band *band = map->bands[start / map->band_bytes];
	const struct cache_extent *extent;
	size_t at = band ? first_behind(band, start) : 0;

	*log = UINT64_MAX;
	if (!band || at == band->count)
		return length;
	extent = &band->extents[at];
	if (extent->start > start)
		return length < extent->start - start ?
		       length : extent->start - start;
	*log = extent->log + (start - extent->start);
	return length < end_of(extent) - start ?
	       length : end_of(extent) - start;
}
