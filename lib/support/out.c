/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * out.c - buffered standard output
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out.h"
#include "status.h"
#include "text.h"

void out_init(struct out *out, int fd)
{
	out->fd = fd;
	out->error = 0;
	out->color = false;
	out->used = 0;
}

/* How long a reader may take after a signal: one that reads gets the end. */
#define GRACE_MS	500

/*
 * A reader may never read on.  So after a signal only as much is written as
 * it takes in time, and nothing is once it has fallen behind.
 */
static size_t most_at_once(const struct out *out, size_t bytes)
{
	struct pollfd reader = { .fd = out->fd, .events = POLLOUT };

	if (!cancelled())
		return bytes;
	if (poll(&reader, 1, GRACE_MS) != 1 || reader.revents != POLLOUT)
		return 0;
	return bytes < PIPE_BUF ? bytes : PIPE_BUF;
}

int out_flush(struct out *out)
{
	size_t done = 0;
	ssize_t n;

	while (done < out->used && !out->error) {
		size_t most = most_at_once(out, out->used - done);

		if (!most) {
			out->error = EINTR;
			break;
		}
		n = write(out->fd, out->buf + done, most);
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

/*
 * The caller frees the result.  NULL without memory; then @out has the error.
 */
__attribute__((format(printf, 2, 0)))
static char *formatted(struct out *out, const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) >= 0)
		return text;
	if (!out->error)
		out->error = ENOMEM;
	return NULL;
}

void out_format(struct out *out, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = formatted(out, format, args);
	va_end(args);
	if (text)
		out_text(out, text);
	free(text);
}

void out_style(struct out *out, enum out_style style)
{
	static const char *const codes[] = {
		[STYLE_PLAIN] = "\033[0m",
		[STYLE_BOLD] = "\033[1m",
		[STYLE_ALARM] = "\033[31m",
		[STYLE_GOOD] = "\033[32m",
	};

	if (out->color)
		out_text(out, codes[style]);
}

void out_bold(struct out *out, const char *text)
{
	out_style(out, STYLE_BOLD);
	out_text(out, text);
	out_style(out, STYLE_PLAIN);
}

void out_heading(struct out *out, const char *text)
{
	out_bold(out, text);
	out_char(out, '\n');
}

size_t out_printable(struct out *out, const char *text, char space)
{
	return out_printable_bytes(out, text, strlen(text), space);
}

/* Bytes at the beginning that show themselves, in one column each. */
static size_t plain_length(const char *text, size_t length)
{
	size_t n = 0;

	while (n < length && text[n] > ' ' && text[n] < 0x7f)
		n++;
	return n;
}

size_t out_printable_bytes(struct out *out, const char *text, size_t length,
			   char space)
{
	const char *end = text + length;
	char shown[PRINTABLE];
	size_t columns = plain_length(text, length);

	out_bytes(out, text, columns);
	text += columns;
	while (text < end) {
		size_t n = printable(shown, &text, end - text);

		if (n == 1 && *shown == ' ')
			*shown = space;
		out_bytes(out, shown, n);
		columns += text_columns(shown, n);
	}
	return columns;
}

static void pad(struct out *out, const char *text, size_t columns)
{
	size_t taken = text_columns(text, strlen(text));

	if (taken < columns)
		out_spaces(out, columns - taken);
}

void out_left(struct out *out, const char *text, size_t columns)
{
	out_text(out, text);
	pad(out, text, columns);
}

void out_right(struct out *out, const char *text, size_t columns)
{
	pad(out, text, columns);
	out_text(out, text);
}

void out_label(struct out *out, const char *label)
{
	out_text(out, "  ");
	out_left(out, label, OUT_LABEL);
	out_char(out, ' ');
}

void out_line(struct out *out, const char *label, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = formatted(out, format, args);
	va_end(args);
	out_label(out, label);
	if (text)
		out_printable(out, text, ' ');
	free(text);
	out_char(out, '\n');
}

void out_wrapped(struct out *out, const char *text, size_t indent, size_t width)
{
	const char *end = text + text_line(text, width);

	for (;; text++) {
		if (text == end) {
			out_char(out, '\n');
			text += strspn(text, " ");
			if (!*text)
				return;
			end = text + text_line(text, width);
			out_spaces(out, indent);
		}
		if (*text != ' ' || text[1] != ' ')
			out_char(out, *text);
	}
}

/* ------------------------------------------ words of a command line */

/* Write control characters as \xNN, which shells read in $''. */
static void print_escaped(struct out *out, const char *word)
{
	const char *end = word + strlen(word);
	char shown[PRINTABLE];

	out_text(out, "$'");
	while (word < end) {
		if (*word == '\'' || *word == '\\')
			out_char(out, '\\');
		out_bytes(out, shown, printable(shown, &word, end - word));
	}
	out_char(out, '\'');
}

static bool is_printable(const char *word)
{
	const char *end = word + strlen(word), *at;
	char shown[PRINTABLE];

	for (at = word; word < end; at = word)
		if (printable(shown, &word, end - word) != (size_t)(word - at))
			return false;
	return true;
}

void out_word(struct out *out, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789-_=,./:+@%";
	const char *p;

	if (*word && !word[strspn(word, plain)]) {
		out_text(out, word);
		return;
	}
	if (!is_printable(word)) {
		print_escaped(out, word);
		return;
	}
	out_char(out, '\'');
	for (p = word; *p; p++) {
		if (*p == '\'')
			out_text(out, "'\\'");
		out_char(out, *p);
	}
	out_char(out, '\'');
}

void out_file_word(struct out *out, const char *file)
{
	if (*file != '-') {
		out_word(out, file);
		return;
	}
	/*
	 * "./", not "--": a program without long options takes "--" for a name.
	 */
	out_text(out, "./");
	out_word(out, file);
}
