/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sort.c - sort records of the log by static block
 *
 * A radix sort.  It is stable, so the copies of one block stay in log order,
 * and linear, which a log of ten million tags needs.  It skips digits in which
 * all block numbers agree.
 */

#include <stdlib.h>
#include <string.h>

#include "io/big.h"
#include "io/populate.h"
#include "sort.h"

/* Two passes sort the blocks of a file system of 64 GiB. */
#define MOST_DIGIT_BITS	12

errcode_t records_reserve(struct records *list, size_t more)
{
	size_t room = list->room ? list->room : 4096;
	struct record *at;

	if (list->room - list->nr >= more)
		return 0;
	while (room - list->nr < more || room == list->room)
		room += room / 2;
	at = big_realloc(list->at, list->room * sizeof(*at),
			 room * sizeof(*at));
	if (!at)
		return EXT2_ET_NO_MEMORY;
	list->at = at;
	list->room = room;
	return 0;
}

errcode_t records_add(struct records *list, const struct record *r)
{
	errcode_t err = records_reserve(list, 1);

	if (!err)
		list->at[list->nr++] = *r;
	return err;
}

void records_free(struct records *list)
{
	big_free(list->at, list->room * sizeof(*list->at));
	big_free(list->spare, list->spare_room * sizeof(*list->spare));
	memset(list, 0, sizeof(*list));
}

/* Files and directories made one after the other are logged in this order. */
static bool is_sorted(const struct record *at, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (record_fsblk(at + i) < record_fsblk(at + i - 1))
			return false;
	return true;
}

/* The bits in which any two block numbers differ. */
static uint64_t differing_bits(const struct record *at, size_t nr)
{
	uint64_t first = record_fsblk(at), differ = 0;

	for (size_t i = 1; i < nr; i++)
		differ |= record_fsblk(at + i) ^ first;
	return differ;
}

struct digit {
	unsigned	shift;
	unsigned	bits;
};

static size_t digit_of(const struct record *r, struct digit d)
{
	return record_fsblk(r) >> d.shift & ((1U << d.bits) - 1);
}

static void move_by_digit(const struct record *from, struct record *to,
			  size_t nr, struct digit digit)
{
	size_t place[1 << MOST_DIGIT_BITS] = { 0 };
	size_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		place[digit_of(from + i, digit)]++;
	for (size_t d = 0; d < 1U << digit.bits; d++) {
		size_t count = place[d];

		place[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < nr; i++)
		to[place[digit_of(from + i, digit)]++] = from[i];
}

static errcode_t make_spare(struct records *list)
{
	if (list->spare_room >= list->nr)
		return 0;
	/* Its content does not matter. */
	big_free(list->spare, list->spare_room * sizeof(*list->spare));
	list->spare_room = 0;
	list->spare = big_realloc(NULL, 0, list->room * sizeof(*list->spare));
	if (!list->spare)
		return EXT2_ET_NO_MEMORY;
	populate(list->spare, list->nr * sizeof(*list->spare));
	list->spare_room = list->room;
	return 0;
}

static void swap_spare(struct records *list)
{
	struct record *at = list->at;
	size_t room = list->room;

	list->at = list->spare;
	list->room = list->spare_room;
	list->spare = at;
	list->spare_room = room;
}

errcode_t records_sort(struct records *list)
{
	struct digit digit = { 0, 0 };
	uint64_t differ;
	unsigned bits = 0, passes;
	errcode_t err;

	if (is_sorted(list->at, list->nr))
		return 0;
	err = make_spare(list);
	if (err)
		return err;
	differ = differing_bits(list->at, list->nr);
	while (differ >> bits)
		bits++;
	passes = (bits + MOST_DIGIT_BITS - 1) / MOST_DIGIT_BITS;
	for (unsigned left = passes; left; left--) {
		digit.shift += digit.bits;
		digit.bits = (bits - digit.shift + left - 1) / left;
		if (!(differ >> digit.shift & ((1U << digit.bits) - 1)))
			continue;
		move_by_digit(list->at, list->spare, list->nr, digit);
		swap_spare(list);
	}
	return 0;
}
