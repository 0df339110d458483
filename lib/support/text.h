/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.h - numbers as digits, and text as a terminal shows it
 */
#ifndef SUPPORT_TEXT_H
#define SUPPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUT_DIGITS	20		/* of the largest uint64_t */

/*
 * Decimal digits of @value at @to, no NUL; returns their number, OUT_DIGITS at
 * the most.
 */
size_t put_u64(char *to, uint64_t value);
/* How many digits put_u64() would write. */
unsigned digits_u64(uint64_t value);

/*
 * Length of the valid UTF-8 sequence that @text begins with, 0 if there is
 * none.  @left bytes may be looked at.  @code gets the character, or the first
 * byte where there is none.
 */
size_t utf8_read(const char *text, size_t left, uint32_t *code);
bool text_is_utf8(const char *text);
/*
 * Does the character change what a terminal does, or where it shows the
 * characters beside it?  That is so of the control characters C0, DEL and C1,
 * of the marks, embeddings, overrides and isolates of bidirectional text, and
 * of the separators of lines and paragraphs.
 */
bool text_steers(uint32_t code);

/*
 * The first character of @text, of which @left bytes may be looked at, as it
 * can be shown on a terminal: each byte of a character that steers, and each
 * that is not UTF-8, becomes \xNN.  Moves @text on; returns the bytes at @to.
 */
#define PRINTABLE	17
size_t printable(char to[PRINTABLE], const char **text, size_t left);

/* All of @text like that, to be freed; NULL: out of memory. */
char *printable_text(const char *text);

/*
 * Columns of a terminal that @length bytes of @text take, in the locale's
 * charset.  What is no character in it counts as one column a byte.
 */
size_t text_columns(const char *text, size_t length);

/*
 * Bytes of @text that go on a line of @width columns.  Lines end before blanks,
 * of which a run counts as one, and beside characters of two columns, but not
 * where punctuation would be cut off from what it belongs to.  What has no such
 * place within @width goes on as far as the first one.
 */
size_t text_line(const char *text, size_t width);

#endif
