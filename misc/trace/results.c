/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * results.c - what came of a simulation, and on what it rests
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "simulation.h"
#include "support/nls.h"

#define MS		1000000		/* ns */
#define SECOND		(1000 * (uint64_t)MS)
#define MIB		((uint64_t)1 << 20)

const struct column simulate_columns[NR_RESULT_COLUMNS] = {
	[COL_TRACE] = { "TRACE", "trace", COLUMN_STRING, COLUMN_USUAL, 16,
			N_("file of the trace") },
	[COL_REQUESTS] = { "REQUESTS", "requests", COLUMN_NUMBER, COLUMN_USUAL,
			   9, N_("number of requests") },
	[COL_RUN] = { "RUN", "run_s", COLUMN_REAL, COLUMN_USUAL, 10,
		      N_("seconds until the last request is done") },
	[COL_FULL] = { "FULL", "full_s", COLUMN_REAL, COLUMN_USUAL, 10,
		       N_("second at which the cache first fills") },
	[COL_CLEANING] = { "CLEANING", "cleaning_s", COLUMN_REAL, COLUMN_USUAL,
			   10, N_("seconds of cleaning within the run") },
	[COL_AFTER] = { "AFTER", "after_s", COLUMN_REAL, COLUMN_USUAL, 10,
			N_("seconds of cleaning after the run") },
	[COL_AMPLIFICATION] = { "WRITES", "write_amplification", COLUMN_REAL,
				COLUMN_USUAL, 7,
				N_("bytes that the drive writes per requested "
				   "byte") },
	[COL_BANDS] = { "BANDS", "bands", COLUMN_NUMBER, COLUMN_USUAL, 6,
			N_("bands that were ever dirty") },
	[COL_STREAMED] = { "STREAMED", "streamed", COLUMN_NUMBER, COLUMN_JSON,
			   12, N_("bytes written past the cache") },
	[COL_CACHED] = { "CACHED", "cached", COLUMN_NUMBER, COLUMN_JSON, 12,
			 N_("bytes written to the cache") },
	[COL_READ] = { "READ", "read", COLUMN_NUMBER, COLUMN_JSON, 12,
		       N_("bytes that the host reads") },
	[COL_WRITTEN] = { "WRITTEN", "written", COLUMN_NUMBER, COLUMN_JSON, 12,
			  N_("bytes that the host writes") },
	[COL_CLEANED] = { "CLEANED", "cleaned", COLUMN_NUMBER, COLUMN_JSON, 8,
			  N_("cleanings of bands; zones written out") },
	[COL_SYSTEM] = { "JOURNAL", "journal", COLUMN_STRING, COLUMN_JSON, 9,
			 N_("traced, or lazy") },
	[COL_FILL] = { "FILL", "fill_most", COLUMN_NUMBER, COLUMN_JSON, 12,
		       N_("largest use of the cache, in bytes") },
};

static uint64_t amplification(const struct e2lazy_counters *c)
{
	uint64_t asked = c->bytes[E2LAZY_OP_WRITE];

	/* In KiB, so that 1,000 times as many are no overflow. */
	return asked >> 10 ? (c->written >> 10) * 1000 / (asked >> 10) : 0;
}

