/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * living.c - names of files that still exist, and had other contents before
 *
 * An inode does not say which directory has its name, and the ring need not have
 * that directory.  So the search goes down from the root, and ends as soon as each
 * file has a name.  Further names of a file are left out.
 */

#include <stdlib.h>

#include "fs/directory.h"
#include "io/grow.h"
#include "undelete.h"

#define PER_TICK	256
#define ALL_FOUND	E2LAZY_ET_NOT_MAPPED	/* of the callback */

struct search {
	struct e2lazy_undelete *u;
	ext2fs_inode_bitmap seen;
	ext2_ino_t	*dirs;		/* to read, in order */
	size_t		nr, room;
	ext2_ino_t	dir;
	uint64_t	left;		/* files without a name */
	blk64_t		budget;
};

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

static bool is_directory(ext2_filsys fs, const struct e2lazy_entry *e)
{
	struct ext2_inode inode;

	if (e->type != EXT2_FT_UNKNOWN)
		return e->type == EXT2_FT_DIR;
	return !ext2fs_read_inode(fs, e->ino, &inode) &&
	       LINUX_S_ISDIR(inode.i_mode);
}

static bool is_wanted(const struct life *life)
{
	return life->alive && life->state != NO_LIFE && life->names == NO_NAME;
}

static errcode_t take(void *priv, const struct e2lazy_entry *e)
{
	struct search *s = priv;
	struct e2lazy_undelete *u = s->u;
	errcode_t err = 0;
	uint32_t number;

	if (is_dots(e) || !e->length || e->ino > u->fs->super->s_inodes_count)
		return 0;
	number = lives_newest(u, e->ino);
	if (number != NO_LIFE && is_wanted(life_get(u, number))) {
		err = names_add(u, life_get(u, number),
				lives_newest(u, s->dir), s->dir,
				(const uint8_t *)e->name, (uint8_t)e->length);
		if (!err && !--s->left)
			err = ALL_FOUND;
	}
	if (!err && !ext2fs_test_inode_bitmap2(s->seen, e->ino) &&
	    is_directory(u->fs, e))
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

static errcode_t read_all(struct search *s)
{
	const struct e2lazy_directory_opts opts = { .budget = &s->budget };
	ext2_filsys fs = s->u->fs;
	uint64_t total = count_directories(fs);
	struct e2lazy_damage damage;
	errcode_t err = push(s, EXT2_ROOT_INO);

	for (size_t i = 0; !err && i < s->nr; i++) {
		if (i % PER_TICK == 0)
			err = watch_tick(s->u->opts->watch,
					 E2LAZY_PHASE_DIRECTORIES, i, total);
		s->dir = s->dirs[i];
		if (!err)
			err = e2lazy_directory_read(fs, s->dir, &opts, take, s,
						    &damage);
		/* A damaged directory has lost its names. */
		if (err != ALL_FOUND && err != EXT2_ET_NO_MEMORY &&
		    err != E2LAZY_ET_CANCELLED)
			err = 0;
	}
	return err == ALL_FOUND ? 0 : err;
}

errcode_t living_names_find(struct e2lazy_undelete *u)
{
	struct search s = { .u = u,
			    .budget = 2 * ext2fs_blocks_count(u->fs->super) };
	errcode_t err;

	for (uint32_t i = 0; i < u->lives.nr; i++)
		s.left += is_wanted(life_get(u, i));
	if (!s.left)
		return 0;
	err = ext2fs_allocate_inode_bitmap(u->fs, "directories", &s.seen);
	if (!err)
		err = read_all(&s);
	if (s.seen)
		ext2fs_free_inode_bitmap(s.seen);
	free(s.dirs);
	return err;
}
