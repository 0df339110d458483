/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff_records.c - the differences between two decoded blocks
 */
#include <stdlib.h>
#include <string.h>

#include "diff.h"

#define ALONE	SIZE_MAX	/* the other block has no such record */

struct side {
	const struct decoded *decoded;
	size_t		*partner;	/* partner of each record, or ALONE */
};

struct differ {
	struct side	before, after;
	struct out	*out;
	struct json	*json;		/* NULL: text */
	size_t		changes;
};

/* --------------------------------------------------------------- matching */

struct key {
	const char	*label;
	size_t		index;
};

static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = strcmp(x->label, y->label);

	return order ? order : x->index < y->index ? -1 : 1;
}

static struct key *sorted_keys(const struct decoded *d)
{
	/* One more: calloc(0) may return NULL, like a failure. */
	struct key *keys = calloc(d->nr_records + 1, sizeof(*keys));

	if (!keys)
		return NULL;
	for (size_t i = 0; i < d->nr_records; i++) {
		keys[i].label = decoded_text(d, d->records[i].label);
		keys[i].index = i;
	}
	qsort(keys, d->nr_records, sizeof(*keys), compare_keys);
	return keys;
}

static void pair(struct side *before, const struct key *x,
		 struct side *after, const struct key *y)
{
	size_t i = 0, j = 0;

	while (i < before->decoded->nr_records &&
	       j < after->decoded->nr_records) {
		int order = strcmp(x[i].label, y[j].label);

		if (order == 0) {
			before->partner[x[i].index] = y[j].index;
			after->partner[y[j].index] = x[i].index;
		}
		i += order <= 0;
		j += order >= 0;
	}
}

static bool begin_side(struct side *side, const struct decoded *decoded)
{
	side->decoded = decoded;
	side->partner = malloc((decoded->nr_records + 1) *
			       sizeof(*side->partner));
	if (!side->partner)
		return false;
	memset(side->partner, 0xff, decoded->nr_records *
				    sizeof(*side->partner));
	return true;
}

static bool match(struct differ *d, const struct decoded *before,
		  const struct decoded *after)
{
	struct key *x = sorted_keys(before), *y = sorted_keys(after);
	bool done = x && y && begin_side(&d->before, before) &&
		    begin_side(&d->after, after);

	if (done)
		pair(&d->before, x, &d->after, y);
	free(x);
	free(y);
	return done;
}

/* --------------------------------------------------------------- printing */

static const struct decoded_record *record_at(const struct side *side,
					      size_t index)
{
	return &side->decoded->records[index];
}

static const struct decoded_field *
find_field(const struct decoded *d, const struct decoded_record *record,
	   const char *name)
{
	const struct decoded_field *field = d->fields + record->first;

	for (size_t i = 0; i < record->count; i++, field++)
		if (!strcmp(field->name, name))
			return field;
	return NULL;
}

static void json_side(struct differ *d, const struct side *side,
		      const struct decoded_field *field, const char *key)
{
	if (field)
		decoded_json_value(side->decoded, field, d->json, key);
	else
		json_null(d->json, key);
}

static void print_side(struct differ *d, const struct side *side,
		       const struct decoded_field *field, char sign)
{
	if (!field)
		return;
	out_format(d->out, "%c %s ", sign, field->name);
	decoded_print_value(side->decoded, field, d->out);
	out_char(d->out, '\n');
}

/* Either may be NULL, but not both. */
static void put_field(struct differ *d, const struct decoded_field *before,
		      const struct decoded_field *after)
{
	if (!d->json) {
		print_side(d, &d->before, before, '-');
		print_side(d, &d->after, after, '+');
		return;
	}
	json_object(d->json, NULL, JSON_INLINE);
	json_string(d->json, "name", before ? before->name : after->name);
	json_side(d, &d->before, before, "old");
	json_side(d, &d->after, after, "new");
	json_end(d->json);
}

static void begin_change(struct differ *d, const struct side *side,
			 const struct decoded_record *record, const char *kind)
{
	d->changes++;
	if (!d->json)
		return;
	json_object(d->json, NULL, JSON_INLINE);
	json_string(d->json, "record",
		    decoded_text(side->decoded, record->label));
	json_string(d->json, "change", kind);
	json_array(d->json, "fields", JSON_INLINE);
}

