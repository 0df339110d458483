/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dir_names.c - find the names of directories, many at a time
 *
 * A search has two passes.  The first goes up: it reads ".." of each directory,
 * then of each parent that is new, to the root.  The second one reads each of
 * the parents once, up to the last name that is looked for in it.
 */

#include <stdlib.h>
#include <string.h>

#include "block_source.h"
#include "dir_names.h"
#include "directory.h"
#include "io/grow.h"
#include "io/hash.h"
#include "io/watch.h"

#define FIRST_SLOTS	64

/* So many are looked for alone. */
#define FEW		16

/* All searches may read as many blocks as the file system has, so many times. */
#define MAX_ROUNDS	8

/* Directories between two questions whether to stop. */
#define PER_STOP	256

/* Return value of a callback that needs no more entries. */
#define FOUND		E2LAZY_ET_NOT_MAPPED

enum state {
	WANTED,				/* not looked for so far */
	WAITING,			/* for its parent to be read */
	DONE,
};

/* ----------------------------------------------------------- the table */

/* The empty slot where it belongs, if it has none. */
static struct dir_name *slot_of(const struct dir_names *n, ext2_ino_t ino)
{
	uint32_t at = hash_number(ino) & (n->room - 1);

	while (n->slots[at].ino && n->slots[at].ino != ino)
		at = (at + 1) & (n->room - 1);
	return &n->slots[at];
}

static errcode_t make_room(struct dir_names *n)
{
	struct dir_names old = *n;

	if (n->count < n->room / 2)
		return 0;
	n->room = old.room ? 2 * old.room : FIRST_SLOTS;
	n->slots = n->room > old.room ? calloc(n->room, sizeof(*n->slots))
				      : NULL;
	if (!n->slots) {
		*n = old;
		return EXT2_ET_NO_MEMORY;
	}
	for (uint32_t i = 0; i < old.room; i++)
		if (old.slots[i].ino)
			*slot_of(n, old.slots[i].ino) = old.slots[i];
	free(old.slots);
	return 0;
}

errcode_t dir_names_want(struct dir_names *n, ext2_ino_t dir)
{
	struct dir_name *slot;
	errcode_t err;

	if (dir == 0 || dir == EXT2_ROOT_INO)
		return 0;
	err = make_room(n);
	if (err)
		return err;
	slot = slot_of(n, dir);
	n->count += !slot->ino;
	slot->ino = dir;
	return 0;
}

errcode_t dir_names_init(struct dir_names *n, ext2_filsys fs,
			 const struct e2lazy_watch *watch)
{
	memset(n, 0, sizeof(*n));
	n->fs = fs;
	n->watch = watch;
	n->budget = MAX_ROUNDS * ext2fs_blocks_count(fs->super);
	return make_room(n);
}

void dir_names_free(struct dir_names *n)
{
	free(n->slots);
	free(n->text);
	memset(n, 0, sizeof(*n));
}

/* ---------------------------------------------------------- the search */

/* A directory that is looked for, and its parent when that is known. */
struct pair {
	ext2_ino_t	parent, ino;
};

struct search {
	struct dir_names *names;
	struct directories d;
	struct e2lazy_damage damage;	/* of the directory at hand */
	struct pair	*pairs;
	size_t		nr, room;
	ext2_ino_t	dir;		/* the second pass: which is read, */
	size_t		left;		/* and how many names it still has */
	ext2_ino_t	parent;		/* the first pass: what ".." says */
};

static errcode_t push(struct search *s, ext2_ino_t ino)
{
	struct pair *pairs = grow(s->pairs, s->nr, &s->room, sizeof(*pairs));

	if (!pairs)
		return EXT2_ET_NO_MEMORY;
	s->pairs = pairs;
	pairs[s->nr++] = (struct pair){ .ino = ino };
	slot_of(s->names, ino)->state = WAITING;
	return 0;
}

static errcode_t keep_name(struct dir_names *n, struct dir_name *slot,
			   const struct e2lazy_entry *entry)
{
	if (!grow_chars(&n->text, n->used, entry->length, &n->text_room))
		return EXT2_ET_NO_MEMORY;
	memcpy(n->text + n->used, entry->name, entry->length);
	slot->text = (uint32_t)n->used;
	slot->length = (uint8_t)entry->length;
	slot->state = DONE;
	n->used += entry->length;
	return 0;
}

static errcode_t take(void *priv, const struct e2lazy_entry *entry)
{
	struct search *s = priv;
	struct dir_name *slot;
	errcode_t err;

	if (!s->dir) {
		if (entry->length != 2 || !is_dots(entry))
			return 0;
		s->parent = entry->ino;
		return FOUND;
	}
	if (is_dots(entry) || !entry->length)
		return 0;
	slot = slot_of(s->names, entry->ino);
	if (!slot->ino || slot->state != WAITING || slot->parent != s->dir)
		return 0;
	err = keep_name(s->names, slot, entry);
	return err ? err : --s->left ? 0 : FOUND;
}

