/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * out.c - prints records as text and as JSON
 */
#include <string.h>

#include "decode.h"

void decoded_print_value(const struct decoded *d,
			 const struct decoded_field *field, struct out *out)
{
	switch (field->kind) {
	case VALUE_NONE:
		out_char(out, '-');
		break;
	case VALUE_NUMBER:
		out_u64(out, field->number);
		break;
	case VALUE_BOOL:
		out_text(out, field->number ? "yes" : "no");
		break;
	case VALUE_TEXT:
		out_printable(out, decoded_text(d, field->text), ' ');
		break;
	case VALUE_NAME:
		out_printable_bytes(out, decoded_text(d, field->text),
				    field->number, ' ');
		break;
	}
}

void decoded_print_label(const struct decoded *d,
			 const struct decoded_record *record, struct out *out)
{
	out_printable(out, decoded_text(d, record->label), ' ');
}

static const struct decoded_field *first_field(const struct decoded *d,
					       const struct decoded_record *r)
{
	return d->fields + r->first;
}

void decoded_print_brief(const struct decoded *d,
			 const struct decoded_record *record, struct out *out)
{
	const struct decoded_field *field = first_field(d, record);
	const char *before = ": ";

	decoded_print_label(d, record, out);
	for (size_t i = 0; i < record->count; i++, field++) {
		if (field->labelled)
			continue;
		out_text(out, before);
		before = ", ";
		out_text(out, field->name);
		out_char(out, ' ');
		decoded_print_value(d, field, out);
	}
	out_char(out, '\n');
}

static void print_aligned(const struct decoded *d,
			  const struct decoded_record *record,
			  struct out *out)
{
	const struct decoded_field *field = first_field(d, record);
	size_t width = 0;

	for (size_t i = 0; i < record->count; i++)
		if (strlen(field[i].name) > width)
			width = strlen(field[i].name);
	decoded_print_label(d, record, out);
	out_char(out, '\n');
	for (size_t i = 0; i < record->count; i++, field++) {
		out_text(out, "  ");
		out_text(out, field->name);
		out_spaces(out, width - strlen(field->name) + 1);
		decoded_print_value(d, field, out);
		out_char(out, '\n');
	}
}

void decoded_print(const struct decoded *d, struct out *out)
{
	for (size_t i = 0; i < d->nr_records; i++) {
		if (d->records[i].brief)
			decoded_print_brief(d, &d->records[i], out);
		else
			print_aligned(d, &d->records[i], out);
	}
}

void decoded_json_value(const struct decoded *d,
			const struct decoded_field *field, struct json *json,
			const char *key)
{
	switch (field->kind) {
	case VALUE_NONE:
		json_null(json, key);
		break;
	case VALUE_NUMBER:
		json_u64(json, key, field->number);
		break;
	case VALUE_BOOL:
		json_bool(json, key, field->number);
		break;
	case VALUE_TEXT:
		json_string(json, key, decoded_text(d, field->text));
		break;
	case VALUE_NAME:
		json_bytes(json, key, decoded_text(d, field->text),
			   field->number);
		break;
	}
}

void decoded_json(const struct decoded *d, struct json *json, const char *key)
{
	json_array(json, key, JSON_SPREAD);
	for (size_t i = 0; i < d->nr_records; i++) {
		const struct decoded_record *record = &d->records[i];
		const struct decoded_field *field = first_field(d, record);

		json_object(json, NULL, JSON_INLINE);
		json_string(json, "record", decoded_text(d, record->label));
		for (size_t j = 0; j < record->count; j++)
			decoded_json_value(d, &field[j], json, field[j].name);
		json_end(json);
	}
	json_end(json);
}
