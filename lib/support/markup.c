/* SPDX-License-Identifier: GPL-2.0-only */
/* markup.c - text in HTML and SVG */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markup.h"

static const char *entity_of(char c)
{
	switch (c) {
	case '&':	return "&amp;";
	case '<':	return "&lt;";
	case '>':	return "&gt;";
	case '"':	return "&quot;";
	case '\'':	return "&#39;";
	}
	return NULL;
}

void markup_text(struct out *out, const char *text)
{
	const char *end = text + strlen(text), *entity;
	char shown[PRINTABLE];

	while (text < end) {
		size_t n = printable(shown, &text, end - text);

		entity = n == 1 ? entity_of(*shown) : NULL;
		if (entity)
			out_text(out, entity);
		else
			out_bytes(out, shown, n);
	}
}

void markup_format(struct out *out, const char *format, ...)
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
	markup_text(out, text);
	free(text);
}

void markup_element(struct out *out, const char *name, const char *text)
{
	out_char(out, '<');
	out_text(out, name);
	out_char(out, '>');
	markup_text(out, text);
	out_text(out, "</");
	out_text(out, name);
	out_text(out, ">\n");
}
