/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.c - numbers as digits, and text as a terminal shows it
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "text.h"

/* The preprocessor counts: each line puts ten digits behind those before. */
#define ONES(p)	p "0" p "1" p "2" p "3" p "4" p "5" p "6" p "7" p "8" p "9"
#define TENS(p)	ONES(p "0") ONES(p "1") ONES(p "2") ONES(p "3") ONES(p "4") \
		ONES(p "5") ONES(p "6") ONES(p "7") ONES(p "8") ONES(p "9")
#define HUNDREDS(p) \
		TENS(p "0") TENS(p "1") TENS(p "2") TENS(p "3") TENS(p "4") \
		TENS(p "5") TENS(p "6") TENS(p "7") TENS(p "8") TENS(p "9")

const char four_digits[] =
	HUNDREDS("0") HUNDREDS("1") HUNDREDS("2") HUNDREDS("3") HUNDREDS("4")
	HUNDREDS("5") HUNDREDS("6") HUNDREDS("7") HUNDREDS("8") HUNDREDS("9");

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

size_t put_long_u64(char *to, uint64_t value)
{
	size_t n = put_u64(to, value / EIGHT_DIGITS);

	put_digits(to + n, eight_digits(value % EIGHT_DIGITS));
	return n + 8;
}

size_t utf8_read(const char *text, size_t left, uint32_t *code)
{
	/* smallest code point for a sequence of each length */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)text;
	size_t n = *p < 0x80 ? 1 : *p < 0xc0 ? 0 : *p < 0xe0 ? 2 :
		   *p < 0xf0 ? 3 : *p < 0xf8 ? 4 : 0;
	uint32_t read;

	*code = *p;
	if (n == 0 || n > left)
		return 0;
	if (n == 1)
		return 1;
	read = *p & (0x7f >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		read = read << 6 | (p[i] & 0x3f);
	}
	if (read < least[n] || read > 0x10ffff ||
	    (read >= 0xd800 && read <= 0xdfff))
		return 0;
	*code = read;
	return n;
}

bool text_is_utf8(const char *text)
{
	size_t n, left = strlen(text);
	uint32_t code;

	for (; left; text += n, left -= n) {
		n = utf8_read(text, left, &code);
		if (!n)
			return false;
	}
	return true;
}

bool text_steers(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0, 0x1f },		/* C0 */
		{ 0x7f, 0x9f },		/* DEL and C1 */
		{ 0x61c, 0x61c },	/* Arabic letter mark */
		{ 0x200e, 0x200f },	/* left-to-right and right-to-left mark */
		{ 0x2028, 0x2029 },	/* line and paragraph separator */
		{ 0x202a, 0x202e },	/* bidi embeddings and overrides */
		{ 0x2066, 0x206f },	/* bidi isolates, old bidi switches */
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

size_t printable(char to[PRINTABLE], const char **text, size_t left)
{
	const unsigned char *p = (const unsigned char *)*text;
	uint32_t code;
	size_t n = utf8_read(*text, left, &code), bytes = n ? n : 1;

	*text += bytes;
	if (n && !text_steers(code)) {
		memcpy(to, p, n);
		return n;
	}
	for (size_t i = 0; i < bytes; i++)
		snprintf(to + 4 * i, 5, "\\x%02x", p[i]);
	return 4 * bytes;
}

char *printable_text(const char *text)
{
	size_t left = strlen(text);
	const char *end = text + left;
	char *shown, *to;

	if (left >= SIZE_MAX / PRINTABLE)
		return NULL;
	shown = to = malloc(left * PRINTABLE + 1);
	if (!shown)
		return NULL;
	while (text < end)
		to += printable(to, &text, end - text);
	*to = '\0';
	return shown;
}

/* A character of the locale's charset. */
struct glyph {
	wchar_t		code;
	unsigned	columns;
};

/*
 * Take the character that @text begins with; returns its bytes, at least one.
 */
static size_t glyph_read(const char *text, size_t left, struct glyph *glyph)
{
	mbstate_t state;
	size_t n;
	int columns;

	*glyph = (struct glyph){ .code = (unsigned char)*text, .columns = 1 };
	if (glyph->code < 0x80)
		return 1;
	memset(&state, 0, sizeof(state));
	n = mbrtowc(&glyph->code, text, left, &state);
	if (n == 0 || n > left) {	/* none, or not all of it */
		glyph->code = 0;
		return 1;
	}
	columns = wcwidth(glyph->code);
	if (columns >= 0)
		glyph->columns = columns;
	return n;
}

size_t text_columns(const char *text, size_t length)
{
	const char *end = text + length;
	struct glyph glyph;
	size_t columns = 0;

	while (text < end) {
		text += glyph_read(text, end - text, &glyph);
		columns += glyph.columns;
	}
	return columns;
}

/*
 * May a line end between the two?  Chinese and Japanese have no blanks, but
 * marks that no line begins with, and brackets that no line ends with.
 */
static bool may_break(const struct glyph *before, const struct glyph *after)
{
	static const wchar_t closing[] =
		L"!%'\"),.:;?]}\u2019\u201d\u2026\u3001\u3002\u3009\u300b"
		L"\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f";
	static const wchar_t opening[] =
		L"'\"([{\u2018\u201c\u3008\u300a\u300c\u300e\u3010\uff08";

	if (before->code == L' ' || after->code == L' ')
		return before->code != L' ';
	return (before->columns == 2 || after->columns == 2) &&
	       after->columns && !wcschr(closing, after->code) &&
	       !wcschr(opening, before->code);
}

size_t text_line(const char *text, size_t width)
{
	size_t left = strlen(text), at, n, columns = 0, fits = 0;
	struct glyph glyph, before = { .code = L' ' };

	for (at = 0; at < left; at += n, before = glyph) {
		n = glyph_read(text + at, left - at, &glyph);
		if (may_break(&before, &glyph) && (columns <= width || !fits))
			fits = at;
		if (columns > width && fits)
			return fits;
		if (glyph.code != L' ' || before.code != L' ')
			columns += glyph.columns;
	}
	return columns > width && fits ? fits : left;
}
