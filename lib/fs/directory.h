/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* directory.h - read directories one after another, in bounded steps */
#ifndef E2LAZY_DIRECTORY_H
#define E2LAZY_DIRECTORY_H

#include "inode_reader.h"
#include "inode_search.h"

typedef errcode_t (*found_entry)(void *priv, const struct e2lazy_entry *entry);

struct directories {
	struct inode_search search;
	struct inode_reader reader;
	bool		removed;	/* give removed entries, too */
	bool		*begins;	/* by 4 bytes: a removed entry begins */
	found_entry	found;
	bool		(*wants)(void *priv, blk64_t fsblk);	/* NULL: read
					   all blocks of a directory */
	void		*priv;
	/* the current directory */
	uint64_t	next;		/* lowest lblk that may come next */
};

/* Call directories_free() even after an error. */
errcode_t directories_init(struct directories *d, ext2_filsys fs,
			   const struct e2lazy_directory_opts *opts,
			   found_entry found, void *priv,
			   struct e2lazy_damage *damage);
void directories_free(struct directories *d);
errcode_t directories_read(struct directories *d, ext2_ino_t dir);

/* "." or ".." */
static inline bool is_dot_name(const char *name, size_t length)
{
	return (length == 1 && name[0] == '.') ||
	       (length == 2 && name[0] == '.' && name[1] == '.');
}

static inline bool is_dots(const struct e2lazy_entry *entry)
{
	return is_dot_name(entry->name, entry->length);
}

#endif
