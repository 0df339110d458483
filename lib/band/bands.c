/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bands.c - the bands that fixed metadata dirties, and their cleaning cost
 *
 * The paper counts one band for each region of tables.  A region that begins in
 * the middle of a band can end in the next one, so the real layout has more
 * bands: half as many again for regions of 16 MiB in bands of 30 MiB.
 */

#include <string.h>

#include "e2lazy_drive.h"

/* Cleaning reads a band once; static mapping writes it elsewhere and back. */
#define MOVED_DYNAMIC	2
#define MOVED_STATIC	3

/*
 * Tables no farther apart than this part of a band are one region to the paper:
 * in a last flex group that is not full, the bitmaps stand apart.
 */
#define GAP_PART	8

#define NONE	UINT64_MAX

/* Bands touched so far, in ascending order. */
struct touched {
	uint64_t	count;
	uint64_t	last;		/* the band touched last */
};

static void touch(struct touched *t, uint64_t first, uint64_t last)
{
	if (t->last != NONE && first <= t->last)
		first = t->last + 1;
	if (first > last)
		return;
	t->count += last - first + 1;
	t->last = last;
}

/* A region in the paper's sense; superblocks in it do not split it. */
struct area {
	uint64_t	bytes;		/* of its tables; 0: none begun */
	uint64_t	end;
};

/* Count the fewest bands that it can take: one, unless it is longer. */
static void end_area(struct area *area, uint64_t band, struct e2lazy_bands *out)
{
	if (!area->bytes)
		return;
	out->regions++;
	out->paper += (area->bytes + band - 1) / band;
	area->bytes = 0;
}

static void add_to_area(struct area *area, const struct e2lazy_region *r,
			uint64_t band, struct e2lazy_bands *out)
{
	if (r->start - area->end > band / GAP_PART)
		end_area(area, band, out);
	if (r->kind == E2LAZY_REGION_TABLES) {
		area->bytes += r->length;
		out->metadata_bytes += r->length;
	}
	area->end = r->start + r->length;
}

static uint64_t span(uint64_t start, uint64_t bytes, uint64_t band)
{
	return bytes ? (start + bytes - 1) / band - start / band + 1 : 0;
}

void e2lazy_bands(const struct e2lazy_regions *regions, uint64_t fs_bytes,
		  const struct e2lazy_band_model *model,
		  struct e2lazy_bands *out)
{
	struct touched tables = { .last = NONE }, all = { .last = NONE };
	uint64_t band = model->band_bytes, moved;
	struct area area = { .bytes = 0 };
	struct e2lazy_region r;

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < e2lazy_regions_count(regions); i++) {
		uint64_t first, last;

		e2lazy_regions_get(regions, i, &r);
		first = (model->start + r.start) / band;
		last = (model->start + r.start + r.length - 1) / band;
		touch(&all, first, last);
		if (r.kind == E2LAZY_REGION_TABLES)
			touch(&tables, first, last);
		add_to_area(&area, &r, band, out);
	}
	end_area(&area, band, out);
	moved = model->dynamic ? MOVED_DYNAMIC : MOVED_STATIC;
	out->disk = span(model->start, fs_bytes, band);
	out->exact = tables.count;
	out->exact_super = all.count;
	out->paper_clean = out->paper * band;
	out->paper_traffic = out->paper_clean * moved;
	out->exact_clean = out->exact * band;
	out->exact_traffic = out->exact_clean * moved;
}
