/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * names_live.c - names of a log that goes on
 *
 * All names of each inode are kept, for nobody can look for them later: the
 * directories are ahead of the log.  A first pass over the transactions that are
 * there already learns which names of those that the directories have now were
 * not there at the start.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "name_table.h"

/* ---------------------------------------------------- further names */

static errcode_t get_further(struct names *n, uint32_t *number)
{
	struct further *at;

	*number = n->free_further;
	if (*number) {
		n->free_further = further_at(n, *number)->next;
		return 0;
	}
	at = grow(n->further, n->nr_further, &n->further_room, sizeof(*at));
	if (!at || n->nr_further >= UINT32_MAX - 1)
		return EXT2_ET_NO_MEMORY;
	n->further = at;
	*number = (uint32_t)++n->nr_further;
	return 0;
}

static void put_further(struct names *n, uint32_t *link)
{
	uint32_t number = *link;
	struct further *f = further_at(n, number);

	*link = f->next;
	f->next = n->free_further;
	n->free_further = number;
}

static errcode_t add_further(struct names *n, struct name_slot *slot,
			     const struct named *name, bool came)
{
	uint32_t number;
	errcode_t err = get_further(n, &number);

	if (err)
		return err;
	*further_at(n, number) = (struct further){ *name, slot->more, came };
	slot->more = number;
	return 0;
}

/* The link that leads to the name; to 0 if it is none of them. */
static uint32_t *find_further(struct names *n, struct name_slot *slot,
			      ext2_ino_t dir, const char *name,
			      unsigned length)
{
	uint32_t *link = &slot->more;

	while (*link && !names_same(n, &further_at(n, *link)->name, dir, name,
				    length))
		link = &further_at(n, *link)->next;
	return link;
}

static bool has_name(struct names *n, struct name_slot *slot, ext2_ino_t dir,
		     const char *name, unsigned length)
{
	const struct named *first = n->learning ? &slot->begin : &slot->now;

	return names_same(n, first, dir, name, length) ||
	       *find_further(n, slot, dir, name, length);
}

static errcode_t add_name(struct names *n, struct name_slot *slot,
			  ext2_ino_t dir, const char *name, unsigned length,
			  bool came)
{
	struct named *first = n->learning ? &slot->begin : &slot->now;
	struct named named;
	errcode_t err = names_keep(n, &named, dir, name, length);

	if (err)
		return err;
	if (came || first->text)
		return add_further(n, slot, &named, came);
	*first = named;
	return 0;
}

/* ------------------------------------------------------------- the steps */

errcode_t live_seen(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		    const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err = n->learning ? names_slot(n, ino, &slot) : 0;

	if (err || !n->learning || slot->over ||
	    has_name(n, slot, dir, name, length))
		return err;
	return add_name(n, slot, dir, name, length, false);
}

errcode_t live_came(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		    const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err = names_slot(n, ino, &slot);

	if (err || has_name(n, slot, dir, name, length))
		return err;
	return add_name(n, slot, dir, name, length, n->learning);
}

static void take_next(struct names *n, struct name_slot *slot)
{
	slot->now.text = 0;
	if (!slot->more)
		return;
	slot->now = further_at(n, slot->more)->name;
	put_further(n, &slot->more);
}

errcode_t live_went(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		    const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err = names_slot(n, ino, &slot);
	uint32_t *link;

	if (err)
		return err;
	link = find_further(n, slot, dir, name, length);
	if (*link && (!n->learning || further_at(n, *link)->came))
		put_further(n, link);
	else if (n->learning)
		return live_seen(n, ino, dir, name, length);
	else if (names_same(n, &slot->now, dir, name, length))
		take_next(n, slot);
	return 0;
}

errcode_t live_over(struct names *n, ext2_ino_t ino)
{
	struct name_slot *slot;
	errcode_t err = names_slot(n, ino, &slot);

	if (err)
		return err;
	if (n->learning) {
		slot->over = true;
		return 0;
	}
	slot->now.text = 0;
	while (slot->more)
		put_further(n, &slot->more);
	return 0;
}

/* The names of the start are left. */
void live_rewind(struct names *n)
{
	for (uint32_t i = 0; i < n->room; i++) {
		uint32_t *link = &n->slots[i].more;

		while (*link)
			if (further_at(n, *link)->came)
				put_further(n, link);
			else
				link = &further_at(n, *link)->next;
	}
}
