/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * packed.h - a block without its zero pieces
 *
 * Metadata is full of zeros: a new directory has two entries, an inode table
 * has many inodes that were never used.  The packed form has one bit for each
 * piece of 64 bytes, then the pieces that are not zero.  It exceeds the block
 * by 1/512 at most.
 */
#ifndef E2LAZY_PACKED_H
#define E2LAZY_PACKED_H

#include <stddef.h>
#include <stdint.h>

/* A block has 1 to 64 KiB.  The caller frees the result; NULL: no memory. */
uint8_t *block_pack(const uint8_t *block, unsigned blocksize, size_t *bytes);
void block_unpack(const uint8_t *packed, uint8_t *block, unsigned blocksize);

#endif