/* Read it as far as needed.  @why is why not all was found; it ends no search. */
static errcode_t read_one(struct search *s, ext2_ino_t ino, errcode_t *why)
{
	struct dir_names *n = s->names;
	errcode_t err;

	memset(&s->damage, 0, sizeof(s->damage));
	err = directories_read(&s->d, ino);
	*why = 0;
	if (err == FOUND)
		return 0;
	if (err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED)
		return err;
	*why = err ? err : s->damage.error;
	if (s->damage.count)
		n->where = s->damage.first;
	else if (err && block_source_failed(n->fs))
		n->where = *block_source_failed(n->fs);
	return 0;
}

/* Find the parent of a directory, and note that its own name is needed. */
static errcode_t find_parent(struct search *s, size_t i)
{
	struct pair *pair = &s->pairs[i];
	struct dir_name *slot;
	errcode_t why, err;

	s->parent = 0;
	err = read_one(s, pair->ino, &why);
	slot = slot_of(s->names, pair->ino);
	slot->err = why;
	if (err || !s->parent || s->parent > s->names->fs->super->s_inodes_count)
		return err;
	slot->parent = pair->parent = s->parent;
	err = dir_names_want(s->names, s->parent);
	if (err || s->parent == EXT2_ROOT_INO ||
	    slot_of(s->names, s->parent)->state != WANTED)
		return err;
	return push(s, s->parent);
}

/* Read the parent of the @count pairs at @pair. */
static errcode_t find_names(struct search *s, const struct pair *pair,
			    size_t count)
{
	struct dir_name *slot;
	errcode_t why, err;

	s->dir = pair->parent;
	s->left = count;
	if (!s->dir)
		return 0;
	err = read_one(s, s->dir, &why);
	for (size_t i = 0; i < count; i++) {
		slot = slot_of(s->names, pair[i].ino);
		/* A parent that is no directory has no names. */
		if (slot->state == WAITING && why != EXT2_ET_NO_DIRECTORY)
			slot->err = why;
		slot->state = DONE;
	}
	return err;
}

static int by_parent(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return (x->ino > y->ino) - (x->ino < y->ino);
}

static errcode_t both_passes(struct search *s)
{
	const struct e2lazy_watch *watch = s->names->watch;
	errcode_t err = 0;
	size_t i, count;

	/* The tables of inodes are read in their order. */
	qsort(s->pairs, s->nr, sizeof(*s->pairs), by_parent);
	for (i = 0; !err && i < s->nr; i++) {
		if (i % PER_STOP == PER_STOP - 1)
			err = watch_stop(watch);
		if (!err)
			err = find_parent(s, i);
	}
	if (!err)
		qsort(s->pairs, s->nr, sizeof(*s->pairs), by_parent);
	for (i = 0; !err && i < s->nr; i += count) {
		for (count = 1; i + count < s->nr &&
		     s->pairs[i + count].parent == s->pairs[i].parent;)
			count++;
		err = watch_stop(watch);
		if (!err)
			err = find_names(s, &s->pairs[i], count);
	}
	return err;
}

/* Look for the name of @dir; with 0 for those of all that are wanted. */
static errcode_t look_for(struct dir_names *n, ext2_ino_t dir)
{
	const struct e2lazy_directory_opts opts = { .budget = &n->budget };
	struct search s = { .names = n };
	errcode_t err = 0;

	if (dir)
		err = push(&s, dir);
	for (uint32_t i = 0; !err && !dir && i < n->room; i++)
		if (n->slots[i].ino && n->slots[i].state == WANTED)
			err = push(&s, n->slots[i].ino);
	if (!err) {
		err = directories_init(&s.d, n->fs, &opts, take, &s, &s.damage);
		if (!err)
			err = both_passes(&s);
		directories_free(&s.d);
	}
	free(s.pairs);
	return err;
}

/* ------------------------------------------------------------- the results */

errcode_t dir_names_get(struct dir_names *n, ext2_ino_t dir,
			struct dir_name *out)
{
	errcode_t err = dir_names_want(n, dir);

	*out = (struct dir_name){ .err = dir ? 0 : EXT2_ET_BAD_INODE_NUM };
	if (err || dir == 0 || dir == EXT2_ROOT_INO)
		return err;
	if (slot_of(n, dir)->state == WANTED)
		err = look_for(n, n->asked++ < FEW ? dir : 0);
	if (!err)
		*out = *slot_of(n, dir);
	return err;
}

errcode_t dir_names_climb(struct dir_names *n, ext2_ino_t dir,
			  struct back_path *path, ext2_ino_t *top)
{
	struct dir_name name;
	errcode_t err;

	for (*top = dir; *top != EXT2_ROOT_INO; *top = name.parent) {
		err = dir_names_get(n, *top, &name);
		if (err || !name.length)
			return err ? err : name.err;
		err = back_path_put_name(path, n->text + name.text,
					 name.length);
		if (err)
			return err;
	}
	return 0;
}
