/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* packed.c - a block without its zeros */

#include <string.h>

#include "packed.h"

#define WORD	8

static unsigned mask_bytes(unsigned blocksize)
{
	return blocksize / PIECE / 8;
}

static unsigned words_of(const uint8_t *piece)
{
	uint64_t words[PIECE / WORD], any = 0;
	unsigned mask = 0;

	memcpy(words, piece, sizeof(words));
	for (unsigned i = 0; i < PIECE / WORD; i++)
		any |= words[i];
	/* Most are all zeros. */
	for (unsigned i = 0; any && i < PIECE / WORD; i++)
		mask |= (unsigned)(words[i] != 0) << i;
	return mask;
}

void block_pieces(const uint8_t *block, unsigned blocksize, struct pieces *out)
{
	uint8_t *words = out->words;

	out->bytes = mask_bytes(blocksize);
	for (unsigned i = 0; i < mask_bytes(blocksize); i++) {
		unsigned mask = 0;

		for (unsigned bit = 0; bit < 8; bit++, block += PIECE) {
			unsigned there = words_of(block);

			*words++ = (uint8_t)there;
			if (!there)
				continue;
			mask |= 1u << bit;
			out->bytes += 1 + (size_t)__builtin_popcount(there) *
					  WORD;
		}
		out->mask[i] = (uint8_t)mask;
	}
}

static uint8_t *pack_piece(const uint8_t *piece, unsigned words, uint8_t *to)
{
	*to++ = (uint8_t)words;
	for (; words; words &= words - 1, to += WORD)
		memcpy(to, piece + __builtin_ctz(words) * WORD, WORD);
	return to;
}

void block_pack(const uint8_t *block, unsigned blocksize,
		const struct pieces *pieces, uint8_t *packed)
{
	unsigned masks = mask_bytes(blocksize);
	const uint8_t *words = pieces->words;

	memcpy(packed, pieces->mask, masks);
	packed += masks;
	for (unsigned i = 0; i < masks; i++, block += 8 * PIECE, words += 8)
		for (unsigned left = pieces->mask[i]; left; left &= left - 1) {
			unsigned at = (unsigned)__builtin_ctz(left);

			packed = pack_piece(block + at * PIECE, words[at],
					    packed);
		}
}

static const uint8_t *unpack_piece(const uint8_t *from, uint8_t *piece)
{
	for (unsigned words = *from++; words; words &= words - 1, from += WORD)
		memcpy(piece + __builtin_ctz(words) * WORD, from, WORD);
	return from;
}

/* Most blocks are mostly zeros: clear all at once, then add the words. */
void block_unpack(const uint8_t *packed, uint8_t *block, unsigned blocksize)
{
	unsigned masks = mask_bytes(blocksize);
	const uint8_t *mask = packed, *from = packed + masks;

	memset(block, 0, blocksize);
	for (unsigned i = 0; i < masks; i++, block += 8 * PIECE)
		for (unsigned left = mask[i]; left; left &= left - 1)
			from = unpack_piece(from, block +
					    __builtin_ctz(left) * PIECE);
}
