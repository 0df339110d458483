/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sensitivity.c - what a parameter that nobody has measured does to the answer
 *
 * Each that is fitted or assumed is halved and doubled, a word or a switch
 * takes each of its other values, and the first trace runs again.  One at a
 * time: how they work together is not told.
 */
#include <stdio.h>

#include "simulation.h"
#include "support/nls.h"
#include "support/status.h"

#define MS		1000000

enum { COL_KEY, COL_ORIGIN, COL_VALUE, COL_S_RUN, COL_S_AFTER, COL_S_BANDS,
       NR_COLUMNS };

static const struct column table[NR_COLUMNS] = {
	[COL_KEY] = { "PARAMETER", "parameter", COLUMN_STRING, COLUMN_USUAL,
		      16, N_("parameter that changes") },
	[COL_ORIGIN] = { "ORIGIN", "origin", COLUMN_STRING, COLUMN_USUAL, 8,
			 N_("fitted or assumed") },
	[COL_VALUE] = { "CHANGE", "change", COLUMN_STRING, COLUMN_USUAL, 12,
			N_("direction of the change") },
	[COL_S_RUN] = { "RUN", "run_s", COLUMN_REAL, COLUMN_USUAL, 10,
			N_("seconds until the last request is done") },
	[COL_S_AFTER] = { "AFTER", "after_s", COLUMN_REAL, COLUMN_USUAL, 10,
			  N_("seconds of cleaning after the run") },
	[COL_S_BANDS] = { "BANDS", "bands", COLUMN_NUMBER, COLUMN_USUAL, 6,
			  N_("bands that were ever dirty") },
};

struct trial {
	struct simulation *m;
	struct rows	rows;
	unsigned	which;
};

static void put_row(struct trial *t, const char *change,
		    const struct outcome *o)
{
	struct cell cells[NR_COLUMNS];
	bool fitted = t->m->params.origin[t->which] == E2LAZY_ORIGIN_FITTED;

	cell_text(&cells[COL_KEY], e2lazy_param_info(t->which)->key);
	cell_text(&cells[COL_ORIGIN], fitted ? "fitted" : "assumed");
	cell_text(&cells[COL_VALUE], change);
	cell_none(&cells[COL_S_RUN]);
	cell_none(&cells[COL_S_AFTER]);
	cell_none(&cells[COL_S_BANDS]);
	if (o) {
		cell_number(&cells[COL_S_RUN], o->run / MS);
		cell_number(&cells[COL_S_AFTER], o->after / MS);
		cell_number(&cells[COL_S_BANDS], o->counters.touched);
	}
	rows_put(&t->rows, cells);
}

/* A value that contradicts the others is reported without figures. */
static bool try_value(struct trial *t, uint64_t value, const char *change)
{
	struct e2lazy_params params = t->m->params;
	struct e2lazy_model *model;
	struct outcome outcome;

	params.value[t->which] = value;
	if (e2lazy_model_new(&params, &model)) {
		put_row(t, change, NULL);
		return true;
	}
	e2lazy_model_free(model);
	if (!simulate_trace(t->m, t->m->s->operands[0], false, &params, &outcome))
		return false;
	put_row(t, change, &outcome);
	return true;
}

static bool try_number(struct trial *t)
{
	const struct e2lazy_param_info *info = e2lazy_param_info(t->which);
	uint64_t value = t->m->params.value[t->which];

	if (!value)
		return true;
	if (value / 2 >= info->least && !try_value(t, value / 2, "/2"))
		return false;
	return value > info->most / 2 || try_value(t, value * 2, "x2");
}

static bool try_others(struct trial *t)
{
	const struct e2lazy_param_info *info = e2lazy_param_info(t->which);
	char number[24];

	for (uint64_t i = 0; i <= info->most; i++) {
		if (i == t->m->params.value[t->which])
			continue;
		snprintf(number, sizeof(number), "%llu",
			 (unsigned long long)i);
		if (!try_value(t, i, info->words ? info->words[i] : number))
			return false;
	}
	return true;
}

static bool try_param(struct trial *t)
{
	const struct e2lazy_param_info *info = e2lazy_param_info(t->which);
	bool few = info->type == E2LAZY_PARAM_WORD || info->most == 1;

	return few ? try_others(t) : try_number(t);
}

/* The kind of drive and its size are not varied. */
static bool is_tried(const struct simulation *m, unsigned which)
{
	const struct e2lazy_params *p = &m->params;

	return which != E2LAZY_PARAM_KIND && which != E2LAZY_PARAM_DISK &&
	       e2lazy_param_matters(which, p->value[E2LAZY_PARAM_KIND]) &&
	       (p->origin[which] == E2LAZY_ORIGIN_FITTED ||
		p->origin[which] == E2LAZY_ORIGIN_ASSUMED);
}

bool simulate_sensitivity(struct simulation *m)
{
	struct trial t = { .m = m };
	struct listing listing = m->listing;
	struct columns columns;
	bool ok = true;

	listing.nr_columns = 0;
	print_columns(&m->s->print, &listing, table, NR_COLUMNS, &columns);
	if (!m->s->print.json_wanted)
		out_text(&m->s->print.out, _("\nThe first trace, with one of "
					     "these parameters changed:\n"));
	print_rows(&m->s->print, &listing, &columns, "sensitivity", &t.rows);
	for (t.which = 0; ok && t.which < E2LAZY_NR_PARAMS; t.which++)
		if (is_tried(m, t.which))
			ok = try_param(&t);
	if (m->s->print.json_wanted)
		json_end(&m->s->print.json);
	return ok;
}
