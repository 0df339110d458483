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
#include <sys/stat.h>

#include "kept.h"

/* The directories that this run has made, or given another name. */
struct made_dirs {
	void	*tree;
	void	*moved;
	const struct kept *kept;	/* names that no other file gets; or NULL */
	bool	own;			/* those of the files that are made now */
};

bool made_dirs_have(const struct made_dirs *made, const struct stat *st);
void made_dirs_free(struct made_dirs *made);

struct place {
	int	dir;			/* open; of the last name */
	char	mark[12];		/* of other names, */
	unsigned tries;			/* and how many it had */
	const struct kept *kept;
	bool	own;
	char	name[NAME_MAX + 1];
	char	path[PATH_MAX];		/* of both, below the outermost */
};

/*
 * Open the directory that @path is in, below @root, and make what is missing
 * of it, which is added to @made.  Where a file of another kind has the name of
 * a directory, that gets another one, with the mark, and keeps it for the run.
 * 0, or errno; @place, which has the mark, is to be closed in any case.
 */
int place_open(struct place *place, int root, struct made_dirs *made,
	       const char *path, size_t length);
void place_close(struct place *place);
/*
 * Make the directory of the last name, with another name where a file of another
 * kind has it, or keeps it.  0, or errno; *@there: it is there already.
 */
int place_make_dir(struct place *place, struct made_dirs *made, mode_t mode,
		   bool *there);
/*
 * Another name, where others have taken the first: NAME~MARK, and then
 * NAME~MARK.1 and so on, but none that is kept.  0, or errno: it would be too
 * long, or were too many.
 */
int place_rename(struct place *place);
/* Append ~tidN to the last name.  0, or errno: it would be too long. */
int place_date(struct place *place, unsigned tid);
/* Another name if the first is kept for another file.  0, or errno. */
int place_avoid_kept(struct place *place, bool directory);

#endif
