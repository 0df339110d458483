/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field.c - makes fields of numbers on disk, and records of fields
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "field.h"
#include "fs/inode_life.h"
#include "io/grow.h"

/* ---------------------------------------------------------- the storage */

static bool make_room(struct decoded *d, size_t bytes)
{
	size_t room = d->room_text ? d->room_text : 4096;
	char *text;

	while (room - d->nr_text < bytes)
		room *= 2;
	if (room == d->room_text)
		return true;
	text = realloc(d->text, room);
	if (!text)
		return false;
	d->text = text;
	d->room_text = room;
	return true;
}

/* Offset of the string; meaningless once d->failed is set. */
static size_t add_text(struct decoded *d, const char *format, va_list args)
{
	size_t at = d->nr_text;
	va_list again;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (d->failed || length < 0 || !make_room(d, (size_t)length + 1)) {
		d->failed = true;
		return 0;
	}
	vsnprintf(d->text + at, (size_t)length + 1, format, args);
	d->nr_text += (size_t)length + 1;
	return at;
}

static void add_record(struct decoded *d, bool brief, const char *label,
		       va_list args)
{
	struct decoded_record *records;
	size_t at = add_text(d, label, args);

	if (d->failed)
		return;
	records = grow(d->records, d->nr_records, &d->room_records,
		       sizeof(*records));
	if (!records) {
		d->failed = true;
		return;
	}
	d->records = records;
	records[d->nr_records++] = (struct decoded_record){
		.label = at, .first = d->nr_fields, .brief = brief,
	};
}

static void add_field(struct decoded *d, const struct decoded_field *field)
{
	struct decoded_field *fields;

	if (d->failed)
		return;
	fields = grow(d->fields, d->nr_fields, &d->room_fields,
		      sizeof(*fields));
	if (!fields) {
		d->failed = true;
		return;
	}
	d->fields = fields;
	fields[d->nr_fields++] = *field;
	d->records[d->nr_records - 1].count++;
}

/* ---------------------------------------------------- records and fields */

void begin_record(struct decoded *d, const char *label, ...)
{
	va_list args;

	va_start(args, label);
	add_record(d, false, label, args);
	va_end(args);
}

void begin_brief(struct decoded *d, const char *label, ...)
{
	va_list args;

	va_start(args, label);
	add_record(d, true, label, args);
	va_end(args);
}

void put_number(struct decoded *d, const char *name, uint64_t value)
{
	add_field(d, &(struct decoded_field){ .name = name,
			.kind = VALUE_NUMBER, .number = value });
}

void put_bool(struct decoded *d, const char *name, bool value)
{
	add_field(d, &(struct decoded_field){ .name = name,
			.kind = VALUE_BOOL, .number = value });
}

void put_text(struct decoded *d, const char *name, const char *format, ...)
{
	struct decoded_field field = { .name = name, .kind = VALUE_TEXT };
	va_list args;

	va_start(args, format);
	field.text = add_text(d, format, args);
	va_end(args);
	add_field(d, &field);
}

void put_name(struct decoded *d, const char *name, const uint8_t *bytes,
	      size_t count)
{
	size_t at = d->nr_text;

	if (d->failed || !make_room(d, count + 1)) {
		d->failed = true;
		return;
	}
	memcpy(d->text + at, bytes, count);
	d->text[at + count] = 0;
	d->nr_text += count + 1;
	add_field(d, &(struct decoded_field){ .name = name,
			.kind = VALUE_NAME, .number = count, .text = at });
}

static void put_none(struct decoded *d, const char *name)
{
	add_field(d, &(struct decoded_field){ .name = name });
}

void in_label(struct decoded *d)
{
	if (!d->failed)
		d->fields[d->nr_fields - 1].labelled = true;
}

/* The first and the last second with a year of four digits. */
#define YEAR_1		(-62135596800)
#define YEAR_9999	253402300799

void put_time(struct decoded *d, const char *name, int64_t sec, int32_t nsec)
{
	time_t seconds = (time_t)sec;
	char fraction[16] = "";
	struct tm tm;

	if ((sec == 0 && nsec <= 0) || sec < YEAR_1 || sec > YEAR_9999 ||
	    !gmtime_r(&seconds, &tm)) {
		add_field(d, &(struct decoded_field){ .name = name,
				.kind = VALUE_NONE, .number = (uint64_t)sec });
		return;
	}
	if (nsec >= 0)
		snprintf(fraction, sizeof(fraction), ".%09d", nsec);
	put_text(d, name, "%04d-%02d-%02dT%02d:%02d:%02d%sZ",
		 tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
		 tm.tm_min, tm.tm_sec, fraction);
}

void put_broken(struct decoded *d, const char *of, const char *why,
		uint64_t at, uint64_t value)
{
	begin_brief(d, "%sbroken at byte %llu", of, (unsigned long long)at);
	put_text(d, "why", "%s", why);
	put_number(d, "value", value);
}

void name_text(char text[NAME_TEXT], const uint8_t *bytes, uint8_t count)
{
	for (; count; count--, bytes++) {
		if (*bytes)
			*text++ = (char)*bytes;
		else
			text += sprintf(text, "\\x00");
	}
	*text = 0;
}

/* ---------------------------------------------------------------- tables */

static void put_stamp(struct decoded *d, const struct field_line *line,
		      const uint8_t *base, bool whole)
{
	uint32_t extra = whole ? get_le32(base + line->high) : 0;

	put_time(d, line->name,
		 inode_seconds(get_le32(base + line->offset), extra),
		 whole ? (int32_t)(extra >> 2) : -1);
}

static void put_uuid(struct decoded *d, const char *name, const uint8_t *p)
{
	put_text(d, name, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
		 "%02x%02x%02x%02x%02x%02x", p[0], p[1], p[2], p[3], p[4],
		 p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13],
		 p[14], p[15]);
}

static void put_line(struct decoded *d, const struct field_line *line,
		     const uint8_t *base, bool whole)
{
	const uint8_t *p = base + line->offset;
	uint64_t value;

	if (line->format == FIELD_TEXT && !*p) {
		put_none(d, line->name);
		return;
	}
	if (line->format == FIELD_TEXT) {
		put_text(d, line->name, "%.*s", line->width, (const char *)p);
		return;
	}
	if (line->format == FIELD_UUID) {
		put_uuid(d, line->name, p);
		return;
	}
	if (line->format == FIELD_STAMP) {
		put_stamp(d, line, base, whole);
		return;
	}
	value = get_le(p, line->width);
	if (whole)
		value |= get_le(base + line->high, line->high_width) <<
			 8 * line->width;
	if (line->format == FIELD_TIME)
		put_time(d, line->name, (int64_t)value, -1);
	else if (line->format == FIELD_HEX)
		put_text(d, line->name, "0x%llx", (unsigned long long)value);
	else if (line->format == FIELD_OCTAL)
		put_text(d, line->name, "0%llo", (unsigned long long)value);
	else
		put_number(d, line->name, value);
}

void put_table(struct decoded *d, const struct field_line *line,
	       const uint8_t *base, size_t size)
{
	for (; line->name; line++)
		if (line->offset + line->width <= size)
			put_line(d, line, base, line->high_width &&
				 line->high + line->high_width <= size);
}
