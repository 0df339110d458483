/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hex.h - bytes in lines of offset, 16 in hexadecimal, and their text
 */
#ifndef MISC_HEX_H
#define MISC_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/out.h"

#define HEX_BYTES	16	/* bytes in a line; divides block sizes */

/* The line of the HEX_BYTES at @bytes. */
void hex_line(struct out *out, uint64_t offset, const uint8_t *bytes);
/* Print a block; a line that repeats the one before becomes '*'. */
void hex_dump(struct out *out, const uint8_t *block, size_t size);

/* The same for bytes that come in pieces. */
struct hex {
	struct out	*out;
	uint64_t	offset;			/* offset of the current line */
	uint8_t		line[HEX_BYTES], before[HEX_BYTES];
	unsigned	filled;			/* bytes of @line */
	bool		starred;		/* '*' stands for @before */
};

/* @hex is zeroed but for its @out. */
void hex_put(struct hex *hex, const void *bytes, size_t count);
/* Add @count zero bytes in constant time. */
void hex_zeros(struct hex *hex, uint64_t count);
/* Print the last line and the end offset. */
void hex_end(struct hex *hex);

#endif
