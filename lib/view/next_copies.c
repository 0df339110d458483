/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* next_copies.c - read ahead the copies that a reader of blocks will want */

#include <stdlib.h>
#include <string.h>

#include "map/jmap.h"
#include "next_copies.h"

/*
 * The page cache hands out 64 KiB in the time of four single blocks; a reader
 * that goes elsewhere then has lost no more than that.
 */
#define REQUEST_BYTES	(64 << 10)

static bool is_behind(const struct e2lazy_jmap *map, size_t index)
{
	return jmap_logblk(map, index) == jmap_logblk(map, index - 1) + 1;
}

/* Mappings from @index on that lie side by side in the log, and go on there. */
static size_t run_of(const struct e2lazy_jmap *map, size_t index, size_t most)
{
	size_t count = e2lazy_jmap_count(map), n = 1;

	if (most > count - index)
		most = count - index;
	while (n < most && is_behind(map, index + n))
		n++;
	return n;
}

static bool has(const struct next_copies *next, size_t index)
{
	return index >= next->index && index - next->index < next->count;
}

/*
 * A bad copy among them is for its own reader to find, and the only one that
 * reads it: a dying disk takes seconds for each try.
 */
static void fill(struct next_copies *next, const struct e2lazy_jmap *map,
		 size_t index, unsigned size)
{
	size_t n = run_of(map, index, REQUEST_BYTES / size), bad;

	next->count = 0;
	if (n < 2)
		return;
	if (!next->blocks)
		next->blocks = malloc(REQUEST_BYTES);
	if (!next->blocks)
		return;
	next->index = index;
	next->count = n;
	if (!e2lazy_jmap_read(map, index, (uint32_t)n, next->blocks, &bad))
		return;
	next->count = bad - index;
	next->bad = index;
	next->good = index + n;
}

bool next_copies_get(struct next_copies *next, const struct e2lazy_jmap *map,
		     size_t index, size_t near, unsigned size, void *block)
{
	bool goes_on = index && index == near && is_behind(map, index);
	bool fails = index >= next->bad && index < next->good;

	if (!has(next, index) && goes_on && !fails)
		fill(next, map, index, size);
	if (!has(next, index))
		return false;
	memcpy(block, next->blocks + (index - next->index) * size, size);
	return true;
}

void next_copies_free(struct next_copies *next)
{
	free(next->blocks);
}