/* "NAME, lazy"; for scripts there is a column. */
static void put_result(struct simulation *m, const struct rows *rows,
		       unsigned row)
{
	const struct outcome *o = &m->outcomes[row];
	char name[PATH_MAX + 16];
	bool lazy;
	const char *trace = simulate_row(m, row, &lazy);
	const struct e2lazy_counters *c = &o->counters;
	struct cell cells[NR_RESULT_COLUMNS];

	cell_text(&cells[COL_TRACE], trace);
	cell_text(&cells[COL_SYSTEM], lazy ? "lazy" : "traced");
	if (lazy && !m->s->print.json_wanted && !m->listing.raw) {
		snprintf(name, sizeof(name), _("%s, lazy"), trace);
		cell_text(&cells[COL_TRACE], name);
	}
	cell_number(&cells[COL_REQUESTS], o->requests);
	cell_number(&cells[COL_RUN], o->run / MS);
	cell_none(&cells[COL_FULL]);
	if (c->full)
		cell_number(&cells[COL_FULL], c->full_at / MS);
	cell_number(&cells[COL_CLEANING],
		    (c->clean_full_ns + c->clean_between_ns) / MS);
	cell_number(&cells[COL_AFTER], o->after / MS);
	cell_none(&cells[COL_AMPLIFICATION]);
	if (c->bytes[E2LAZY_OP_WRITE] >> 10)
		cell_number(&cells[COL_AMPLIFICATION], amplification(c));
	cell_number(&cells[COL_BANDS], c->touched);
	cell_number(&cells[COL_STREAMED], c->streamed);
	cell_number(&cells[COL_CACHED], c->cached);
	cell_number(&cells[COL_READ], c->bytes[E2LAZY_OP_READ]);
	cell_number(&cells[COL_WRITTEN], c->bytes[E2LAZY_OP_WRITE]);
	cell_number(&cells[COL_CLEANED],
		    c->cleaned_full + c->cleaned_between + c->cleaned_after +
		    c->zones_expired + c->zones_pushed_out + c->zones_flushed);
	cell_number(&cells[COL_FILL], c->fill_most);
	rows_open(rows, cells);
}

static void json_series(struct json *json, const struct e2lazy_series *series)
{
	json_array(json, "series", JSON_SPREAD);
	for (unsigned i = 0; i < series->count; i++) {
		const struct e2lazy_sample *s = &series->sample[i];

		json_object(json, NULL, JSON_INLINE);
		json_real(json, "at_s",
			  (double)(i * series->period / MS) / 1000);
		json_u64(json, "read", s->read);
		json_u64(json, "written", s->written);
		json_real(json, "cleaning_s", s->clean_ns / 1e9);
		json_u64(json, "fill", s->fill);
		json_u64(json, "dirty", s->dirty);
		json_end(json);
	}
	json_end(json);
}

void simulate_results(struct simulation *m)
{
	struct session *s = m->s;
	struct rows rows;

	print_rows(&s->print, &m->listing, &m->columns, "results", &rows);
	for (unsigned i = 0; i < simulate_rows(m); i++) {
		put_result(m, &rows, i);
		if (!s->print.json_wanted)
			continue;
		if (m->series)
			json_series(&s->print.json, &m->outcomes[i].series);
		json_end(&s->print.json);
	}
	if (s->print.json_wanted)
		json_end(&s->print.json);
}

/* ------------------------------------------------------------ parameters */

static const char *const origins[E2LAZY_NR_ORIGINS] = {
	[E2LAZY_ORIGIN_GIVEN] = "given",
	[E2LAZY_ORIGIN_PUBLISHED] = "published",
	[E2LAZY_ORIGIN_FITTED] = "fitted",
	[E2LAZY_ORIGIN_ASSUMED] = "assumed",
};

#define VALUE_TEXT	48

static void value_text(char text[VALUE_TEXT], unsigned which, uint64_t value)
{
	const struct e2lazy_param_info *info = e2lazy_param_info(which);
	char size[SIZE_TEXT];

	switch (info->type) {
	case E2LAZY_PARAM_SIZE:
		size_text(text, value);
		break;
	case E2LAZY_PARAM_RATE:
		size_text(size, value);
		snprintf(text, VALUE_TEXT, "%s/s", size);
		break;
	case E2LAZY_PARAM_TIME:
		snprintf(text, VALUE_TEXT, "%llu.%03llu ms",
			 (unsigned long long)value / MS,
			 (unsigned long long)value % MS / 1000);
		break;
	case E2LAZY_PARAM_NUMBER:
		snprintf(text, VALUE_TEXT, "%llu", (unsigned long long)value);
		break;
	case E2LAZY_PARAM_WORD:
		snprintf(text, VALUE_TEXT, "%s", info->words[value]);
		break;
	}
}

