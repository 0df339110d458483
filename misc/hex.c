/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hex.c - bytes in lines of offset, 16 in hexadecimal, and their text
 */
#include <stdbool.h>
#include <string.h>

#include "hex.h"

void hex_line(struct out *out, size_t offset, const uint8_t *p)
{
	unsigned i;

	out_format(out, "%08zx ", offset);
	for (i = 0; i < HEX_BYTES; i++)
		out_format(out, i == HEX_BYTES / 2 ? "  %02x" : " %02x", p[i]);
	out_text(out, "  |");
	for (i = 0; i < HEX_BYTES; i++)
		out_char(out, p[i] >= ' ' && p[i] < 0x7f ? (char)p[i] : '.');
	out_text(out, "|\n");
}

void hex_dump(struct out *out, const uint8_t *block, size_t size)
{
	bool same, starred = false;
	size_t at;

	for (at = 0; at < size; at += HEX_BYTES) {
		same = at && !memcmp(block + at, block + at - HEX_BYTES,
				     HEX_BYTES);
		if (!same)
			hex_line(out, at, block + at);
		else if (!starred)
			out_text(out, "*\n");
		starred = same;
	}
	out_format(out, "%08zx\n", size);
}
