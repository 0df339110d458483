/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * band_writes.c - how often a row of writes goes to another band
 *
 * A drive rewrites a band as a whole.  Writes that stay in one band cost one
 * rewriting; a write that comes back to a band after another one costs it
 * again.  A block counts for the band in which it begins.
 */

#include "e2lazy_drive.h"

static uint64_t band_of(const struct e2lazy_band_writes *w, uint64_t block)
{
	return (w->model.start + block * w->blocksize) / w->model.band_bytes;
}

void e2lazy_band_write(struct e2lazy_band_writes *w, uint64_t block,
		       uint32_t count)
{
	uint64_t first, last;

	if (!w->model.band_bytes || !count)
		return;
	first = band_of(w, block);
	last = band_of(w, block + count - 1);
	if (!w->changes || first != w->last)
		w->changes++;
	w->changes += last - first;
	w->last = last;
}
