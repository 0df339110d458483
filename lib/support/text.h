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
 * Write the decimal digits of @value to @to, without a NUL; returns their
 * number, OUT_DIGITS at most.
 */
size_t put_u64(char *to, uint64_t value);
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
