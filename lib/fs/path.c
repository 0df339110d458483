/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * path.c - look a path up: path -> inode
 *
 * The lookup counts its steps.  Without a limit, links that lead to links can
 * turn a short path into an endless one.
 */

#include <stdlib.h>
#include <string.h>

#include "block_source.h"
#include "directory.h"

/* The limits of Linux. */
#define MAX_LINKS	40
#define MAX_PATH	4096

/* As many names as fit a path, counting those in the targets of links. */
#define MAX_NAMES	(MAX_PATH / 2)

/* The lookup may read as many blocks as the file system has, so many times. */
#define MAX_ROUNDS	8

/* Return value of the callback that has found the name. */
#define FOUND		E2LAZY_ET_NOT_MAPPED

struct way {
	ext2_filsys	fs;
	struct e2lazy_where *where;
	ext2_ino_t	at;		/* the directory reached so far */
	char		*rest;		/* rest of the path, from there */
	unsigned	links, names;	/* seen so far */
	blk64_t		budget;
	/* the current name, in @rest */
	const char	*name;
	size_t		length;
	ext2_ino_t	ino;		/* its inode */
};

static errcode_t compare(void *priv, const struct e2lazy_entry *entry)
{
	struct way *w = priv;

	if (entry->length != w->length ||
	    memcmp(entry->name, w->name, w->length))
		return 0;
	w->ino = entry->ino;
	return FOUND;
}

/* A missing name may stand in a block that could not be read: report that. */
static errcode_t search(struct way *w)
{
	struct e2lazy_directory_opts opts = { .budget = &w->budget };
	struct e2lazy_damage damage;
	errcode_t err;

	err = e2lazy_directory_read(w->fs, w->at, &opts, compare, w, &damage);
	if (err == FOUND)
		return w->ino <= w->fs->super->s_inodes_count ? 0 :
		       EXT2_ET_BAD_INODE_NUM;
	if (err || !damage.count)
		return err ? err : EXT2_ET_FILE_NOT_FOUND;
	*w->where = damage.first;
	return damage.error;
}

static bool is_name(const struct way *w, const char *name)
{
	return w->length == strlen(name) && !memcmp(w->name, name, w->length);
}

static errcode_t step(struct way *w)
{
	if (w->length > EXT2_NAME_LEN)
		return E2LAZY_ET_LONG_PATH;
	w->ino = w->at;
	if (is_name(w, ".") || (w->at == EXT2_ROOT_INO && is_name(w, "..")))
		return ext2fs_check_directory(w->fs, w->at);
	if (++w->names > MAX_NAMES)
		return EXT2_ET_SYMLINK_LOOP;
	return search(w);
}

/* Put the target of a link before the rest of the path. */
static errcode_t follow_link(struct way *w, const char *behind)
{
	char *target, *rest;
	errcode_t err;

	if (++w->links > MAX_LINKS)
		return EXT2_ET_SYMLINK_LOOP;
	err = e2lazy_symlink_read(w->fs, w->ino, &target);
	if (err)
		return err;
	if (!*target)
		err = EXT2_ET_FILE_NOT_FOUND;
	else if (strlen(target) >= MAX_PATH)
		err = E2LAZY_ET_LONG_PATH;
	if (*target == '/')
		w->at = EXT2_ROOT_INO;
	rest = err ? NULL : malloc(strlen(target) + strlen(behind) + 1);
	if (rest) {
		strcpy(stpcpy(rest, target), behind);
		free(w->rest);
		w->rest = rest;
	} else if (!err) {
		err = EXT2_ET_NO_MEMORY;
	}
	free(target);
	return err;
}

/* Follow a link in the last name if @follow, or if a slash stands behind it. */
static errcode_t walk(struct way *w, bool follow)
{
	const char *next = w->rest, *behind;
	struct ext2_inode inode;
	errcode_t err;

	for (;;) {
		next += strspn(next, "/");
		if (!*next)
			return ext2fs_check_directory(w->fs, w->at);
		w->name = next;
		w->length = strcspn(next, "/");
		behind = next + w->length;
		err = step(w);
		if (!err)
			err = ext2fs_read_inode(w->fs, w->ino, &inode);
		if (err)
			return err;
		if (LINUX_S_ISLNK(inode.i_mode) && (follow || *behind)) {
			err = follow_link(w, behind);
			if (err)
				return err;
			next = w->rest;
		} else if (*behind) {
			w->at = w->ino;
			next = behind;
		} else {
			return 0;
		}
		w->ino = w->at;
	}
}

errcode_t e2lazy_lookup(ext2_filsys fs, ext2_ino_t cwd, const char *path,
			bool follow, ext2_ino_t *ino,
			struct e2lazy_where *where)
{
	struct e2lazy_where unused;
	struct way w = {
		.fs = fs, .where = where ? where : &unused,
		.at = *path == '/' ? EXT2_ROOT_INO : cwd,
		.budget = MAX_ROUNDS * ext2fs_blocks_count(fs->super),
	};
	errcode_t err;

	memset(w.where, 0, sizeof(*w.where));
	if (!*path)
		return EXT2_ET_FILE_NOT_FOUND;
	if (strlen(path) >= MAX_PATH)
		return E2LAZY_ET_LONG_PATH;
	w.ino = w.at;
	w.rest = strdup(path);
	if (!w.rest)
		return EXT2_ET_NO_MEMORY;
	err = walk(&w, follow);
	if (!err)
		*ino = w.ino;
	else if (!w.where->has && block_source_failed(fs))
		*w.where = *block_source_failed(fs);
	free(w.rest);
	return err;
}
