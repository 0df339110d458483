/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * name_table.c - the names of all lives, each once
 *
 * A directory's index moves entries between blocks, so one name ends more than
 * once.  An open hash table finds it: an inode may have 65000 names, and that
 * of an enemy more.  The hash begins with a random number, so that nobody can
 * choose names that collide.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/hash.h"
#include "undelete.h"

#define FIRST_SLOTS	1024

/* ------------------------------------------------------- the hash table */

static bool is_it(const struct names *n, uint32_t number,
		  const struct name *name, const void *text)
{
	const struct name *at = &n->at[number];

	return at->life == name->life && at->dir == name->dir &&
	       at->length == name->length &&
	       !memcmp(n->text + at->text, text, at->length);
}

/* The slot of this name, or the empty one where it belongs. */
static uint32_t slot_of(struct names *n, const struct name *name,
			const void *text)
{
	uint32_t hash = hash_bytes(n->seed ^ hash_number(name->life), text,
				   name->length) ^ name->dir * 2246822519U;
	uint32_t slot = hash_mixed(hash) & (n->slots - 1);

	for (;; slot = (slot + 1) & (n->slots - 1)) {
		n->probes++;
		if (n->table[slot] == NO_NAME ||
		    is_it(n, n->table[slot], name, text))
			return slot;
	}
}

static errcode_t make_slots(struct names *n)
{
	uint32_t slots = n->slots ? 2 * n->slots : FIRST_SLOTS, *table;

	if (n->nr < n->slots / 2)
		return 0;
	table = slots < n->slots ? NULL : malloc(slots * sizeof(*table));
	if (!table)
		return EXT2_ET_NO_MEMORY;
	if (!n->slots)
		n->seed = hash_seed();
	free(n->table);
	n->table = table;
	n->slots = slots;
	for (uint32_t i = 0; i < slots; i++)
		table[i] = NO_NAME;
	for (uint32_t i = 0; i < n->nr; i++)
		table[slot_of(n, &n->at[i], n->text + n->at[i].text)] = i;
	return 0;
}

/* ------------------------------------------------------------ the names */

static errcode_t grow_text(struct names *n, size_t length)
{
	size_t room = n->text_room ? 2 * n->text_room : 65536;
	char *text;

	if (n->used + length <= n->text_room)
		return 0;
	text = room > UINT32_MAX ? NULL : realloc(n->text, room);
	if (!text)
		return EXT2_ET_NO_MEMORY;
	n->text = text;
	n->text_room = room;
	return 0;
}

static errcode_t append(struct names *n, struct life *life,
			const struct name *name, const uint8_t *text)
{
	errcode_t err = grow_text(n, name->length);
	struct name *at;

	if (err)
		return err;
	at = n->nr == NO_NAME ? NULL :
	     grow(n->at, n->nr, &n->room, sizeof(*at));
	if (!at)
		return EXT2_ET_NO_MEMORY;
	n->at = at;
	memcpy(n->text + n->used, text, name->length);
	n->at[n->nr] = *name;
	n->at[n->nr].next = life->names;
	n->at[n->nr].text = (uint32_t)n->used;
	n->used += name->length;
	life->names = n->nr++;
	return 0;
}

errcode_t name_table_put(struct e2lazy_undelete *u, const struct name *name,
			 const uint8_t *text, struct name **known)
{
	struct names *n = &u->names;
	errcode_t err = make_slots(n);
	uint32_t slot;

	if (err)
		return err;
	slot = slot_of(n, name, text);
	*known = n->table[slot] == NO_NAME ? NULL : &n->at[n->table[slot]];
	if (*known)
		return 0;
	err = append(n, life_get(u, name->life), name, text);
	if (!err)
		n->table[slot] = n->nr - 1;
	return err;
}

errcode_t names_add(struct e2lazy_undelete *u, struct life *life, uint32_t dir,
		    ext2_ino_t dir_ino, const uint8_t *text, uint8_t length)
{
	struct name *known;

	return name_table_put(u, &(struct name){
		.life = (uint32_t)(life - u->lives.at), .dir = dir,
		.dir_ino = dir_ino, .first = life->chosen,
		.last = life->chosen, .end = MOMENT_NOW,
		.length = length }, text, &known);
}

void name_table_free(struct names *n)
{
	free(n->at);
	free(n->text);
	free(n->table);
	free(n->order);
}
