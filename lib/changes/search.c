/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * search.c - names of files in directories that no transaction logged
 *
 * An inode does not say which directory has its name.  If a file has changed,
 * but no directory with it was logged, only a look into directories helps.  It
 * goes down from the root, and ends as soon as all names are found.
 */

#include <stdlib.h>

#include "changes.h"
#include "io/grow.h"

#define PER_TICK	256
#define ALL_FOUND	E2LAZY_ET_NOT_MAPPED	/* of the callback */

struct search {
	struct names	*names;
	ext2fs_inode_bitmap seen;
	ext2_ino_t	*dirs;		/* to read, in order */
	size_t		nr, room, left;
	ext2_ino_t	dir;
};

static bool is_directory(ext2_filsys fs, const struct e2lazy_entry *e)
{
	struct ext2_inode inode;

	if (e->type != EXT2_FT_UNKNOWN)
		return e->type == EXT2_FT_DIR;
	return !ext2fs_read_inode(fs, e->ino, &inode) &&
	       LINUX_S_ISDIR(inode.i_mode);
}

static errcode_t push(struct search *s, ext2_ino_t ino)
{
	ext2_ino_t *dirs = grow(s->dirs, s->nr, &s->room, sizeof(*dirs));

	if (!dirs)
		return EXT2_ET_NO_MEMORY;
	s->dirs = dirs;
	dirs[s->nr++] = ino;
	ext2fs_mark_inode_bitmap2(s->seen, ino);
	return 0;
}

static errcode_t take(void *priv, const struct e2lazy_entry *e)
{
	struct search *s = priv;
	ext2_filsys fs = s->names->fs;
	errcode_t err = 0;

	if (is_dots(e) || !e->length || e->ino > fs->super->s_inodes_count)
		return 0;
	if (names_wants(s->names, e->ino)) {
		err = names_found(s->names, e->ino, s->dir, e->name,
				  e->length);
		if (!err && !--s->left)
			err = ALL_FOUND;
	}
	if (!err && !ext2fs_test_inode_bitmap2(s->seen, e->ino) &&
	    is_directory(fs, e))
		err = push(s, e->ino);
	return err;
}

static uint64_t count_directories(ext2_filsys fs)
{
	uint64_t count = 0;

	for (dgrp_t g = 0; g < fs->group_desc_count; g++)
		count += ext2fs_bg_used_dirs_count(fs, g);
	return count;
}

static errcode_t read_all(struct search *s, const struct e2lazy_watch *watch)
{
	const struct e2lazy_directory_opts opts = {
		.budget = &s->names->budget,
	};
	uint64_t total = count_directories(s->names->fs);
	struct e2lazy_damage damage;
	errcode_t err = push(s, EXT2_ROOT_INO);

	for (size_t i = 0; !err && i < s->nr; i++) {
		if (i % PER_TICK == 0)
			err = watch_tick(watch, E2LAZY_PHASE_DIRECTORIES, i,
					 total);
		s->dir = s->dirs[i];
		if (!err)
			err = e2lazy_directory_read(s->names->fs, s->dir,
						    &opts, take, s, &damage);
		/* A damaged directory has lost its names. */
		if (err != ALL_FOUND && err != EXT2_ET_NO_MEMORY &&
		    err != E2LAZY_ET_CANCELLED)
			err = 0;
	}
	return err == ALL_FOUND ? 0 : err;
}

errcode_t names_search(struct names *n, const struct e2lazy_watch *watch)
{
	struct search s = { .names = n, .left = names_wanted(n) };
	errcode_t err;

	if (!s.left)
		return 0;
	err = ext2fs_allocate_inode_bitmap(n->fs, "directories", &s.seen);
	if (!err)
		err = read_all(&s, watch);
	if (s.seen)
		ext2fs_free_inode_bitmap(s.seen);
	free(s.dirs);
	return err;
}
