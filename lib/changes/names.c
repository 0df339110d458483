/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * names.c - the names of inodes along the way, and paths
 *
 * A name that a directory loses was the inode's name up to then, and at the
 * begin, if nothing had changed it before.  A name that a directory gets is its
 * name from then on.  An inode without either keeps the name that it has at the
 * end.  So the first pass over the steps learns names of the begin; the second
 * one begins with them and brings them up to date.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "io/grow.h"

#define FIRST_SLOTS	1024
#define MAX_DEPTH	2048
#define MAX_PATH	4096
#define FOUND		E2LAZY_ET_NOT_MAPPED	/* of callbacks */

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
};

/* --------------------------------------------------------------- the table */

static struct name_slot *slot_of(const struct names *n, ext2_ino_t ino)
{
	uint32_t at = (uint32_t)(ino * 2654435761U) & (n->room - 1);

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

errcode_t names_init(struct names *n, ext2_filsys fs)
{
	memset(n, 0, sizeof(*n));
	n->fs = fs;
	n->learning = true;
	n->budget = 8 * ext2fs_blocks_count(fs->super);
	return make_room(n);
}

void names_release(struct names *n)
{
	free(n->slots);
	free(n->text);
	memset(n, 0, sizeof(*n));
}

void names_rewind(struct names *n)
{
	n->learning = false;
	for (uint32_t i = 0; i < n->room; i++)
		n->slots[i].now = n->slots[i].begin;
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
	return slot->ino && slot->wanted && !slot->begin.text && !slot->over;
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

errcode_t names_found(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		      const char *name, unsigned length)
{
	return keep_text(n, &slot_of(n, ino)->begin, dir, name, length);
}

errcode_t names_seen(struct names *n, ext2_ino_t ino, ext2_ino_t dir,
		     const char *name, unsigned length)
{
	struct name_slot *slot;
	errcode_t err;

	if (!n->learning)
		return 0;
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
	errcode_t err = get_slot(n, ino, &slot);

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
	errcode_t err = get_slot(n, ino, &slot);

	if (err)
		return err;
	if (n->learning)
		slot->settled = true;
	else
		err = keep_text(n, slot->now.text ? &slot->other : &slot->now,
				dir, name, length);
	return err;
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

struct climb {
	struct names	*names;
	ext2_ino_t	ino, parent;
	char		*begin;
	char		path[MAX_PATH + 1];
};

static errcode_t find_parent(void *priv, const struct e2lazy_entry *e)
{
	struct climb *c = priv;

	if (e->length != 2 || !is_dots(e))
		return 0;
	c->parent = e->ino;
	return FOUND;
}

static errcode_t find_name(void *priv, const struct e2lazy_entry *e)
{
	struct climb *c = priv;
	struct name_slot *slot;
	errcode_t err;

	if (e->ino != c->ino || is_dots(e) || !e->length)
		return 0;
	err = get_slot(c->names, c->ino, &slot);
	if (!err)
		err = keep_text(c->names, &slot->now, c->parent, e->name,
				e->length);
	return err ? err : FOUND;
}

/* A directory without a known name has had the one of the end all along. */
static errcode_t ask_end(struct climb *c)
{
	const struct e2lazy_directory_opts opts = {
		.budget = &c->names->budget,
	};
	const struct name_slot *slot = find_slot(c->names, c->ino);
	struct e2lazy_damage damage;
	errcode_t err;

	if (slot && (slot->settled || slot->over))
		return 0;
	err = e2lazy_directory_read(c->names->fs, c->ino, &opts, find_parent,
				    c, &damage);
	if (err == FOUND && c->parent && c->parent != c->ino)
		err = e2lazy_directory_read(c->names->fs, c->parent, &opts,
					    find_name, c, &damage);
	return err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED ? err :
								       0;
}

static bool put_before(struct climb *c, const char *text, size_t length)
{
	if ((size_t)(c->begin - c->path) < length + 1)
		return false;
	c->begin -= length;
	memcpy(c->begin, text, length);
	return true;
}

/* A name is no place: its slashes and NULs become "_". */
static bool put_name(struct climb *c, const char *text, size_t length)
{
	if (!put_before(c, text, length))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!c->begin[i] || c->begin[i] == '/')
			c->begin[i] = '_';
	return put_before(c, "/", 1);
}

static errcode_t climb_up(struct climb *c)
{
	const struct name_slot *slot;
	char number[16];
	errcode_t err = 0;

	for (unsigned depth = 0; c->ino != EXT2_ROOT_INO; depth++) {
		slot = find_slot(c->names, c->ino);
		if (!slot || !slot->now.text)
			err = ask_end(c);
		slot = find_slot(c->names, c->ino);
		if (err || !slot || !slot->now.text || depth == MAX_DEPTH ||
		    !put_name(c, c->names->text + slot->now.text,
			      slot->now.length))
			break;
		c->ino = slot->now.dir;
	}
	if (err || c->ino == EXT2_ROOT_INO)
		return err;
	snprintf(number, sizeof(number), "<%u>", c->ino);
	put_before(c, number, strlen(number));
	return 0;
}

static errcode_t tell(struct names *n, ext2_ino_t ino, const char *name,
		      unsigned length, char **path)
{
	struct climb *c = calloc(1, sizeof(*c));
	errcode_t err;

	*path = NULL;
	if (!c)
		return EXT2_ET_NO_MEMORY;
	c->names = n;
	c->ino = ino;
	c->begin = c->path + MAX_PATH;
	if (length)
		put_name(c, name, length);
	err = climb_up(c);
	if (!err) {
		*path = strdup(*c->begin ? c->begin : "/");
		err = *path ? 0 : EXT2_ET_NO_MEMORY;
	}
	free(c);
	return err;
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
