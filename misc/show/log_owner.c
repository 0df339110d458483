/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log_owner.c - e2lazy log: the type, role and owner of a logged block
 */
#include <stdlib.h>

#include "log.h"

void log_owner_find(const struct log *l, blk64_t fsblk, struct log_owner *o)
{
	const struct e2lazy_owners *owners = l->s->log->owners;
	struct e2lazy_place place;
	struct e2lazy_owner owner;

	e2lazy_layout_find(l->s->log->layout, fsblk, &place);
	*o = (struct log_owner){ .type = e2lazy_type_name(place.type) };
	if (e2lazy_owners_find(owners, fsblk, &owner))
		return;
	o->owned = true;
	o->is_inode = owner.role != E2LAZY_ROLE_LAYOUT;
	o->ino = owner.ino;
	role_text(l->s, &owner, o->role);
	/* The path of one inode does not describe a whole table block. */
	if (o->is_inode && owner.ino &&
	    e2lazy_owners_path(owners, owner.ino, &o->path))
		o->path = NULL;
}

void log_owner_free(struct log_owner *o)
{
	free(o->path);
}

void log_owner_cells(const struct log_owner *o,
		     struct cell cells[NR_OWNER_COLUMNS])
{
	for (unsigned i = 0; i < NR_OWNER_COLUMNS; i++)
		cell_none(&cells[i]);
	if (o->type)
		cell_text(&cells[0], o->type);
	if (!o->owned)
		return;
	cell_text(&cells[1], o->role);
	if (o->ino)
		cell_number(&cells[2], o->ino);
	if (o->path)
		cell_text(&cells[3], o->path);
}

bool log_wants_owners(const struct log *l, unsigned first)
{
	for (unsigned i = 0; i < NR_OWNER_COLUMNS; i++)
		if (columns_has(&l->columns, first + i))
			return true;
	return false;
}
