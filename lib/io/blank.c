/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* blank.c - blocks of zeros that no discard has made */

#include <stdlib.h>

#include "blank.h"
#include "grow.h"

errcode_t blank_add(struct blank *b, blk64_t fsblk, blk64_t count, bool zero)
{
	struct blank_run *runs;

	if (b->nr && b->runs[b->nr - 1].zero == zero) {
		b->runs[b->nr - 1].to += count;
		return 0;
	}
	runs = grow(b->runs, b->nr, &b->room, sizeof(*runs));
	if (!runs)
		return EXT2_ET_NO_MEMORY;
	b->runs = runs;
	runs[b->nr++] = (struct blank_run){ fsblk, fsblk + count, zero };
	return 0;
}

static blk64_t round_down(blk64_t at, blk64_t size)
{
	return at & ~(size - 1);
}

static blk64_t round_up(blk64_t at, blk64_t size)
{
	return round_down(at + size - 1, size);
}

/* Is a granule of this size, with a block that is not zero, inside all of them? */
static bool is_excluded(const struct blank *b, blk64_t size)
{
	blk64_t first = round_up(b->runs[0].from, size);
	blk64_t end = b->runs[b->nr - 1].to;

	for (size_t i = 0; i < b->nr; i++) {
		const struct blank_run *r = &b->runs[i];
		blk64_t at = round_down(r->from, size);

		if (r->zero)
			continue;
		if (at < first)
			at = first;
		if (at < r->to && at + size <= end)
			return true;
	}
	return false;
}

/* Blocks of run @i in granules with a block of one of its neighbours. */
static blk64_t count_near(const struct blank *b, size_t i, blk64_t size)
{
	const struct blank_run *r = &b->runs[i];
	blk64_t low = i ? round_up(r->from, size) : r->from;
	blk64_t high = i + 1 < b->nr ? round_down(r->to, size) : r->to;

	return low < high ? r->to - r->from - (high - low) : r->to - r->from;
}

blk64_t blank_end(struct blank *b, unsigned blocksize)
{
	blk64_t size = 1, most = BLANK_LARGEST / blocksize, count = 0;

	while (b->nr && size <= most && is_excluded(b, size))
		size *= 2;
	for (size_t i = 0; i < b->nr; i++)
		if (b->runs[i].zero)
			count += size > most ?
				 b->runs[i].to - b->runs[i].from :
				 count_near(b, i, size);
	b->nr = 0;
	return count;
}

void blank_free(struct blank *b)
{
	free(b->runs);
}
