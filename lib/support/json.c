/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json.c - one JSON document, streamed; or its rows alone, each a line
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "units.h"

void json_init(struct json *json, struct out *out)
{
	memset(json, 0, sizeof(*json));
	json->out = out;
}

void json_lines(struct json *json, struct out *nowhere)
{
	json->lines = json->out;
	json->out = json->nowhere = nowhere;
}

static bool in_row(const struct json *json)
{
	return json->lines && json->out == json->lines;
}

static void line_break(struct json *json)
{
	out_char(json->out, '\n');
	out_spaces(json->out, 2 * json->depth);
}

/* Write comma, line break and key before a value. */
static void lead_in(struct json *json, const char *key)
{
	if (json->depth && !json->level[json->depth - 1].rows) {
		if (json->level[json->depth - 1].any)
			out_char(json->out, ',');
		json->level[json->depth - 1].any = true;
		if (json->level[json->depth - 1].spread)
			line_break(json);
	}
	if (key) {
		out_char(json->out, '"');
		out_text(json->out, key);
		out_text(json->out, "\":");
	}
}

static void begin(struct json *json, const char *key, char open, char close,
		  enum json_layout layout)
{
	lead_in(json, key);
	json->begun = true;
	out_char(json->out, open);
	json->level[json->depth].close = close;
	json->level[json->depth].spread = layout == JSON_SPREAD &&
					  !in_row(json);
	json->level[json->depth].any = false;
	json->level[json->depth].rows = false;
	json->depth++;
}

void json_object(struct json *json, const char *key, enum json_layout layout)
{
	begin(json, key, '{', '}', layout);
}

void json_array(struct json *json, const char *key, enum json_layout layout)
{
	begin(json, key, '[', ']', layout);
}

void json_rows(struct json *json, const char *key)
{
	json_array(json, key, JSON_SPREAD);
	if (json->lines && !in_row(json)) {
		json->level[json->depth - 1].rows = true;
		json->out = json->lines;
	}
}

/* A row has ended. */
static void end_row(struct json *json)
{
	out_char(json->out, '\n');
	json->rows++;
}

void json_end(struct json *json)
{
	json->depth--;
	if (json->level[json->depth].rows)
		json->out = json->nowhere;
	if (json->level[json->depth].spread && json->level[json->depth].any)
		line_break(json);
	out_char(json->out, json->level[json->depth].close);
	if (json->depth == 0)
		out_char(json->out, '\n');
	else if (json->level[json->depth - 1].rows)
		end_row(json);
}

void json_u64(struct json *json, const char *key, uint64_t value)
{
	lead_in(json, key);
	out_u64(json->out, value);
}

void json_known(struct json *json, const char *key, bool known, uint64_t value)
{
	if (known)
		json_u64(json, key, value);
	else
		json_null(json, key);
}

void json_i64(struct json *json, const char *key, int64_t value)
{
	lead_in(json, key);
	if (value < 0)
		out_char(json->out, '-');
	out_u64(json->out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_real(struct json *json, const char *key, double value)
{
	lead_in(json, key);
	if (isfinite(value))
		out_format(json->out, "%.3f", value);
	else
		out_text(json->out, "null");
}

void json_bool(struct json *json, const char *key, bool value)
{
	lead_in(json, key);
	out_text(json->out, value ? "true" : "false");
}

void json_null(struct json *json, const char *key)
{
	lead_in(json, key);
	out_text(json->out, "null");
}

/* Write a character of @length bytes that does not steer a terminal. */
static void put_plain(struct out *out, const char *text, size_t length)
{
	if (*text == '"' || *text == '\\')
		out_char(out, '\\');
	out_bytes(out, text, length);
}

/* The key of the member with the bytes of member @key. */
static void put_hex_of(struct json *json, const char *key, const char *bytes,
		       size_t length)
{
	char name[JSON_KEY];

	snprintf(name, sizeof(name), "%s_hex", key);
	json_hex(json, name, bytes, length);
}

void json_bytes(struct json *json, const char *key, const char *bytes,
		size_t length)
{
	const char *text = bytes;
	bool whole = true;
	size_t left, n;
	uint32_t code;

	lead_in(json, key);
	out_char(json->out, '"');
	for (left = length; left; text += n, left -= n) {
		n = utf8_read(text, left, &code);
		if (!n)
			out_text(json->out, "\\ufffd");
		else if (!code)
			out_text(json->out, "\\\\x00");
		else if (text_steers(code))
			out_format(json->out, "\\u%04x", code);
		else
			put_plain(json->out, text, n);
		whole = whole && n && code;
		n = n ? n : 1;
	}
	out_char(json->out, '"');
	if (!whole && key)
		put_hex_of(json, key, bytes, length);
}

void json_string(struct json *json, const char *key, const char *text)
{
	if (text)
		json_bytes(json, key, text, strlen(text));
	else
		json_null(json, key);
}

void json_date(struct json *json, const char *key, int64_t seconds)
{
	char text[TIME_TEXT];

	json_string(json, key, date_text(text, seconds) ? text : NULL);
}

void json_time(struct json *json, const char *key, uint64_t seconds)
{
	char text[TIME_TEXT];

	json_string(json, key, time_text(text, seconds) ? text : NULL);
}

void json_hex(struct json *json, const char *key, const void *bytes,
	      size_t count)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *p = bytes;

	lead_in(json, key);
	out_char(json->out, '"');
	for (; count; count--, p++) {
		out_char(json->out, digits[*p >> 4]);
		out_char(json->out, digits[*p & 15]);
	}
	out_char(json->out, '"');
}
