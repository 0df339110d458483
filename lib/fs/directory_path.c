/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * directory_path.c - find the path of a directory by climbing to the root
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_source.h"
#include "directory.h"

/* The kernel's limit for the path of a working directory. */
#define MAX_PATH	4096

/* The climb may read as many blocks as the file system has, so many times. */
#define MAX_ROUNDS	8

/* Return value of a callback that has found its entry. */
#define FOUND		E2LAZY_ET_NOT_MAPPED

struct climb {
	ext2_ino_t	ino;		/* find the name of this one */
	ext2_ino_t	parent;
	char		*begin;		/* of the path so far, in @path */
	char		path[MAX_PATH + 1];
};

static errcode_t find_parent(void *priv, const struct e2lazy_entry *entry)
{
	struct climb *c = priv;

	if (entry->length != 2 || !is_dots(entry))
		return 0;
	c->parent = entry->ino;
	return FOUND;
}

static errcode_t put_before(struct climb *c, const char *name, size_t length)
{
	if ((size_t)(c->begin - c->path) < length + 1)
		return E2LAZY_ET_LONG_PATH;
	c->begin -= length;
	memcpy(c->begin, name, length);
	return 0;
}

static errcode_t find_name(void *priv, const struct e2lazy_entry *entry)
{
	struct climb *c = priv;
	errcode_t err;

	if (entry->ino != c->ino || is_dots(entry) || !entry->length)
		return 0;
	err = put_before(c, entry->name, entry->length);
	if (!err)
		*--c->begin = '/';
	return err ? err : FOUND;
}

/* Go one directory up.  FOUND, or 0 if there is no way up. */
static errcode_t go_up(struct climb *c, ext2_filsys fs,
		       const struct e2lazy_directory_opts *opts,
		       struct e2lazy_damage *damage)
{
	errcode_t err;

	err = e2lazy_directory_read(fs, c->ino, opts, find_parent, c, damage);
	if (err != FOUND)
		return err;
	if (c->parent == 0 || c->parent > fs->super->s_inodes_count)
		return 0;
	err = e2lazy_directory_read(fs, c->parent, opts, find_name, c, damage);
	if (err == FOUND)
		c->ino = c->parent;
	return err == EXT2_ET_NO_DIRECTORY ? 0 : err;
}

/* If the climb ends before the root, the path begins with <INODE>. */
static errcode_t put_end(struct climb *c)
{
	char text[16];

	if (c->ino != EXT2_ROOT_INO)
		return put_before(c, text, snprintf(text, sizeof(text), "<%u>",
						    c->ino));
	if (!*c->begin)
		*--c->begin = '/';
	return 0;
}

errcode_t e2lazy_directory_path(ext2_filsys fs, ext2_ino_t dir, char **path,
				struct e2lazy_where *where)
{
	blk64_t budget = MAX_ROUNDS * ext2fs_blocks_count(fs->super);
	struct e2lazy_directory_opts opts = { .budget = &budget };
	struct e2lazy_damage damage = { .count = 0 };
	struct climb *c = calloc(1, sizeof(*c));
	errcode_t err = FOUND;

	if (where)
		memset(where, 0, sizeof(*where));
	if (!c)
		return EXT2_ET_NO_MEMORY;
	c->ino = dir;
	c->begin = c->path + MAX_PATH;
	while (err == FOUND && c->ino != EXT2_ROOT_INO)
		err = go_up(c, fs, &opts, &damage);
	if (err == FOUND)
		err = 0;
	else if (!err && damage.count)
		err = damage.error;	/* the name may be in that block */
	if (err && where && damage.count)
		*where = damage.first;
	else if (err && where && block_source_failed(fs))
		*where = *block_source_failed(fs);
	if (!err)
		err = put_end(c);
	*path = err ? NULL : strdup(c->begin);
	free(c);
	return !err && !*path ? EXT2_ET_NO_MEMORY : err;
}
