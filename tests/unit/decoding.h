/* SPDX-License-Identifier: GPL-2.0-only */
/* decoding.h - one block of a file system that is a superblock only */
#ifndef DECODING_H
#define DECODING_H

#include "fixture.h"
#include "decode/decode.h"

/* Before each test: 3 groups of 8192 blocks of 1 KiB and of 64 inodes. */
void decoding_begin(void);
void decoding_end(void);

extern struct struct_ext2_filsys fs;
extern struct ext2_super_block super;
extern struct decoded decoded;		/* result of the last decode() */
/* It ends where the next byte would be a fault. */
extern uint8_t *block;

/* A block of zeros, of another size. */
void new_block(unsigned blocksize);
void put16(unsigned at, unsigned value);
void put32(unsigned at, uint32_t value);

/* Decode a block of that type; inodes are numbered from 17. */
void decode_at(enum e2lazy_type type, blk64_t fsblk, dgrp_t group);
void decode(enum e2lazy_type type);

const char *label(size_t record);
/* A record as its line has it. */
const char *line(size_t record);
const struct decoded_field *field(size_t record, const char *name);
const char *text(size_t record, const char *name);

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

#endif
