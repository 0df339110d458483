/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * out.h - what a program writes to standard output
 *
 * A buffer of its own, because a map has millions of rows and stdio spends
 * more time on each cell than finding it took.  The first write that fails is
 * remembered and everything after it dropped; out_flush() tells.
 */
#ifndef SUPPORT_OUT_H
#define SUPPORT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUT_SIZE	65536		/* bytes buffered */
#define OUT_DIGITS	20		/* of the largest uint64_t */

struct out {
	int	fd;
	int	error;		/* errno of the first failed write, or 0 */
	bool	color;		/* out_style() has an effect */
	size_t	used;
	char	buf[OUT_SIZE];
};

enum out_style { STYLE_PLAIN, STYLE_BOLD, STYLE_ALARM };

void out_init(struct out *out, int fd);
/* Write what is buffered. Returns 0 or the errno of the first failure. */
int out_flush(struct out *out);

/*
 * At least @bytes of free buffer, at most OUT_SIZE; the caller writes there
 * and adds what it used to @out->used.
 */
static inline char *out_room(struct out *out, size_t bytes)
{
	if (OUT_SIZE - out->used < bytes)
		out_flush(out);
	return out->buf + out->used;
}

static inline void out_char(struct out *out, char c)
{
	*out_room(out, 1) = c;
	out->used++;
}

void out_bytes(struct out *out, const void *bytes, size_t count);
void out_text(struct out *out, const char *text);
void out_spaces(struct out *out, size_t count);
void out_u64(struct out *out, uint64_t value);
void out_format(struct out *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void out_style(struct out *out, enum out_style style);

/*
 * The first character of @text, of which @left bytes may be looked at, as it
 * can be shown on a terminal: control characters and what is not UTF-8 become
 * \xNN.  Moves @text on; returns the bytes at @to.
 */
#define PRINTABLE	17
size_t printable(char to[PRINTABLE], const char **text, size_t left);
/* All of @text in this way; a space becomes @space. */
void out_printable(struct out *out, const char *text, char space);

/*
 * Decimal digits of @value at @to, no NUL; returns their number, OUT_DIGITS at
 * the most.
 */
size_t put_u64(char *to, uint64_t value);
/* How many digits put_u64() would write. */
unsigned digits_u64(uint64_t value);

/*
 * Length of the valid UTF-8 sequence that @text begins with, 0 if there is
 * none.  @left bytes may be looked at.
 */
size_t utf8_length(const char *text, size_t left);

#endif
