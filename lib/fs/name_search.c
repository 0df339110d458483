/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * name_search.c - names of files, from all directories
 *
 * An inode does not say which directory has its name.  If no block that names it is
 * known, only a look into directories helps.
 */

#include <stdlib.h>

#include "directory.h"
#include "io/grow.h"
#include "io/watch.h"
#include "name_search.h"

#define PER_TICK	256
#define ALL_FOUND	E2LAZY_ET_NOT_MAPPED	/* of the callback */

struct reading {
	struct name_search *search;
	ext2fs_inode_bitmap seen;
	ext2_ino_t	*dirs;		/* to read, in order */
	size_t		nr, room;
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

static errcode_t push(struct reading *r, ext2_ino_t ino)
{
	ext2_ino_t *dirs = grow(r->dirs, r->nr, &r->room, sizeof(*dirs));

	if (!dirs)
		return EXT2_ET_NO_MEMORY;
	r->dirs = dirs;
	dirs[r->nr++] = ino;
	ext2fs_mark_inode_bitmap2(r->seen, ino);
	return 0;
}

static errcode_t take(void *priv, const struct e2lazy_entry *e)
{
	struct reading *r = priv;
	struct name_search *s = r->search;
	errcode_t err = 0;

	if (is_dots(e) || !e->length || e->ino > s->fs->super->s_inodes_count)
		return 0;
	if (s->wants(s->priv, e->ino)) {
		err = s->found(s->priv, e->ino, r->dir, e->name, e->length);
		if (!err && !--s->left)
			err = ALL_FOUND;
	}
	if (!err && !ext2fs_test_inode_bitmap2(r->seen, e->ino) &&
	    is_directory(s->fs, e))
		err = push(r, e->ino);
	return err;
}

static uint64_t count_directories(ext2_filsys fs)
{
	uint64_t count = 0;

	for (dgrp_t g = 0; g < fs->group_desc_count; g++)
		count += ext2fs_bg_used_dirs_count(fs, g);
	return count;
}

static errcode_t read_all(struct reading *r, const struct e2lazy_watch *watch)
{
	struct name_search *s = r->search;
	const struct e2lazy_directory_opts opts = { .budget = s->budget };
	uint64_t total = count_directories(s->fs);
	struct e2lazy_damage damage;
	errcode_t err = push(r, EXT2_ROOT_INO);

	for (size_t i = 0; !err && i < r->nr; i++) {
		if (i % PER_TICK == 0)
			err = watch_tick(watch, E2LAZY_PHASE_DIRECTORIES, i,
					 total);
		r->dir = r->dirs[i];
		if (!err)
			err = e2lazy_directory_read(s->fs, r->dir, &opts, take,
						    r, &damage);
		if (err != ALL_FOUND && err != EXT2_ET_NO_MEMORY &&
		    err != E2LAZY_ET_CANCELLED)
			err = 0;
	}
	return err == ALL_FOUND ? 0 : err;
}

errcode_t name_search(struct name_search *search,
		      const struct e2lazy_watch *watch)
{
	struct reading r = { .search = search };
	errcode_t err;

	if (!search->left)
		return 0;
	err = ext2fs_allocate_inode_bitmap(search->fs, "directories", &r.seen);
	if (!err)
		err = read_all(&r, watch);
	if (r.seen)
		ext2fs_free_inode_bitmap(r.seen);
	free(r.dirs);
	return err;
}
