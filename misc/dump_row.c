/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_row.c - e2lazy dump: one copy as a row
 */
#include "dump.h"

static enum e2lazy_type type_of(struct dump *d, const struct e2lazy_copy *copy,
				struct e2lazy_place *place)
{
	e2lazy_layout_find(d->s->layout, copy->fsblk, place);
	if (!d->identify || place->type != E2LAZY_TYPE_OTHER)
		return place->type;
	return session_identify(d->s, copy, d->block, &d->unread);
}

static bool chosen(const struct dump *d, const struct e2lazy_copy *copy)
{
	return copy->fsblk >= d->blocks.first &&
	       copy->fsblk <= d->blocks.last &&
	       tid_in(&d->tids, copy->tid);
}

/* What a row can show. */
struct row {
	const struct e2lazy_copy *copy;
	struct e2lazy_place place;
	enum e2lazy_type type;
	enum e2lazy_copy_state state;
	bool		placed;		/* @place and @type are known */
};

static void csum_cell(const struct session *s, struct cell *cell,
		      unsigned flags)
{
	enum e2lazy_csum_state state = E2LAZY_UNCHECKED;

	if (flags & E2LAZY_COPY_BAD)
		state = E2LAZY_BAD;
	else if (s->check_data && s->geo->csum >= E2LAZY_CSUM_V2)
		state = E2LAZY_GOOD;
	cell_text(cell, csum_name(state));
	cell->alarm = state == E2LAZY_BAD;
}

static void fill_cell(const struct dump *d, const struct row *row, unsigned id,
		      struct cell *cell)
{
	const struct e2lazy_copy *copy = row->copy;

	cell_none(cell);
	switch (id) {
	case DUMP_FSBLK:	cell_number(cell, copy->fsblk);		break;
	case DUMP_LOGBLK:	cell_number(cell, copy->logblk);	break;
	case DUMP_PHYSBLK:	cell_number(cell, copy->physblk);	break;
	case DUMP_TID:		cell_number(cell, copy->tid);		break;
	case DUMP_TIME:		session_time_cell(d->s, cell, copy->tid); break;
	case DUMP_ESCAPED:
		cell_number(cell, copy->flags & E2LAZY_COPY_ESCAPED);
		break;
	case DUMP_COPIES:
		if (row->state == E2LAZY_LIVE)
			cell_number(cell, copy->copies);
		break;
	case DUMP_TYPE:
		if (row->placed)
			cell_text(cell, e2lazy_type_name(row->type));
		break;
	case DUMP_INODE:
		if (row->placed && row->place.ino)
			cell_number(cell, row->place.ino);
		break;
	case DUMP_GROUP:
		if (row->placed)
			cell_number(cell, row->place.group);
		break;
	case DUMP_STATE:
		cell_text(cell, state_name(row->state));
		cell->alarm = row->state == E2LAZY_REFUSED;
		break;
	case DUMP_CSUM:		csum_cell(d->s, cell, copy->flags); break;
	}
}

void dump_copy(struct dump *d, const struct e2lazy_copy *copy,
	       enum e2lazy_copy_state state)
{
	struct row row = { .copy = copy, .state = state };
	struct cell cells[NR_DUMP_COLUMNS];

	if (!chosen(d, copy))
		return;
	if (d->typed) {
		row.type = type_of(d, copy, &row.place);
		if (d->type_set && row.type != d->type)
			return;
		row.placed = !(copy->flags & E2LAZY_COPY_OUTSIDE);
	}
	for (unsigned i = 0; i < d->columns.picked; i++) {
		unsigned id = d->columns.pick[i];

		fill_cell(d, &row, id, &cells[id]);
	}
	rows_put(&d->rows, cells);
}
