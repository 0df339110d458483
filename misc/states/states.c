/* SPDX-License-Identifier: GPL-2.0-only */
/* states.c - the rows, one after the other */
#include <string.h>

#include "rows.h"

#define NR_PARTS	(sizeof(parts) / sizeof(*parts))

static const struct diagnosis *const parts[] = {
	device_states, journal_states, log_states, fast_states, sound_states,
	copies_states, notes_states,
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
