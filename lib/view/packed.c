/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* packed.c - a block without its zero pieces */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "packed.h"

#define PIECE		64
#define MOST_PIECES	(65536 / PIECE)

static bool is_zero(const uint8_t *piece)
{
	uint64_t words[PIECE / 8], any = 0;

	memcpy(words, piece, sizeof(words));
	for (unsigned i = 0; i < PIECE / 8; i++)
		any |= words[i];
	return !any;
}

uint8_t *block_pack(const uint8_t *block, unsigned blocksize, size_t *bytes)
{
	unsigned pieces = blocksize / PIECE, there = 0;
	uint8_t mask[MOST_PIECES / 8] = { 0 }, *packed, *to;

	for (unsigned i = 0; i < pieces; i++)
		if (!is_zero(block + i * PIECE)) {
			mask[i / 8] |= (uint8_t)(1 << i % 8);
			there++;
		}
	*bytes = pieces / 8 + there * PIECE;
	packed = malloc(*bytes);
	if (!packed)
		return NULL;
	memcpy(packed, mask, pieces / 8);
	to = packed + pieces / 8;
	for (unsigned i = 0; i < pieces; i++)
		if (mask[i / 8] & 1 << i % 8) {
			memcpy(to, block + i * PIECE, PIECE);
			to += PIECE;
		}
	return packed;
}

void block_unpack(const uint8_t *packed, uint8_t *block, unsigned blocksize)
{
	unsigned pieces = blocksize / PIECE;
	const uint8_t *from = packed + pieces / 8;

	for (unsigned i = 0; i < pieces; i++) {
		if (packed[i / 8] & 1 << i % 8) {
			memcpy(block + i * PIECE, from, PIECE);
			from += PIECE;
		} else {
			memset(block + i * PIECE, 0, PIECE);
		}
	}
}
