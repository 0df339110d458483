/* SPDX-License-Identifier: GPL-2.0-only */
/* states.c - the rows, one after the other, and which of them hold */
#include <string.h>

#include "rows.h"

#define NR_PARTS	(sizeof(parts) / sizeof(*parts))

static const struct diagnosis *const parts[] = {
	device_states, journal_states, log_states, fast_states, copies_states,
	other_states, notes_states,
};

static const struct diagnosis *next_part(const struct diagnosis *end)
{
	for (size_t i = 0; i + 1 < NR_PARTS; i++) {
		const struct diagnosis *row = parts[i];

		while (row->problem)
			row++;
		if (row == end)
			return parts[i + 1];
	}
	return NULL;
}

const struct diagnosis *diagnosis_next(const struct diagnosis *row)
{
	if (!row)
		return parts[0];
	row++;
	return row->problem ? row : next_part(row);
}

const struct diagnosis *diagnosis_find(const char *id)
{
	const struct diagnosis *row = NULL;

	while ((row = diagnosis_next(row)) && strcmp(row->problem->id, id))
		;
	return row;
}

const struct diagnosis *diagnosis_of(const struct e2lazy_problem *problem)
{
	const struct diagnosis *row = NULL;

	while ((row = diagnosis_next(row)) && row->problem != problem)
		;
	return row;
}

bool diagnosis_is_found(const struct diagnosis *row)
{
	return e2lazy_problem_find(row->problem->id) == row->problem;
}

/* What the library does not find is a note only if nothing is wrong. */
bool diagnosis_is_sound(const struct diagnosis *row)
{
	return !diagnosis_is_found(row) &&
	       row->problem->severity == E2LAZY_NOTE;
}

static bool holds(const struct diagnosis *row, const struct facts *f)
{
	const struct e2lazy_problem *p = row->problem;

	if (row->holds)
		return row->holds(f);
	return (row->told || p->status >= E2LAZY_DAMAGED) &&
	       (f->verdict ? facts_found(f, p->id) > 0 :
			     e2lazy_problem_of(f->unopened) == p);
}

bool diagnosis_holds(const struct diagnosis *row, const struct facts *f)
{
	return !row->quiet && holds(row, f);
}

static bool decides(const struct diagnosis *row, const struct facts *f,
		    enum tool tool)
{
	return row->decides & 1U << tool &&
	       (row->decides_if ? row->decides_if(f) : holds(row, f));
}

enum what diagnosis_tool(const struct facts *f, enum tool tool)
{
	const struct diagnosis *row = NULL;
	enum what what = UNMEASURED;
	bool any = false;

	while ((row = diagnosis_next(row)))
		if (decides(row, f, tool))
			return row->tools.of[tool];
	while ((row = diagnosis_next(row))) {
		enum what next = row->tools.of[tool];

		/* What a replay does to grave damage is no guess either. */
		if (!holds(row, f) || (any && next == UNMEASURED &&
				       row->problem->severity < E2LAZY_GRAVE))
			continue;
		if (!any || outcome_gives_way(what, next))
			what = next;
		any = true;
	}
	return what;
}
