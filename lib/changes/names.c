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
#include "io/grow.h"
#include "io/hash.h"

#define FIRST_SLOTS	1024
#define MAX_DEPTH	2048

/* A name: a directory's number and where the text begins; 0: no name. */
struct named {
	ext2_ino_t	dir;
	uint32_t	text;
	uint8_t		length;
};

struct name_slot {
	ext2_ino_t	ino;		/* 0: empty */
	struct named	begin, now;
	struct named	other;		/* the newest further link */
	bool		wanted;		/* before any name was learnt */
	bool		settled;	/* a later step changed its names */
	bool		over;		/* the wanted file is gone */
	bool		has_names;	/* a directory, on some path */
};

/* --------------------------------------------------------------- the table */

static struct name_slot *slot_of(const struct names *n, ext2_ino_t ino)
{
	uint32_t at = hash_number(ino) & (n->room - 1);

	while (n->slots[at].ino && n->slots[at].ino != ino)
		at = (at + 1) & (n->room - 1);
	return &n->slots[at];
}

static errcode_t make_room(struct names *n)
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
			*slot_of(n, old[i].ino) = old[i];
	free(old);
	return 0;
}

static errcode_t get_slot(struct names *n, ext2_ino_t ino,
			  struct name_slot **out)
{
	errcode_t err = make_room(n);

	if (err)
		return err;
	*out = slot_of(n, ino);
	if (!(*out)->ino) {
		(*out)->ino = ino;
		n->count++;
	}
	return 0;
}

static const struct name_slot *find_slot(const struct names *n,
					 ext2_ino_t ino)
{
	const struct name_slot *slot = n->room ? slot_of(n, ino) : NULL;

	return slot && slot->ino ? slot : NULL;
}

/* Offset 0 stays free. */
static errcode_t keep_text(struct names *n, struct named *to, ext2_ino_t dir,
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
	return err ? err : make_room(n);
}

void names_release(struct names *n)
{
	free(n->slots);
	free(n->text);
	dir_names_free(&n->dirs);
	memset(n, 0, sizeof(*n));
}

errcode_t names_rewind(struct names *n)
{
	struct name_slot *slot;
	errcode_t err = 0;

	n->learning = false;
	for (uint32_t i = 0; !err && i < n->room; i++) {
		slot = &n->slots[i];
		slot->now = slot->begin;
		if (slot->has_names && has_end(slot) && !slot->now.text)
			err = dir_names_want(&n->dirs, slot->ino);
	}
	return err;
}

/* ---------------------------------------------------------------- learning */

errcode_t names_want(struct names *n, ext2_ino_t ino)
{
	struct name_slot *slot;
	errcode_t err = get_slot(n, ino, &slot);

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
	const struct name_slot *slot = find_slot(n, ino);

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
	err = get_slot(n, dir, &slot);
	if (!err)
		slot->has_names = true;
	n->last_dir = dir;
	return err;
}

errcode_t names_found(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		      const char *name, unsigned length)
{
	errcode_t err = learn_dir(n, dir);

	return err ? err : keep_text(n, &slot_of(n, ino)->begin, dir, name,
				     length);
}

errcode_t names_seen(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		     const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err;

	if (!n->learning)
		return 0;
	err = learn_dir(n, dir);
	if (!err)
		err = get_slot(n, ino, &slot);
	if (err || slot->settled || slot->begin.text || slot->over)
		return err;
	return keep_text(n, &slot->begin, dir, name, length);
}

/* ----------------------------------------------------------- names change */

static bool is_same(const struct names *n, const struct named *a,
		    ext2_ino_t dir, const char *name, unsigned length)
{
	return a->text && a->dir == dir && a->length == length &&
	       !memcmp(n->text + a->text, name, length);
}

errcode_t names_went(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		     const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err = learn_dir(n, dir);

	if (!err)
		err = get_slot(n, ino, &slot);
	if (err)
		return err;
	if (!n->learning) {
		if (is_same(n, &slot->now, dir, name, length))
			slot->now = slot->other;
		else if (!is_same(n, &slot->other, dir, name, length))
			return 0;
		slot->other.text = 0;
		return 0;
	}
	if (!slot->settled && !slot->begin.text)
		err = keep_text(n, &slot->begin, dir, name, length);
	slot->settled = true;
	return err;
}

errcode_t names_came(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		     const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err = learn_dir(n, dir);

	if (!err)
		err = get_slot(n, ino, &slot);
	if (err)
		return err;
	if (n->learning)
		slot->settled = true;
	else
		err = keep_text(n, slot->now.text ? &slot->other : &slot->now,
				dir, name, length);
	return err;
}

errcode_t names_may_have_come(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
			      const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err = get_slot(n, ino, &slot);

	if (err)
		return err;
	if (!n->learning)
		slot->now.text = slot->other.text = 0;
	return names_came(n, ino, dir, name, length);
}

errcode_t names_over(struct names *n, ext2_ino_t ino)
{
	struct name_slot *slot;
	errcode_t err = get_slot(n, ino, &slot);

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
	errcode_t err = get_slot(n, ino, slot);

	if (err || (*slot)->now.text || !has_end(*slot))
		return err;
	err = dir_names_get(&n->dirs, ino, &name);
	if (!err && name.length)
		err = keep_text(n, &(*slot)->now, name.parent,
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
