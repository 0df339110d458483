/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* packed.c - a block without its zero pieces */

#include <stdbool.h>
#include <string.h>

#include "packed.h"

static unsigned mask_bytes(unsigned blocksize)
{
	return blocksize / PIECE / 8;
}

static bool is_zero(const uint8_t *piece)
{
	uint64_t words[PIECE / 8], any = 0;

	memcpy(words, piece, sizeof(words));
	for (unsigned i = 0; i < PIECE / 8; i++)
		any |= words[i];
	return !any;
}

void block_pieces(const uint8_t *block, unsigned blocksize, struct pieces *out)
{
	unsigned there = 0;

	for (unsigned i = 0; i < mask_bytes(blocksize); i++) {
		unsigned mask = 0;

		for (unsigned bit = 0; bit < 8; bit++, block += PIECE)
			mask |= (unsigned)!is_zero(block) << bit;
		out->mask[i] = (uint8_t)mask;
		there += (unsigned)__builtin_popcount(mask);
	}
	out->bytes = mask_bytes(blocksize) + (size_t)there * PIECE;
}

void block_pack(const uint8_t *block, unsigned blocksize,
		const struct pieces *pieces, uint8_t *packed)
{
	unsigned masks = mask_bytes(blocksize);

	memcpy(packed, pieces->mask, masks);
	packed += masks;
	for (unsigned i = 0; i < masks; i++, block += 8 * PIECE)
		for (unsigned left = pieces->mask[i]; left; left &= left - 1) {
			memcpy(packed, block + __builtin_ctz(left) * PIECE,
			       PIECE);
			packed += PIECE;
		}
}

/* Most blocks are mostly zeros: clear all at once, then add the pieces. */
void block_unpack(const uint8_t *packed, uint8_t *block, unsigned blocksize)
{
	unsigned masks = mask_bytes(blocksize);
	const uint8_t *mask = packed, *from = packed + masks;

	memset(block, 0, blocksize);
	for (unsigned i = 0; i < masks; i++, block += 8 * PIECE)
		for (unsigned left = mask[i]; left; left &= left - 1) {
			memcpy(block + __builtin_ctz(left) * PIECE, from,
			       PIECE);
			from += PIECE;
		}
}
