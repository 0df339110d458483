/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* names_each.c - all paths of an inode, and the text of names that are gone */

#include <stdlib.h>

#include "name_table.h"

/* Text that is not used any more is dropped where it is most of it. */
#define LEAST_TEXT	(1 << 20)

errcode_t names_each(struct names *n, ext2_ino_t ino,
		     errcode_t (*found)(void *priv, const char *path),
		     void *priv)
{
	struct name_slot *slot;
	errcode_t err = names_slot(n, ino, &slot);
	uint32_t more = err ? 0 : slot->more;
	struct named name = err ? (struct named){ .text = 0 } : slot->now;
	char *path;

	while (!err && name.text) {
		err = names_tell_in(n, name.dir, n->text + name.text,
				    name.length, &path);
		if (!err)
			err = found(priv, path);
		free(path);
		name.text = 0;
		if (more) {
			name = further_at(n, more)->name;
			more = further_at(n, more)->next;
		}
	}
	return err;
}

/* ------------------------------------------------------------- tidying up */

static errcode_t move_name(struct names *to, const char *text,
			   struct named *name)
{
	const struct named old = *name;

	return old.text ? names_keep(to, name, old.dir, text + old.text,
				     old.length) : 0;
}

static errcode_t move_slot(struct names *to, const struct names *from,
			   const struct name_slot *slot)
{
	struct name_slot *made;
	errcode_t err = names_slot(to, slot->ino, &made);
	uint32_t more = slot->more;

	if (err)
		return err;
	made->now = slot->now;
	made->more = more;
	err = move_name(to, from->text, &made->now);
	for (; !err && more; more = further_at(to, more)->next)
		err = move_name(to, from->text, &further_at(to, more)->name);
	return err;
}

errcode_t names_tidy(struct names *n)
{
	struct names to = *n;
	errcode_t err = 0;

	if (n->used < n->tidy_at || n->used < LEAST_TEXT)
		return 0;
	to.slots = NULL;
	to.text = NULL;
	to.room = to.count = 0;
	to.used = to.text_room = 0;
	for (uint32_t i = 0; !err && i < n->room; i++)
		if (n->slots[i].ino && n->slots[i].now.text)
			err = move_slot(&to, n, &n->slots[i]);
	if (err)
		return err;
	free(n->slots);
	free(n->text);
	*n = to;
	n->tidy_at = 2 * n->used;
	return 0;
}
