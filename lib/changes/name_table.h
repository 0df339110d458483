/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * name_table.h - the table of names, for the two ways to keep it
 *
 *	names.c		a stretch that has an end: two passes
 *	names_live.c	a log that goes on: all names of each inode
 *	names_each.c	all paths of one
 */
#ifndef E2LAZY_CHANGES_NAME_TABLE_H
#define E2LAZY_CHANGES_NAME_TABLE_H

#include "changes.h"

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
	bool		has_names;	/* a directory, on some path */
	uint32_t	more;		/* live: its further names */
};

/* A further name of an inode; names are numbered from 1. */
struct further {
	struct named	name;
	uint32_t	next;		/* of the same inode, or unused: 0: none */
	bool		came;		/* the first pass: not at the start */
};

/* Make room for one more slot. */
errcode_t names_room(struct names *names);
/* The empty slot where it belongs, if it has none; and NULL, if it has none. */
struct name_slot *names_place(const struct names *names, ext2_ino_t ino);
const struct name_slot *name_table_find(const struct names *names, ext2_ino_t ino);
errcode_t names_slot(struct names *names, ext2_ino_t ino,
		     struct name_slot **slot);
errcode_t names_keep(struct names *names, struct named *to, ext2_ino_t dir,
		     const char *name, unsigned length);
bool names_same(const struct names *names, const struct named *name,
		ext2_ino_t dir, const char *text, unsigned length);

static inline struct further *further_at(const struct names *n,
					 uint32_t number)
{
	return &n->further[number - 1];
}

/* names_live.c: what the functions without live do for a log that goes on. */
errcode_t live_seen(struct names *names, ext2_ino_t ino, ext2_ino_t dir,
		    const char *name, unsigned length);
errcode_t live_came(struct names *names, ext2_ino_t ino, ext2_ino_t dir,
		    const char *name, unsigned length);
errcode_t live_went(struct names *names, ext2_ino_t ino, ext2_ino_t dir,
		    const char *name, unsigned length);
errcode_t live_over(struct names *names, ext2_ino_t ino);
void live_rewind(struct names *names);

#endif
