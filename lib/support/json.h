/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json.h - one JSON document, streamed; or its rows alone, each a line
 *
 * It keeps only the nesting.  A key is NULL inside an array and given inside an
 * object; keys are our own ASCII literals and are not escaped.
 */
#ifndef SUPPORT_JSON_H
#define SUPPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "out.h"

#define JSON_DEPTH	8
#define JSON_KEY	64	/* the longest key, _hex and NUL included */

struct json {
	struct out	*out;
	struct out	*lines;		/* of json_lines(), or NULL */
	struct out	*nowhere;
	uint64_t	rows;		/* written so far */
	unsigned	depth;
	bool		begun;		/* something was written */
	struct {
		char	close;		/* bracket that ends this level */
		bool	spread;		/* one member a line */
		bool	any;		/* it has a member already */
		bool	rows;		/* each member is a line of its own */
	} level[JSON_DEPTH];
};

enum json_layout { JSON_INLINE, JSON_SPREAD };

void json_init(struct json *json, struct out *out);
/*
 * From now on write the members of json_rows() alone, each as a line; all else
 * goes to @nowhere.
 */
void json_lines(struct json *json, struct out *nowhere);
void json_object(struct json *json, const char *key, enum json_layout layout);
void json_array(struct json *json, const char *key, enum json_layout layout);
/* An array of rows, which are objects; within a row, any array. */
void json_rows(struct json *json, const char *key);
/* End the innermost object or array; a newline after the outermost. */
void json_end(struct json *json);

void json_u64(struct json *json, const char *key, uint64_t value);
/* The same, or null. */
void json_known(struct json *json, const char *key, bool known, uint64_t value);
void json_i64(struct json *json, const char *key, int64_t value);
/* Three decimals, for ratios. */
void json_real(struct json *json, const char *key, double value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
/*
 * Text of any bytes.  A byte that is not UTF-8 becomes U+FFFD and a NUL becomes
 * \x00; the object then gets a second member, KEY_hex, with all bytes in
 * hexadecimal.  A character that steers a terminal is written as \uNNNN.
 */
void json_bytes(struct json *json, const char *key, const char *bytes,
		size_t length);
/* The same for a string; NULL gives null. */
void json_string(struct json *json, const char *key, const char *text);
/* Seconds since 1970 as an ISO-8601 string in UTC. */
void json_date(struct json *json, const char *key, int64_t seconds);
/* The same, but 0 gives null. */
void json_time(struct json *json, const char *key, uint64_t seconds);
/* Bytes as a string of hexadecimal digits. */
void json_hex(struct json *json, const char *key, const void *bytes,
	      size_t count);

#endif
