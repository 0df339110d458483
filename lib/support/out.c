/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * out.c - what a program writes to standard output
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out.h"
#include "status.h"

void out_init(struct out *out, int fd)
{
	out->fd = fd;
	out->error = 0;
	out->color = false;
	out->used = 0;
}

int out_flush(struct out *out)
{
	size_t done = 0;
	ssize_t n;

	while (done < out->used && !out->error) {
		if (cancelled()) {	/* the reader may never read on */
			out->error = EINTR;
			break;
		}
		n = write(out->fd, out->buf + done, out->used - done);
		if (n >= 0)
			done += n;
		else if (errno != EINTR)
			out->error = errno;
	}
	out->used = 0;
	return out->error;
}

void out_bytes(struct out *out, const void *bytes, size_t count)
{
	const char *from = bytes;
	size_t n;

	while (count) {
		if (out->used == OUT_SIZE)
			out_flush(out);
		n = OUT_SIZE - out->used;
		if (n > count)
			n = count;
		memcpy(out->buf + out->used, from, n);
		out->used += n;
		from += n;
		count -= n;
	}
}

void out_text(struct out *out, const char *text)
{
	out_bytes(out, text, strlen(text));
}

void out_spaces(struct out *out, size_t count)
{
	while (count--)
		out_char(out, ' ');
}

void out_u64(struct out *out, uint64_t value)
{
	char *to = out_room(out, OUT_DIGITS);

	out->used += put_u64(to, value);
}

void out_format(struct out *out, const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0) {
		if (!out->error)
			out->error = ENOMEM;
		return;
	}
	out_bytes(out, text, n);
	free(text);
}

void out_style(struct out *out, enum out_style style)
{
	static const char *const codes[] = {
		[STYLE_PLAIN] = "\033[0m",
		[STYLE_BOLD] = "\033[1m",
		[STYLE_ALARM] = "\033[31m",
	};

	if (out->color)
		out_text(out, codes[style]);
}

size_t printable(char to[PRINTABLE], const char **text, size_t left)
{
	const unsigned char *p = (const unsigned char *)*text;
	size_t n = utf8_length(*text, left), bytes = n ? n : 1;

	*text += bytes;
	/* C0, DEL and C1 (U+0080 to U+009F) steer a terminal. */
	if (n && !(n == 1 && (*p < ' ' || *p == 0x7f)) &&
	    !(n == 2 && p[0] == 0xc2 && p[1] < 0xa0)) {
		memcpy(to, p, n);
		return n;
	}
	for (size_t i = 0; i < bytes; i++)
		snprintf(to + 4 * i, 5, "\\x%02x", p[i]);
	return 4 * bytes;
}

void out_printable(struct out *out, const char *text, char space)
{
	const char *end = text + strlen(text);
	char shown[PRINTABLE];

	while (text < end) {
		size_t n = printable(shown, &text, end - text);

		if (n == 1 && *shown == ' ')
			*shown = space;
		out_bytes(out, shown, n);
	}
}

unsigned digits_u64(uint64_t value)
{
	static const uint64_t powers[] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
		1000000000, 10000000000, 100000000000, 1000000000000,
		10000000000000, 100000000000000, 1000000000000000,
		10000000000000000, 100000000000000000, 1000000000000000000,
		10000000000000000000U,
	};
	/* log10(2) is about 1233 / 4096: right, or one too few */
	unsigned n = (64 - __builtin_clzll(value | 1)) * 1233 >> 12;

	return n + (n == 0 || value >= powers[n]);
}

/*
 * What most of a long listing costs.  Two digits a division, and written where
 * they belong: reading back what has just been written byte by byte stalls.
 */
size_t put_u64(char *to, uint64_t value)
{
	static const char pairs[] =
	"0001020304050607080910111213141516171819"
	"2021222324252627282930313233343536373839"
	"4041424344454647484950515253545556575859"
	"6061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";
	unsigned n = digits_u64(value);
	char *p = to + n;

	for (; value >= 100; value /= 100)
		memcpy(p -= 2, pairs + 2 * (value % 100), 2);
	if (value >= 10)
		memcpy(p - 2, pairs + 2 * value, 2);
	else
		p[-1] = '0' + value;
	return n;
}

size_t utf8_length(const char *text, size_t left)
{
	/* The smallest code point that needs a sequence of that length. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)text;
	size_t n = *p < 0x80 ? 1 : *p < 0xc0 ? 0 : *p < 0xe0 ? 2 :
		   *p < 0xf0 ? 3 : *p < 0xf8 ? 4 : 0;
	uint32_t code;

	if (n == 0 || n > left)
		return 0;
	if (n == 1)
		return 1;
	code = *p & (0x7f >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (code < least[n] || code > 0x10ffff ||
	    (code >= 0xd800 && code <= 0xdfff))
		return 0;
	return n;
}
