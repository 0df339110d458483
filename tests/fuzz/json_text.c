/* SPDX-License-Identifier: GPL-2.0-only */
/* json_text.c - see json_text.h */
#include <stdint.h>
#include <string.h>

#include "json_text.h"

#define DEEPEST	64

struct cursor {
	const char	*at, *end;
	unsigned	depth;
};

static bool value(struct cursor *c);

static bool is_next(struct cursor *c, const char *set)
{
	return c->at < c->end && *c->at && strchr(set, *c->at);
}

static bool take(struct cursor *c, const char *set)
{
	bool taken = is_next(c, set);

	c->at += taken;
	return taken;
}

static void space(struct cursor *c)
{
	while (take(c, " \t\r\n"))
		;
}

static bool word(struct cursor *c, const char *text)
{
	size_t length = strlen(text);

	if ((size_t)(c->end - c->at) < length || memcmp(c->at, text, length))
		return false;
	c->at += length;
	return true;
}

static bool digits(struct cursor *c)
{
	bool some = false;

	while (take(c, "0123456789"))
		some = true;
	return some;
}

static bool number(struct cursor *c)
{
	take(c, "-");
	if (!take(c, "0") && !digits(c))
		return false;
	if (take(c, ".") && !digits(c))
		return false;
	if (!take(c, "eE"))
		return true;
	take(c, "+-");
	return digits(c);
}

static bool escape(struct cursor *c)
{
	if (take(c, "\"\\/bfnrt"))
		return true;
	if (!take(c, "u"))
		return false;
	for (unsigned i = 0; i < 4; i++)
		if (!take(c, "0123456789abcdefABCDEF"))
			return false;
	return true;
}

/* A character of several bytes: the shortest form, no surrogate. */
static bool wide(struct cursor *c, unsigned char first)
{
	unsigned more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	uint32_t code = first & (0x3f >> more);

	if (first < 0xc2 || first > 0xf4 || c->end - c->at < (int)more)
		return false;
	for (unsigned i = 0; i < more; i++, c->at++) {
		if (((unsigned char)*c->at & 0xc0) != 0x80)
			return false;
		code = code << 6 | ((unsigned char)*c->at & 0x3f);
	}
	return code >= least[more] && code <= 0x10ffff &&
	       (code < 0xd800 || code > 0xdfff);
}

static bool string(struct cursor *c)
{
	if (!take(c, "\""))
		return false;
	while (c->at < c->end) {
		unsigned char byte = (unsigned char)*c->at++;

		if (byte == '"')
			return true;
		if (byte < ' ' || (byte == '\\' && !escape(c)) ||
		    (byte >= 0x80 && !wide(c, byte)))
			return false;
	}
	return false;
}

static bool member(struct cursor *c)
{
	space(c);
	if (!string(c))
		return false;
	space(c);
	return take(c, ":") && value(c);
}

static bool list(struct cursor *c, const char *end,
		 bool (*item)(struct cursor *c))
{
	space(c);
	if (take(c, end))
		return true;
	do
		if (!item(c))
			return false;
	while (take(c, ","));
	return take(c, end);
}

static bool bare(struct cursor *c)
{
	if (take(c, "{"))
		return list(c, "}", member);
	if (take(c, "["))
		return list(c, "]", value);
	if (is_next(c, "\""))
		return string(c);
	return word(c, "true") || word(c, "false") || word(c, "null") ||
	       number(c);
}

static bool value(struct cursor *c)
{
	bool good;

	if (++c->depth > DEEPEST)
		return false;
	space(c);
	good = bare(c);
	space(c);
	c->depth--;
	return good;
}

bool json_is_document(const char *text, size_t length)
{
	struct cursor c = { .at = text, .end = text + length };

	return value(&c) && c.at == c.end;
}

bool json_is_lines(const char *text, size_t length)
{
	const char *end = text + length, *line = text, *next;

	for (; line < end; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next || !json_is_document(line, (size_t)(next - line)))
			return false;
	}
	return true;
}
