/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* read_list.c - wanted blocks of the log become requests */

#include <stdlib.h>

#include "read_list.h"

static int by_logblk(const void *a, const void *b)
{
	const struct want *x = a, *y = b;

	return x->logblk < y->logblk ? -1 : x->logblk > y->logblk;
}

static void move_by_byte(const struct want *from, struct want *to,
			 size_t count, unsigned shift)
{
	size_t place[256] = { 0 }, sum = 0;

	for (size_t i = 0; i < count; i++)
		place[from[i].logblk >> shift & 0xff]++;
	for (unsigned byte = 0; byte < 256; byte++) {
		size_t wanted = place[byte];

		place[byte] = sum;
		sum += wanted;
	}
	for (size_t i = 0; i < count; i++)
		to[place[from[i].logblk >> shift & 0xff]++] = from[i];
}

/* Fewer than so many are as soon compared. */
#define MANY_WANTS 1024

/* A radix sort, in four moves there and back. */
void read_list_sort(struct want *wants, size_t count)
{
	struct want *spare = NULL;

	if (count >= MANY_WANTS)
		spare = calloc(count, sizeof(*spare));
	if (!spare) {
		qsort(wants, count, sizeof(*wants), by_logblk);
		return;
	}
	for (unsigned shift = 0; shift < 32; shift += 16) {
		move_by_byte(wants, spare, count, shift);
		move_by_byte(spare, wants, count, shift + 8);
	}
	free(spare);
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
