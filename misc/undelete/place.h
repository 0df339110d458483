/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - where a deleted file is made again: directories and safe names
 *
 * Paths come from the file system, and that may be an enemy's.  Each name is
 * made in the directory that is open for it; none leads out of it, and nothing
 * that is there already is followed or overwritten.
 */
#ifndef MISC_UNDELETE_PLACE_H
#define MISC_UNDELETE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The directories that this run has made. */
struct made_dirs {
	void	*tree;
};

bool made_dirs_have(const struct made_dirs *made, const struct stat *st);
void made_dirs_free(struct made_dirs *made);

struct place {
	int	dir;			/* open; of the last name */
	char	name[NAME_MAX + 1];
	char	path[PATH_MAX];		/* of both, below the outermost */
};

/*
 * Open the directory that @path is in, below @root, and make what is missing
 * of it, which is added to @made.  0, or errno; @place is to be closed in any
 * case.
 */
int place_open(struct place *place, int root, struct made_dirs *made,
	       const char *path, size_t length);
void place_close(struct place *place);
/*
 * Another name, where others have taken the first: NAME~TID, and then
 * NAME~TID.1 and so on.  False: it would be too long.
 */
bool place_rename(struct place *place, uint32_t tid, unsigned try);

#endif
