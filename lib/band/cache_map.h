/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cache_map.h - the bytes of the disk that have their newest copy in the cache
 *
 * A band has its extents, in order and without overlap, and the space in the
 * cache of all its entries since its last cleaning.
 */
#ifndef BAND_CACHE_MAP_H
#define BAND_CACHE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ext2fs/ext2fs.h>

#include "e2lazy_model.h"

struct cache_extent {
	uint64_t	start, length;	/* bytes of the disk */
	uint64_t	log;		/* their place in the cache, in bytes */
};

struct cached_band {
	uint64_t	number;
	struct cache_extent *extents;
	size_t		count, room;
	uint64_t	space;		/* bytes of the cache */
	bool		torn;		/* needs a cleaning in any case */
	struct cached_band *older, *newer;	/* by when it became dirty */
};

struct cache_map {
	uint64_t	band_bytes;
	uint64_t	nr_bands;
	struct cached_band **bands;	/* by number; NULL: clean */
	struct cached_band *oldest, *newest;
	uint8_t		*ever;		/* bits: bands that were ever dirty */
	uint64_t	entries, space, dirty, touched;
};

errcode_t cache_map_init(struct cache_map *map, uint64_t disk, uint64_t band);
void cache_map_free(struct cache_map *map);

/* The bytes from @start to the end of its band, at most @length. */
uint64_t cache_map_in_band(const struct cache_map *map, uint64_t start,
			   uint64_t length);
/*
 * The bytes [@start, @start + @length), all in one band, are now in the cache
 * at @log, and take @space there.
 */
errcode_t cache_map_add(struct cache_map *map, uint64_t start, uint64_t length,
			uint64_t log, uint64_t space);
/* Forget the range, which may span bands: the cache has it no more. */
errcode_t cache_map_remove(struct cache_map *map, uint64_t start,
			   uint64_t length);
/* Mark @band for a cleaning, even if the cache has nothing of it. */
errcode_t cache_map_tear(struct cache_map *map, uint64_t band);
/*
 * The first bytes of the range, all in one band, that one read fetches: from
 * the cache at *@log, or from the band, and then *@log is UINT64_MAX.
 */
uint64_t cache_map_piece(const struct cache_map *map, uint64_t start,
			 uint64_t length, uint64_t *log);

/* The band to clean next; NULL: no band is dirty. */
struct cached_band *cache_map_pick(const struct cache_map *map,
				   enum e2lazy_order order);
/* @band is clean: free it with its extents. */
void cache_map_drop(struct cache_map *map, struct cached_band *band);

#endif
