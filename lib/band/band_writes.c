/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * band_writes.c - count the band changes of a row of writes
 *
 * A drive rewrites a band as a whole.  Consecutive writes to one band cost one
 * rewrite; a later return to that band costs another.  A block counts for the
 * band in which it begins.
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
