/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * out.h - buffered standard output
 *
 * It has a buffer of its own: a map has millions of rows, and stdio spends more
 * time on each cell than the search for it.  It keeps the error of the first
 * failed write and drops all later output; out_flush() returns the error.
 */
#ifndef SUPPORT_OUT_H
#define SUPPORT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

#define OUT_SIZE	65536		/* bytes buffered */

struct out {
	int	fd;
	int	error;		/* errno of the first failed write, or 0 */
	bool	color;		/* out_style() has an effect */
	size_t	used;
	char	buf[OUT_SIZE];
};

enum out_style { STYLE_PLAIN, STYLE_BOLD, STYLE_ALARM, STYLE_GOOD };

void out_init(struct out *out, int fd);
/* Write the buffer.  Returns 0 or the errno of the first failure. */
int out_flush(struct out *out);

/*
 * At least @bytes of free buffer, at most OUT_SIZE; the caller writes there and
 * adds the used bytes to @out->used.
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
void out_bold(struct out *out, const char *text);
/* The same, as a line of its own. */
void out_heading(struct out *out, const char *text);

/*
 * Write a string, or bytes, as printable() shows them; a space becomes @space.
 * Returns the number of columns.
 */
size_t out_printable(struct out *out, const char *text, char space);
size_t out_printable_bytes(struct out *out, const char *bytes, size_t length,
			   char space);

/* A word of a command line, quoted for a shell. */
void out_word(struct out *out, const char *word);
/* The same for a file's name, which never looks like an option. */
void out_file_word(struct out *out, const char *file);

/* @text at the left or at the right of a field of @columns, or more. */
void out_left(struct out *out, const char *text, size_t columns);
void out_right(struct out *out, const char *text, size_t columns);

/*
 * A line of a report for people: "  LABEL  value"; out_label() writes only the
 * label.  The value is shown as by printable(), and never cut.
 */
#define OUT_LABEL	17		/* columns of a label */
#define OUT_VALUE	(2 + OUT_LABEL + 1)	/* where values stand */
void out_label(struct out *out, const char *label);
void out_line(struct out *out, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Write @text in lines as text_line() breaks it, with runs of blanks as one.
 * The first line continues the caller's, the others are indented by @indent.
 */
void out_wrapped(struct out *out, const char *text, size_t indent,
		 size_t width);

#endif
