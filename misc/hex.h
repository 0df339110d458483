/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hex.h - bytes in lines of offset, 16 in hexadecimal, and their text
 */
#ifndef MISC_HEX_H
#define MISC_HEX_H

#include <stddef.h>
#include <stdint.h>

#include "support/out.h"

#define HEX_BYTES	16	/* in a line; block sizes divide by it */

/* The line of the HEX_BYTES at @bytes. */
void hex_line(struct out *out, size_t offset, const uint8_t *bytes);
/* All of a block; lines like the one before become one '*'. */
void hex_dump(struct out *out, const uint8_t *block, size_t size);

#endif
