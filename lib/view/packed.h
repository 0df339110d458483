/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * packed.h - a block without most of its zeros
 *
 * Metadata is full of them: a new directory has two entries, a table of inodes
 * many that were never used.  A bit for each piece of 64 bytes, then the pieces
 * that are not zero: at most a 512th more than the block.
 */
#ifndef E2LAZY_PACKED_H
#define E2LAZY_PACKED_H

#include <stddef.h>
#include <stdint.h>

/* To be freed; NULL without memory.  A block has 1 to 64 KiB. */
uint8_t *block_pack(const uint8_t *block, unsigned blocksize, size_t *bytes);
void block_unpack(const uint8_t *packed, uint8_t *block, unsigned blocksize);

#endif
