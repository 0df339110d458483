/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* paths.c - paths of deleted files, made of their names */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "undelete.h"

/* The deepest path, with names of one byte. */
#define MAX_DEPTH	2048
#define MAX_PATH	4096

struct building {
	struct e2lazy_undelete *u;
	char		path[MAX_PATH];		/* grows from its end */
	size_t		begin;
};

static bool is_final(const struct life *life, const struct name *name)
{
	return name->end > life->chosen;
}

/* The names at the end of the life; if there are none, the last name. */
static const struct name *nth_name(const struct e2lazy_undelete *u,
				   const struct life *life, unsigned n)
{
	const struct name *newest = NULL, *name;

	for (uint32_t i = life->names; i != NO_NAME; i = name->next) {
		name = &u->names.at[i];
		if (is_final(life, name) && !n--)
			return name;
		if (!newest || name->last > newest->last)
			newest = name;
	}
	return n ? NULL : newest;
}

unsigned life_names(const struct e2lazy_undelete *u, const struct life *life)
{
	unsigned count = 0;

	for (uint32_t i = life->names; i != NO_NAME; i = u->names.at[i].next)
		count += is_final(life, &u->names.at[i]);
	return count ? count : life->names != NO_NAME;
}

static errcode_t put_before(struct building *b, const char *text,
			    size_t length)
{
	if (b->begin < length + 1)
		return E2LAZY_ET_LONG_PATH;
	b->begin -= length;
	memcpy(b->path + b->begin, text, length);
	return 0;
}

/* A name must not lead elsewhere: its slashes and NULs become "_". */
static errcode_t put_name(struct building *b, const char *text, size_t length)
{
	errcode_t err = put_before(b, text, length);

	for (size_t i = 0; !err && i < length; i++)
		if (!text[i] || text[i] == '/')
			b->path[b->begin + i] = '_';
	return err;
}

static errcode_t put_number(struct building *b, ext2_ino_t ino)
{
	char text[16];

	return put_before(b, text, (size_t)snprintf(text, sizeof(text), "#%u",
						    ino));
}

/* A directory that still exists has its present path. */
static errcode_t put_living(struct building *b, ext2_ino_t ino)
{
	struct e2lazy_undelete *u = b->u;
	errcode_t err = 0;

	/* Files of one directory mostly follow each other. */
	if (u->path_of != ino) {
		free(u->path);
		u->path = NULL;
		u->path_of = 0;
		err = e2lazy_directory_path(u->fs, ino, &u->path, NULL);
		if (err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED)
			return err;
		u->path_of = ino;
	}
	if (!u->path || *u->path != '/')
		return put_number(b, ino);
	return u->path[1] ? put_before(b, u->path, strlen(u->path)) : 0;
}

/* A directory without a copy in the ring has not changed since. */
static bool is_in_living(const struct e2lazy_undelete *u,
			 const struct name *name)
{
	return name->dir == NO_LIFE || life_get(u, name->dir)->alive;
}

static errcode_t put_up(struct building *b, const struct life *life,
			unsigned n)
{
	const struct name *name = nth_name(b->u, life, n);
	errcode_t err = 0;

	for (unsigned depth = 0; !err; depth++) {
		if (!name || depth == MAX_DEPTH)
			return put_number(b, life->ino);
		err = put_name(b, b->u->names.text + name->text, name->length);
		if (!err)
			err = put_before(b, "/", 1);
		if (err)
			return err;
		if (is_in_living(b->u, name))
			return put_living(b, name->dir_ino);
		life = life_get(b->u, name->dir);
		name = nth_name(b->u, life, 0);
	}
	return err;
}

errcode_t e2lazy_undelete_path(struct e2lazy_undelete *u, size_t index,
			       unsigned n, char **path, size_t *length)
{
	struct building b;
	errcode_t err;

	b.u = u;
	b.begin = MAX_PATH;
	err = put_up(&b, life_get(u, u->deleted[index]), n);
	*length = MAX_PATH - b.begin;
	*path = err ? NULL : malloc(*length + 1);
	if (err)
		return err;
	if (!*path)
		return EXT2_ET_NO_MEMORY;
	memcpy(*path, b.path + b.begin, *length);
	(*path)[*length] = 0;
	return 0;
}

bool e2lazy_undelete_in_deleted(const struct e2lazy_undelete *u, size_t index,
				unsigned n)
{
	const struct life *life = life_get(u, u->deleted[index]);
	const struct name *name = nth_name(u, life, n);

	return name && !is_in_living(u, name);
}
