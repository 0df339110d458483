/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sort.c - records of the log in the order of their static blocks
 *
 * A radix sort: stable, which keeps the copies of one block in log order, and
 * linear, which a log of ten million tags needs.  Digits in which all block
 * numbers agree cost one look at the data and no move.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "sort.h"

#define DIGIT_BITS	11
#define DIGITS		(1 << DIGIT_BITS)

errcode_t records_add(struct records *list, const struct record *r)
{
	if (list->nr == list->room) {
		size_t room = list->room ? list->room + list->room / 2 : 4096;
		struct record *at = realloc(list->at, room * sizeof(*at));

		if (!at)
			return EXT2_ET_NO_MEMORY;
		list->at = at;
		list->room = room;
	}
	list->at[list->nr++] = *r;
	return 0;
}

void records_free(struct records *list)
{
	free(list->at);
	memset(list, 0, sizeof(*list));
}

/* Every bit in which two block numbers differ. */
static uint64_t differing_bits(const struct record *at, size_t nr)
{
	uint64_t first = record_fsblk(at), differ = 0;

	for (size_t i = 1; i < nr; i++)
		differ |= record_fsblk(at + i) ^ first;
	return differ;
}

static void move_by_digit(const struct record *from, struct record *to,
			  size_t nr, unsigned shift)
{
	size_t place[DIGITS] = { 0 };
	size_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		place[record_fsblk(from + i) >> shift & (DIGITS - 1)]++;
	for (unsigned d = 0; d < DIGITS; d++) {
		size_t count = place[d];

		place[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < nr; i++) {
		size_t d = record_fsblk(from + i) >> shift & (DIGITS - 1);

		to[place[d]++] = from[i];
	}
}

errcode_t records_sort(struct records *list, size_t nr)
{
	struct record *from = list->at, *to, *scratch;
	uint64_t differ;

	if (nr < 2)
		return 0;
	differ = differing_bits(from, nr);
	scratch = to = malloc(nr * sizeof(*to));
	if (!to)
		return EXT2_ET_NO_MEMORY;
	for (unsigned shift = 0; differ >> shift; shift += DIGIT_BITS) {
		struct record *swap = from;

		if (!(differ >> shift & (DIGITS - 1)))
			continue;
		move_by_digit(from, to, nr, shift);
		from = to;
		to = swap;
	}
	if (from != list->at)
		memcpy(list->at, from, nr * sizeof(*from));
	free(scratch);
	return 0;
}
