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

#define HEX_BYTES	16	/* in a line; block sizes divide by it */

/* The line of the HEX_BYTES at @bytes. */
void hex_line(struct out *out, uint64_t offset, const uint8_t *bytes);
/* All of a block; lines like the one before become one '*'. */
void hex_dump(struct out *out, const uint8_t *block, size_t size);

/* The same of bytes that come piece by piece. */
struct hex {
	struct out	*out;
	uint64_t	offset;			/* of the line that fills */
	uint8_t		line[HEX_BYTES], before[HEX_BYTES];
	unsigned	filled;			/* bytes of @line */
	bool		starred;		/* a '*' stands for @before */
};

/* @hex is zeroed but for its @out. */
void hex_put(struct hex *hex, const void *bytes, size_t count);
/* @count bytes of zero, in no more time than a few. */
void hex_zeros(struct hex *hex, uint64_t count);
/* The last line, and the offset of the end. */
void hex_end(struct hex *hex);

#endif
