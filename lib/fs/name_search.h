/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* name_search.h - names of files, from all directories */
#ifndef E2LAZY_NAME_SEARCH_H
#define E2LAZY_NAME_SEARCH_H

#include "e2lazy_view.h"

struct name_search {
	ext2_filsys	fs;
	/* Is its name wanted, and not known yet? */
	bool		(*wants)(void *priv, ext2_ino_t ino);
	errcode_t	(*found)(void *priv, ext2_ino_t ino, ext2_ino_t dir,
				 const char *name, unsigned length);
	void		*priv;
	uint64_t	left;		/* files whose names are wanted */
	blk64_t		*budget;	/* of e2lazy_directory_opts */
};

/*
 * Search from the root down, and end as soon as no name is left.  A damaged
 * directory has lost its names.  PHASE_DIRECTORIES.
 */
errcode_t name_search(struct name_search *search,
		      const struct e2lazy_watch *watch);

#endif
