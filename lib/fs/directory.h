/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* directory.h - the entries of one directory after another, in bounds */
#ifndef E2LAZY_DIRECTORY_H
#define E2LAZY_DIRECTORY_H

#include "inode_search.h"

typedef errcode_t (*found_entry)(void *priv, const struct e2lazy_entry *entry);

struct directories {
	struct inode_search search;
	bool		removed;	/* entries that have been are wanted */
	bool		*begins;	/* where removed ones do, in fours */
	found_entry	found;
	void		*priv;
	/* of the directory at hand */
	uint64_t	next;		/* first lblk that may come now */
	errcode_t	err;		/* of found(), within libext2fs */
};

/* @d is to be freed even where this fails. */
errcode_t directories_init(struct directories *d, ext2_filsys fs,
			   const struct e2lazy_directory_opts *opts,
			   found_entry found, void *priv,
			   struct e2lazy_damage *damage);
void directories_free(struct directories *d);
errcode_t directories_read(struct directories *d, ext2_ino_t dir);

/* "." or ".." */
static inline bool is_dots(const struct e2lazy_entry *entry)
{
	return (entry->length == 1 && entry->name[0] == '.') ||
	       (entry->length == 2 && entry->name[0] == '.' &&
		entry->name[1] == '.');
}

#endif
