/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dir_names.h - names of directories, for whoever asks for many paths */
#ifndef E2LAZY_DIR_NAMES_H
#define E2LAZY_DIR_NAMES_H

#include "back_path.h"
#include "e2lazy_view.h"

/* A directory, and its name in the one that its ".." leads to. */
struct dir_name {
	ext2_ino_t	ino;
	ext2_ino_t	parent;		/* 0: not known */
	uint32_t	text;		/* where it begins in dir_names.text */
	uint8_t		length;		/* 0: not known, */
	uint8_t		state;
	errcode_t	err;		/* because of this; 0: nothing has it */
};

/*
 * The names that were asked for, and those above them.  A directory may have a
 * million others beside it: to look for each by itself would read the parent a
 * million times.  So the first who are asked for are looked for alone; then all
 * that are wanted are looked for at once, and each parent is read once.
 */
struct dir_names {
	ext2_filsys	fs;
	const struct e2lazy_watch *watch;	/* to stop, or NULL */
	struct dir_name	*slots;		/* open hash table */
	uint32_t	room, count;	/* room is a power of two */
	char		*text;
	size_t		used, text_room;
	blk64_t		budget;		/* blocks that may yet be read */
	unsigned	asked;		/* for names that were not known */
	struct e2lazy_where where;	/* of the last error, if known */
};

/* Call dir_names_free() even after an error. */
errcode_t dir_names_init(struct dir_names *names, ext2_filsys fs,
			 const struct e2lazy_watch *watch);
void dir_names_free(struct dir_names *names);

/* It will be asked for. */
errcode_t dir_names_want(struct dir_names *names, ext2_ino_t dir);
/* Fails only without memory, or if it was cancelled.  The root has no name. */
errcode_t dir_names_get(struct dir_names *names, ext2_ino_t dir,
			struct dir_name *out);
/*
 * dir_names_climb - put the names from @dir up to the root before @path
 * @top: the directory where the way ended.  If it is not the root: the error
 *       that hides its name is returned, or 0 if nothing has the name.
 */
errcode_t dir_names_climb(struct dir_names *names, ext2_ino_t dir,
			  struct back_path *path, ext2_ino_t *top);

#endif
