/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.h - numbers as digits, and text as a terminal shows it
 */
#ifndef SUPPORT_TEXT_H
#define SUPPORT_TEXT_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define OUT_DIGITS	20		/* of the largest uint64_t */

#define EIGHT_DIGITS	100000000U

/* "0000" to "9999", without anything between. */
extern const char four_digits[];

static inline uint64_t four_digits_of(uint32_t value)
{
	uint32_t digits;

	memcpy(&digits, four_digits + 4 * value, 4);
	return le32toh(digits);
}

/* Eight digits of @value as text, the first one in the lowest byte. */
static inline uint64_t eight_digits(uint32_t value)
{
	uint32_t high = value / 10000;

	return four_digits_of(high) |
	       four_digits_of(value - 10000 * high) << 32;
}

static inline void put_digits(char *to, uint64_t digits)
{
	digits = htole64(digits);
	memcpy(to, &digits, sizeof(digits));
}

size_t put_long_u64(char *to, uint64_t value);

/*
 * Write the decimal digits of @value to @to, without a NUL; returns their
 * number.  @to has room for OUT_DIGITS, and keeps nothing behind the number.
 * Most of the cost of a long listing, so it has no loop.
 */
static inline size_t put_u64(char *to, uint64_t value)
{
	uint64_t digits;
	unsigned zeros;

	if (value >= EIGHT_DIGITS)
		return put_long_u64(to, value);
	digits = eight_digits((uint32_t)value);
	/* '0' to '9' are 0x30 to 0x39. */
	zeros = __builtin_ctzll((digits & 0x0f0f0f0f0f0f0f0f) |
				(uint64_t)1 << 56) / 8;
	put_digits(to, digits >> 8 * zeros);
	return 8 - zeros;
}

/* Number of digits that put_u64() would write. */
unsigned digits_u64(uint64_t value);

/*
 * Length of the valid UTF-8 sequence at the start of @text, which has @left
 * bytes; 0 if there is none.  @code gets the character, or else the first byte.
 */
size_t utf8_read(const char *text, size_t left, uint32_t *code);
bool text_is_utf8(const char *text);
/*
 * Does the character steer a terminal, or move the characters beside it?  Such
 * characters are the control characters C0, DEL and C1, the marks, embeddings,
 * overrides and isolates of bidirectional text, and the separators of lines and
 * paragraphs.
 */
bool text_steers(uint32_t code);

/*
 * The first character of @text, which has @left bytes, in a form for a
 * terminal: each byte of a character that steers, and each byte that is not
 * UTF-8, becomes \xNN.  Moves @text on; returns the number of bytes at @to.
 */
#define PRINTABLE	17
size_t printable(char to[PRINTABLE], const char **text, size_t left);

/* All of @text in that form; the caller frees it.  NULL: out of memory. */
char *printable_text(const char *text);

/*
 * Terminal columns of @length bytes of @text, in the locale's charset.  A byte
 * that is no character there counts as one column.
 */
size_t text_columns(const char *text, size_t length);

/*
 * Bytes of @text that fit a line of @width columns.  A line ends before blanks
 * (a run counts as one) or beside a character of two columns, but never between
 * a word and its punctuation.  Without such a place within @width, the line
 * goes on to the first one.
 */
size_t text_line(const char *text, size_t width);

#endif
