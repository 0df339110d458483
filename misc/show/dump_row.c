/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_row.c - e2lazy dump: one copy as a row
 */
#include <stdlib.h>

#include "dump.h"
#include "role.h"
#include "session/names.h"

static enum e2lazy_type type_of(struct dump *d, const struct e2lazy_copy *copy,
				struct e2lazy_place *place)
{
	e2lazy_layout_find(d->s->log->layout, copy->fsblk, place);
	if (!d->identify || place->type != E2LAZY_TYPE_OTHER)
		return place->type;
	return session_identify(d->s, copy, d->block, &d->unread);
}

static bool chosen(const struct dump *d, const struct e2lazy_copy *copy)
{
	return ranges_have(&d->blocks, copy->fsblk) &&
	       tid_in(&d->tids, copy->tid) &&
	       inode_filter_has(&d->filter, copy->fsblk, copy->logblk, false) &&
	       tid_time_in(&d->tids, session_instant(d->s, copy->tid));
}

/* The facts of a row. */
struct row {
	const struct e2lazy_copy *copy;
	struct e2lazy_place place;
	enum e2lazy_type type;
	enum e2lazy_copy_state state;
	bool		placed;		/* @place and @type are valid */
	bool		owned;		/* @owner and @role are valid */
	const struct e2lazy_owner *owner;
	const char	*role;
	char		*path;		/* NULL: none */
};

static void csum_cell(const struct session *s, struct cell *cell,
		      unsigned flags)
{
	enum e2lazy_csum_state state = E2LAZY_UNCHECKED;

	if (flags & E2LAZY_COPY_BAD)
		state = E2LAZY_BAD;
	else if (s->source.limits.check_data &&
		 s->log->geo->csum >= E2LAZY_CSUM_V2)
		state = E2LAZY_GOOD;
	cell_text(cell, csum_name(state));
	cell->alarm = state == E2LAZY_BAD;
}

/* The layout knows the inodes of a table even without owners. */
static ext2_ino_t inode_of(const struct row *row)
{
	if (row->owned)
		return row->owner->ino;
	return row->placed ? row->place.ino : 0;
}

/* Most cells of most dumps. */
static inline bool number_of(const struct e2lazy_copy *copy, unsigned id,
			     uint64_t *number)
{
	switch (id) {
	case DUMP_FSBLK:	*number = copy->fsblk;		return true;
	case DUMP_LOGBLK:	*number = copy->logblk;		return true;
	case DUMP_PHYSBLK:	*number = copy->physblk;	return true;
	case DUMP_TID:		*number = copy->tid;		return true;
	}
	return false;
}

static void fill_cell(const struct dump *d, const struct row *row, unsigned id,
		      struct cell *cell)
{
	const struct e2lazy_copy *copy = row->copy;

	cell_none(cell);
	switch (id) {
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
		if (inode_of(row))
			cell_number(cell, inode_of(row));
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
	case DUMP_ROLE:
		if (row->owned)
			cell_text(cell, row->role);
		break;
	case DUMP_PATH:
		if (row->path)
			cell_text(cell, row->path);
		break;
	}
}

/* The word of the row's type, if it shows that and there is one; else NULL. */
static const struct row_word *word_of(const struct dump *d,
				      const struct row *row, unsigned id)
{
	const struct row_word *word = &d->words[row->type];

	return id == DUMP_TYPE && row->placed && word->length ? word : NULL;
}

void dump_words(struct dump *d)
{
	for (unsigned i = 0; i < E2LAZY_NR_TYPES; i++)
		row_word_make(&d->words[i], &d->rows, DUMP_TYPE,
			      e2lazy_type_name(i));
}

static void put_row(struct dump *d, const struct row *row)
{
	struct row_line line;
	const struct row_word *word;
	struct cell cell;
	uint64_t number;
	char *to = row_begin(&line, &d->rows);

	for (unsigned i = 0; i < d->columns.picked; i++) {
		unsigned id = d->columns.pick[i];

		if (number_of(row->copy, id, &number)) {
			to = row_number(&line, to, id, number);
		} else if ((word = word_of(d, row, id))) {
			to = row_word(to, word);
		} else {
			fill_cell(d, row, id, &cell);
			to = row_cell(&line, to, id, &cell);
		}
	}
	row_end(&line, to);
}

static void put_owned_row(struct dump *d, struct row *row)
{
	struct session *s = d->s;
	struct e2lazy_owner owner;
	char role[ROLE_TEXT];

	if (!e2lazy_owners_find(s->log->owners, row->copy->fsblk, &owner)) {
		row->owned = true;
		row->owner = &owner;
		row->role = role;
		role_text(s, &owner, role);
		/* The path of one inode does not describe a whole table block. */
		if (columns_has(&d->columns, DUMP_PATH) &&
		    owner.role != E2LAZY_ROLE_LAYOUT &&
		    e2lazy_owners_path(s->log->owners, owner.ino, &row->path))
			row->path = NULL;
	}
	put_row(d, row);
	free(row->path);
}

void dump_copy(struct dump *d, const struct e2lazy_copy *copy,
	       enum e2lazy_copy_state state)
{
	struct row row;

	if (d->choosy && !chosen(d, copy))
		return;
	row.copy = copy;
	row.state = state;
	row.type = E2LAZY_TYPE_OTHER;
	row.placed = row.owned = false;
	row.path = NULL;
	if (d->typed) {
		row.type = type_of(d, copy, &row.place);
		if (d->type_set && row.type != d->type)
			return;
		row.placed = !(copy->flags & E2LAZY_COPY_OUTSIDE);
	}
	if (d->owned)
		put_owned_row(d, &row);
	else
		put_row(d, &row);
}
