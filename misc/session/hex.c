/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hex.c - bytes in lines of offset, 16 in hexadecimal, and their text
 */
#include <string.h>

#include "hex.h"

static void put_line(struct out *out, uint64_t offset, const uint8_t *p,
		     unsigned count)
{
	unsigned i;

	out_format(out, "%08llx ", (unsigned long long)offset);
	for (i = 0; i < HEX_BYTES; i++) {
		out_text(out, i == HEX_BYTES / 2 ? "  " : " ");
		if (i < count)
			out_format(out, "%02x", p[i]);
		else
			out_text(out, "  ");
	}
	out_text(out, "  |");
	for (i = 0; i < count; i++)
		out_char(out, p[i] >= ' ' && p[i] < 0x7f ? (char)p[i] : '.');
	out_text(out, "|\n");
}

void hex_line(struct out *out, uint64_t offset, const uint8_t *p)
{
	put_line(out, offset, p, HEX_BYTES);
}

static void flush_line(struct hex *hex)
{
	bool same = hex->offset && !memcmp(hex->line, hex->before, HEX_BYTES);

	if (!same)
		hex_line(hex->out, hex->offset, hex->line);
	else if (!hex->starred)
		out_text(hex->out, "*\n");
	hex->starred = same;
	memcpy(hex->before, hex->line, HEX_BYTES);
	hex->offset += HEX_BYTES;
	hex->filled = 0;
}

void hex_put(struct hex *hex, const void *bytes, size_t count)
{
	const uint8_t *from = bytes;
	size_t n;

	for (; count; from += n, count -= n) {
		n = HEX_BYTES - hex->filled;
		if (n > count)
			n = count;
		memcpy(hex->line + hex->filled, from, n);
		hex->filled += n;
		if (hex->filled == HEX_BYTES)
			flush_line(hex);
	}
}

void hex_zeros(struct hex *hex, uint64_t count)
{
	/* Up to the end of the line and two lines more: the second becomes
	   '*', and so do all others. */
	static const uint8_t zeros[3 * HEX_BYTES];
	uint64_t skipped;

	if (count > sizeof(zeros)) {
		skipped = sizeof(zeros) - hex->filled;
		hex_put(hex, zeros, skipped);
		count -= skipped;
		skipped = count - count % HEX_BYTES;
		hex->offset += skipped;
		count -= skipped;
	}
	hex_put(hex, zeros, count);
}

void hex_end(struct hex *hex)
{
	if (hex->filled)
		put_line(hex->out, hex->offset, hex->line, hex->filled);
	out_format(hex->out, "%08llx\n",
		   (unsigned long long)(hex->offset + hex->filled));
}

void hex_dump(struct out *out, const uint8_t *block, size_t size)
{
	struct hex hex = { .out = out };

	hex_put(&hex, block, size);
	hex_end(&hex);
}
