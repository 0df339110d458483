/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * names.c - the names of inodes along the way, and paths
 *
 * A name that a directory loses was the inode's name up to then, and at the
 * begin, if nothing had changed it before.  A name that a directory gets is its
 * name from then on.  An inode without either keeps the name that it has at the
 * end.  So the first pass over the steps learns names at the start; the second
 * one begins with them and brings them up to date.
 */

#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "name_table.h"

#define MAX_DEPTH	2048

/* A file whose names never changed has those of the end. */
static bool has_end(const struct name_slot *slot)
{
	return !slot->settled && !slot->over;
}

errcode_t names_init(struct names *n, ext2_filsys fs,
		     const struct e2lazy_watch *watch)
{
	errcode_t err;

	memset(n, 0, sizeof(*n));
	n->fs = fs;
	n->learning = true;
	n->budget = 8 * ext2fs_blocks_count(fs->super);
	err = dir_names_init(&n->dirs, fs, watch);
	return err ? err : names_room(n);
}

void names_release(struct names *n)
{
	free(n->slots);
	free(n->text);
	free(n->further);
	dir_names_free(&n->dirs);
	memset(n, 0, sizeof(*n));
}

errcode_t names_rewind(struct names *n)
{
	struct name_slot *slot;
	errcode_t err = 0;

	n->learning = false;
	if (n->live)
		live_rewind(n);
	for (uint32_t i = 0; !err && i < n->room; i++) {
		slot = &n->slots[i];
		slot->now = slot->begin;
		if (!n->live && slot->has_names && has_end(slot) && !slot->now.text)
			err = dir_names_want(&n->dirs, slot->ino);
	}
	return err;
}

/* ---------------------------------------------------------------- learning */

errcode_t names_want(struct names *n, ext2_ino_t ino)
{
	struct name_slot *slot;
	errcode_t err = names_slot(n, ino, &slot);

	if (n->live)
		return 0;
	if (!err && !slot->settled && !slot->begin.text)
		slot->wanted = true;
	return err;
}

static bool still_wanted(const struct name_slot *slot)
{
	return slot->ino && slot->wanted && !slot->begin.text && has_end(slot);
}

bool names_wants(const struct names *n, ext2_ino_t ino)
{
	const struct name_slot *slot = name_table_find(n, ino);

	return slot && still_wanted(slot);
}

size_t names_wanted(const struct names *n)
{
	size_t count = 0;

	for (uint32_t i = 0; i < n->room; i++)
		count += still_wanted(&n->slots[i]);
	return count;
}

/* Paths of what is in it will lead through it. */
static errcode_t learn_dir(struct names *n, ext2_ino_t dir)
{
	struct name_slot *slot;
	errcode_t err;

	if (!n->learning || dir == n->last_dir)
		return 0;
	err = names_slot(n, dir, &slot);
	if (!err)
		slot->has_names = true;
	n->last_dir = dir;
	return err;
}

errcode_t names_found(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		      const char *name, unsigned length)
{
	errcode_t err = learn_dir(n, dir);

	return err ? err : names_keep(n, &names_place(n, ino)->begin, dir, name,
				     length);
}

errcode_t names_seen(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		     const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err;

	if (n->live)
		return live_seen(n, ino, dir, name, length);
	if (!n->learning)
		return 0;
	err = learn_dir(n, dir);
	if (!err)
		err = names_slot(n, ino, &slot);
	if (err || slot->settled || slot->begin.text || slot->over)
		return err;
	return names_keep(n, &slot->begin, dir, name, length);
}

/* ----------------------------------------------------------- names change */

errcode_t names_went(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		     const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err = n->live ? live_went(n, ino, dir, name, length) :
				  learn_dir(n, dir);

	if (err || n->live)
		return err;
	err = names_slot(n, ino, &slot);
	if (err)
		return err;
	if (!n->learning) {
		if (names_same(n, &slot->now, dir, name, length))
			slot->now = slot->other;
		else if (!names_same(n, &slot->other, dir, name, length))
			return 0;
		slot->other.text = 0;
		return 0;
	}
	if (!slot->settled && !slot->begin.text)
		err = names_keep(n, &slot->begin, dir, name, length);
	slot->settled = true;
	return err;
}

errcode_t names_came(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		     const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err = n->live ? live_came(n, ino, dir, name, length) :
				  learn_dir(n, dir);

	if (err || n->live)
		return err;
	err = names_slot(n, ino, &slot);
	if (err)
		return err;
	if (n->learning)
		slot->settled = true;
	else
		err = names_keep(n, slot->now.text ? &slot->other : &slot->now,
				dir, name, length);
	return err;
}

errcode_t names_may_have_come(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
			      const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err = names_slot(n, ino, &slot);

	if (err)
		return err;
	if (!n->learning && !n->live)
		slot->now.text = slot->other.text = 0;
	return names_came(n, ino, dir, name, length);
}

errcode_t names_over(struct names *n, ext2_ino_t ino)
{
	struct name_slot *slot;
	errcode_t err = names_slot(n, ino, &slot);

	if (n->live)
		return live_over(n, ino);
	if (err)
		return err;
	if (n->learning)
		slot->settled = slot->over = true;
	else
		slot->now.text = slot->other.text = 0;
	return 0;
}

/* ------------------------------------------------------------- paths */

/* Its slot, with the name of the end if it never had another. */
static errcode_t ask_end(struct names *n, ext2_ino_t ino,
			 struct name_slot **slot)
{
	struct dir_name name;
	errcode_t err = names_slot(n, ino, slot);

	if (err || n->live || (*slot)->now.text || !has_end(*slot))
		return err;
	err = dir_names_get(&n->dirs, ino, &name);
	if (!err && name.length)
		err = names_keep(n, &(*slot)->now, name.parent,
				n->dirs.text + name.text, name.length);
	return err;
}

static errcode_t climb_up(struct names *n, ext2_ino_t ino,
			  struct back_path *path)
{
	struct name_slot *slot;
	errcode_t err;

	for (unsigned depth = 0; ino != EXT2_ROOT_INO; depth++) {
		err = ask_end(n, ino, &slot);
		if (err)
			return err;
		if (!slot->now.text || depth == MAX_DEPTH ||
		    back_path_put_name(path, n->text + slot->now.text,
				       slot->now.length)) {
			/* A path that is too long lacks its number at most. */
			back_path_put_inode(path, "<%u>", ino);
			return 0;
		}
		ino = slot->now.dir;
	}
	return 0;
}

static errcode_t tell(struct names *n, ext2_ino_t ino, const char *name,
		      unsigned length, char **path)
{
	struct back_path text;
	errcode_t err;

	*path = NULL;
	back_path_init(&text);
	if (length)
		back_path_put_name(&text, name, length);
	err = climb_up(n, ino, &text);
	if (err)
		return err;
	*path = strdup(*text.begin ? text.begin : "/");
	return *path ? 0 : EXT2_ET_NO_MEMORY;
}

errcode_t names_tell(struct names *n, ext2_ino_t ino, char **path)
{
	return tell(n, ino, NULL, 0, path);
}

errcode_t names_tell_in(struct names *n, ext2_ino_t dir, const char *name,
			unsigned length, char **path)
{
	return tell(n, dir, name, length, path);
}
