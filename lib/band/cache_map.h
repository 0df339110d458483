/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cache_map.h - which bytes of the disk have their newest copy in the cache
 *
 * A band has its extents, in order and without overlap, and the room that all
 * that was logged for it since its last cleaning takes in the cache.
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
	uint64_t	log;		/* where they are in the cache */
};

struct cached_band {
	uint64_t	number;
	struct cache_extent *extents;
	size_t		count, room;
	uint64_t	space;		/* in the cache */
	bool		torn;		/* to be rewritten, extents or none */
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

/* Bytes from @start on, at most @length, that are in one band. */
uint64_t cache_map_in_band(const struct cache_map *map, uint64_t start,
			   uint64_t length);
/*
 * [@start, @start + @length), all in one band, are now at @log, and take
 * @space there.
 */
errcode_t cache_map_add(struct cache_map *map, uint64_t start, uint64_t length,
			uint64_t log, uint64_t space);
/* They are not in the cache any more, whatever bands they are in. */
errcode_t cache_map_remove(struct cache_map *map, uint64_t start,
			   uint64_t length);
/* A band to be cleaned although nothing of it need be in the cache. */
errcode_t cache_map_tear(struct cache_map *map, uint64_t band);
/*
 * How many of the @length bytes from @start on, all in one band, are in one
 * piece: of the cache, at *@log, or of their band, and then *@log is ~0.
 */
uint64_t cache_map_piece(const struct cache_map *map, uint64_t start,
			 uint64_t length, uint64_t *log);

/* The band to be cleaned next; NULL: none is dirty. */
struct cached_band *cache_map_pick(const struct cache_map *map,
				   enum e2lazy_order order);
/* It is clean. */
void cache_map_drop(struct cache_map *map, struct cached_band *band);

#endif
