/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* name_table.c - the table of names: a slot for each inode */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/hash.h"
#include "name_table.h"

#define FIRST_SLOTS	1024

/*
 * Inodes come in ascending order.  So neighbours are neighbours here, too, and the
 * processor's cache has them: the hash is that of a group of them.  A taken place
 * leads to the next group, and by one more, so that each place is reached even if
 * all inodes have the same place in their groups.
 */
#define GROUP	16

struct name_slot *names_place(const struct names *n, ext2_ino_t ino)
{
	uint32_t at = (hash_number(ino / GROUP) * GROUP + ino % GROUP) &
		      (n->room - 1);

	while (n->slots[at].ino && n->slots[at].ino != ino)
		at = (at + GROUP + 1) & (n->room - 1);
	return &n->slots[at];
}

errcode_t names_room(struct names *n)
{
	uint32_t old_room = n->room;
	struct name_slot *old = n->slots;

	if (n->room && n->count < n->room / 2)
		return 0;
	if (n->room >= UINT32_C(1) << 31)
		return EXT2_ET_NO_MEMORY;
	n->slots = calloc(n->room ? 2 * (size_t)n->room : FIRST_SLOTS,
			  sizeof(*n->slots));
	if (!n->slots) {
		n->slots = old;
		return EXT2_ET_NO_MEMORY;
	}
	n->room = old_room ? 2 * old_room : FIRST_SLOTS;
	for (uint32_t i = 0; i < old_room; i++)
		if (old[i].ino)
			*names_place(n, old[i].ino) = old[i];
	free(old);
	return 0;
}

errcode_t names_slot(struct names *n, ext2_ino_t ino, struct name_slot **out)
{
	errcode_t err = names_room(n);

	if (err)
		return err;
	*out = names_place(n, ino);
	if (!(*out)->ino) {
		(*out)->ino = ino;
		n->count++;
	}
	return 0;
}

const struct name_slot *name_table_find(const struct names *n, ext2_ino_t ino)
{
	const struct name_slot *slot = n->room ? names_place(n, ino) : NULL;

	return slot && slot->ino ? slot : NULL;
}

/* Offset 0 stays free. */
errcode_t names_keep(struct names *n, struct named *to, ext2_ino_t dir,
		     const char *name, unsigned length)
{
	if (!grow_chars(&n->text, n->used, length + 1, &n->text_room))
		return EXT2_ET_NO_MEMORY;
	n->used += !n->used;
	memcpy(n->text + n->used, name, length);
	*to = (struct named){ .dir = dir, .text = (uint32_t)n->used,
			      .length = (uint8_t)length };
	n->used += length;
	return 0;
}

bool names_same(const struct names *n, const struct named *a, ext2_ino_t dir,
		const char *name, unsigned length)
{
	return a->text && a->dir == dir && a->length == length &&
	       !memcmp(n->text + a->text, name, length);
}