static bool matters(const struct simulation *m, unsigned which)
{
	return e2lazy_param_matters(which,
				    m->params.value[E2LAZY_PARAM_KIND]);
}

static void json_param(struct simulation *m, unsigned i)
{
	static const char *const units[] = {
		[E2LAZY_PARAM_SIZE] = "bytes",
		[E2LAZY_PARAM_RATE] = "bytes/s",
		[E2LAZY_PARAM_TIME] = "ns",
		[E2LAZY_PARAM_NUMBER] = NULL,
		[E2LAZY_PARAM_WORD] = NULL,
	};
	const struct e2lazy_param_info *info = e2lazy_param_info(i);
	struct json *json = &m->s->print.json;

	json_object(json, NULL, JSON_INLINE);
	json_string(json, "key", info->key);
	if (info->type == E2LAZY_PARAM_WORD)
		json_string(json, "value", info->words[m->params.value[i]]);
	else
		json_u64(json, "value", m->params.value[i]);
	json_string(json, "unit", units[info->type]);
	json_string(json, "origin", origins[m->params.origin[i]]);
	json_string(json, "source",
		    m->params.source[i][0] ? m->params.source[i] : NULL);
	json_end(json);
}

static void json_params(struct simulation *m)
{
	json_array(&m->s->print.json, "parameters", JSON_SPREAD);
	for (unsigned i = 0; i < E2LAZY_NR_PARAMS; i++)
		if (matters(m, i))
			json_param(m, i);
	json_end(&m->s->print.json);
}

void simulate_params(struct simulation *m)
{
	struct out *out = &m->s->print.out;
	char value[VALUE_TEXT];

	if (m->s->print.json_wanted) {
		json_params(m);
		return;
	}
	for (unsigned i = 0; i < E2LAZY_NR_PARAMS; i++) {
		const char *source = m->params.source[i];

		if (!matters(m, i))
			continue;
		value_text(value, i, m->params.value[i]);
		out_left(out, e2lazy_param_info(i)->key, 16);
		out_left(out, value, 18);
		out_left(out, origins[m->params.origin[i]], 11);
		out_left(out, *source ? source : "-", 26);
		out_format(out, "%s\n", _(e2lazy_param_info(i)->help));
	}
}

/* The keys of one origin, "band cache"; false where there are none. */
static bool keys_of(const struct simulation *m, enum e2lazy_origin origin,
		    char *text, size_t size)
{
	size_t used = 0;

	for (unsigned i = 0; i < E2LAZY_NR_PARAMS; i++)
		if (matters(m, i) && m->params.origin[i] == origin &&
		    used + strlen(e2lazy_param_info(i)->key) + 3 < size)
			used += sprintf(text + used, "%s%s", used ? ", " : "",
					e2lazy_param_info(i)->key);
	return used;
}

void simulate_caution(struct simulation *m)
{
	static const char *const labels[E2LAZY_NR_ORIGINS] = {
		[E2LAZY_ORIGIN_GIVEN] = N_("Given:"),
		[E2LAZY_ORIGIN_PUBLISHED] = N_("Published:"),
		[E2LAZY_ORIGIN_FITTED] = N_("Fitted to published results:"),
		[E2LAZY_ORIGIN_ASSUMED] = N_("Assumed:"),
	};
	struct out *out = &m->s->print.out;
	char text[1024];

	if (m->s->print.json_wanted || m->listing.raw)
		return;
	out_text(out, _("\nThis is a model, and no drive has confirmed it.\n"));
	for (unsigned i = 0; i < E2LAZY_NR_ORIGINS; i++) {
		if (!keys_of(m, i, text, sizeof(text)))
			continue;
		out_format(out, "%s ", _(labels[i]));
		out_wrapped(out, text, 2, 76);
	}
}