static void end_change(struct differ *d)
{
	if (!d->json)
		return;
	json_end(d->json);
	json_end(d->json);
}

static void print_whole(struct differ *d, const struct side *side,
			const struct decoded_record *record, char sign)
{
	const struct decoded_field *field = side->decoded->fields +
					    record->first;

	out_char(d->out, sign);
	out_char(d->out, ' ');
	if (record->brief) {
		decoded_print_brief(side->decoded, record, d->out);
		return;
	}
	decoded_print_label(side->decoded, record, d->out);
	out_char(d->out, '\n');
	for (size_t i = 0; i < record->count; i++) {
		out_format(d->out, "%c   %s ", sign, field[i].name);
		decoded_print_value(side->decoded, &field[i], d->out);
		out_char(d->out, '\n');
	}
}

static void put_whole(struct differ *d, const struct side *side, size_t index)
{
	const struct decoded_record *record = record_at(side, index);
	const struct decoded_field *field = side->decoded->fields +
					    record->first;
	bool gone = side == &d->before;

	begin_change(d, side, record, gone ? "removed" : "added");
	if (!d->json)
		print_whole(d, side, record, gone ? '-' : '+');
	for (size_t i = 0; d->json && i < record->count; i++)
		put_field(d, gone ? &field[i] : NULL, gone ? NULL : &field[i]);
	end_change(d);
}

/* -------------------------------------------------------------- comparing */

/* Print the fields that differ; returns their number. */
static size_t each_field(struct differ *d, const struct decoded_record *before,
			 const struct decoded_record *after, bool put)
{
	const struct decoded *x = d->before.decoded, *y = d->after.decoded;
	const struct decoded_field *field, *other;
	size_t count = 0;

	for (size_t i = 0; i < before->count; i++) {
		field = x->fields + before->first + i;
		other = find_field(y, after, field->name);
		if (other && decoded_same(x, field, y, other))
			continue;
		count++;
		if (put)
			put_field(d, field, other);
	}
	for (size_t i = 0; i < after->count; i++) {
		field = y->fields + after->first + i;
		if (find_field(x, before, field->name))
			continue;
		count++;
		if (put)
			put_field(d, NULL, field);
	}
	return count;
}

static void put_pair(struct differ *d, size_t i, size_t j)
{
	const struct decoded_record *before = record_at(&d->before, i);
	const struct decoded_record *after = record_at(&d->after, j);

	if (!each_field(d, before, after, false))
		return;
	begin_change(d, &d->before, before, "changed");
	if (!d->json) {
		decoded_print_label(d->before.decoded, before, d->out);
		out_char(d->out, '\n');
	}
	each_field(d, before, after, true);
	end_change(d);
}

/*
 * Print in the order of both blocks if they agree; a record that moved is
 * printed at its old place.
 */
static void put_all(struct differ *d)
{
	size_t nr_before = d->before.decoded->nr_records, i = 0;
	size_t nr_after = d->after.decoded->nr_records, j = 0;

	while (i < nr_before || j < nr_after) {
		if (i < nr_before && d->before.partner[i] == ALONE)
			put_whole(d, &d->before, i++);
		else if (j < nr_after && d->after.partner[j] == ALONE)
			put_whole(d, &d->after, j++);
		else if (j < nr_after && (i == nr_before ||
					  d->after.partner[j] < i))
			j++;	/* printed with its partner */
		else {
			put_pair(d, i, d->before.partner[i]);
			i++;
		}
	}
}

errcode_t diff_records(const struct decoded *before,
		       const struct decoded *after, struct out *out,
		       struct json *json, size_t *changes)
{
	struct differ d = { .out = out, .json = json };
	bool done = match(&d, before, after);

	if (done && json)
		json_array(json, "changes", JSON_SPREAD);
	if (done)
		put_all(&d);
	if (done && json)
		json_end(json);
	free(d.before.partner);
	free(d.after.partner);
	*changes = d.changes;
	return done ? 0 : EXT2_ET_NO_MEMORY;
}
