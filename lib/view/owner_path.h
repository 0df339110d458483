/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* owner_path.h - the names of some inodes, and their paths */
#ifndef E2LAZY_OWNER_PATH_H
#define E2LAZY_OWNER_PATH_H

#include "e2lazy_view.h"

struct inode_list {
	ext2_ino_t	*inodes;
	size_t		count, room;
};

errcode_t inode_list_add(struct inode_list *list, ext2_ino_t ino);

struct name {
	ext2_ino_t	ino;
	ext2_ino_t	parent;
	size_t		text;		/* offset; 0: no name found yet */
};

struct names {
	struct name	*names;		/* ascending by inode */
	size_t		count;
	char		*text;
	size_t		used, room;
};

/*
 * names_read - find a name for each of some inodes
 * @wanted:      in any order; it may name an inode twice
 * @directories: the directories to read
 *
 * Names in an unreadable block of a directory are lost; @damage counts such
 * blocks.
 */
errcode_t names_read(struct names *names, ext2_filsys fs,
		     const struct inode_list *wanted,
		     const struct inode_list *directories,
		     const struct e2lazy_owners_opts *opts,
		     struct e2lazy_damage *damage);
void names_free(struct names *names);

errcode_t names_path(const struct names *names, ext2_ino_t ino, char **path);

#endif
