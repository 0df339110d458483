/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* read_list.c - wanted blocks of the log become requests */

#include <stdlib.h>

#include "read_list.h"

static int by_logblk(const void *a, const void *b)
{
	const struct want *x = a, *y = b;

	return x->logblk < y->logblk ? -1 : x->logblk > y->logblk;
}

void read_list_sort(struct want *wants, size_t count)
{
	qsort(wants, count, sizeof(*wants), by_logblk);
}

/* At the wrap the unsigned difference is larger than any gap. */
size_t read_list_gather(const struct read_list *wants, size_t from)
{
	const struct want *first = wants->at + from, *next = first + 1;
	const struct want *end = wants->at + wants->count;

	while (next < end && next->logblk - next[-1].logblk <= wants->gap + 1 &&
	       next->logblk - first->logblk < wants->most)
		next++;
	return next - wants->at;
}
