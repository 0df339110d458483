/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * packed.h - a block without its zeros
 *
 * Metadata is full of zeros: a new directory has two entries, an inode table has
 * many inodes that were never used, and the others fill a third of theirs.  The
 * packed form has one bit for each piece of 64 bytes.  Then follows each piece
 * that is not zero: one bit for each of its eight words, and the words that are
 * not zero.  It exceeds the block by 1/56 at most.
 */
#ifndef E2LAZY_PACKED_H
#define E2LAZY_PACKED_H

#include <stddef.h>
#include <stdint.h>

#define PIECE		64
#define MOST_PIECES	(65536 / PIECE)

/* What of a block is not zero, and how many bytes it has packed. */
struct pieces {
	uint8_t		mask[MOST_PIECES / 8];
	uint8_t		words[MOST_PIECES];	/* a mask of each piece */
	size_t		bytes;
};

/* A block has 1 to 64 KiB. */
void block_pieces(const uint8_t *block, unsigned blocksize, struct pieces *out);
/* @packed has room for the bytes that block_pieces() has said. */
void block_pack(const uint8_t *block, unsigned blocksize,
		const struct pieces *pieces, uint8_t *packed);
void block_unpack(const uint8_t *packed, uint8_t *block, unsigned blocksize);

#endif
