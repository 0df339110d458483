/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lazy_ring.c - the log of a lazy journal: its size, and its cleaner
 *
 * No flusher writes its copies home, so throughput and timer do not bound it: the
 * live copies do.  When the head meets the tail, the cleaner logs again what is
 * still live there, and the more of the log is live, the less each turn frees.
 */

#include "e2lazy_drive.h"

/*
 * What the cleaner logged, in percent of the rest, with so much of the log live:
 * measured with the transactions of the paper's Postmark in logs of 10 GiB, 1 GiB
 * and less (doc/model.md).
 */
static const struct { double live, cleaned; } measured[] = {
	{ 0, 0 }, { 11, 1.4 }, { 43, 47 }, { 69, 216 },
};
#define MEASURED	(sizeof(measured) / sizeof(*measured))

double e2lazy_cleaner_percent(uint64_t live, uint64_t ring)
{
	double share = ring ? (double)live * 100 / (double)ring : 100;
	size_t i = 1;

	while (i < MEASURED && share > measured[i].live)
		i++;
	if (i == MEASURED)
		return -1;
	return measured[i - 1].cleaned + (share - measured[i - 1].live) *
	       (measured[i].cleaned - measured[i - 1].cleaned) /
	       (measured[i].live - measured[i - 1].live);
}
